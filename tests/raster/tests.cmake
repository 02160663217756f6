# Charts as PNG and PDF, decoded again; and what is said where that cannot be.
add_library(raster_other MODULE ${CMAKE_CURRENT_LIST_DIR}/other.c)
get_target_property(dirs ridge_raster INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(raster_other PRIVATE ${dirs})
set_target_properties(raster_other PROPERTIES PREFIX "" OUTPUT_NAME ridge_raster
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/other_plugin)
add_test(NAME raster.refused COMMAND ${CMAKE_CURRENT_LIST_DIR}/refused.sh
  $<TARGET_FILE:ridge> ${CMAKE_CURRENT_BINARY_DIR}/other_plugin)
if(TARGET ridge_raster_plugin)
  add_executable(raster_check ${CMAKE_CURRENT_LIST_DIR}/check.c)
  target_link_libraries(raster_check PRIVATE PkgConfig::RASTER ridge_warnings)
  add_test(NAME raster.pictures COMMAND ${CMAKE_CURRENT_LIST_DIR}/pictures.sh
    $<TARGET_FILE:ridge> $<TARGET_FILE:raster_check>)
  # What fontconfig keeps to the end is not ours.
  set_tests_properties(raster.pictures PROPERTIES
    ENVIRONMENT "LSAN_OPTIONS=print_suppressions=0:suppressions=${CMAKE_CURRENT_LIST_DIR}/lsan.supp")
  if(NOT RIDGE_SANITIZE) # nothing of ours runs in it
    add_test(NAME raster.browser COMMAND ${CMAKE_CURRENT_LIST_DIR}/browser.sh
      $<TARGET_FILE:raster_check> ${PROJECT_SOURCE_DIR}/tests/golden)
    set_tests_properties(raster.browser PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endif()
