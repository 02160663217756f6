# tests/property/prop_NAME.c: a program that calls property_check() and answers 0 or more.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/prop_*.c)
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  string(REPLACE "prop_" "property." test ${name})
  ridge_internal_test(property ${source})
  add_test(NAME ${test} COMMAND ${name})
endforeach()
