# Golden cases of the command line, its examples, its JSON and its manual pages.
file(GLOB cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/cases/*.sh)
foreach(case ${cases})
  get_filename_component(name ${case} NAME_WE)
  add_test(NAME golden.${name}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:ridge> ${name})
endforeach()
add_test(NAME golden.examples COMMAND ${CMAKE_CURRENT_LIST_DIR}/examples.sh
  $<TARGET_FILE:ridge> ${PROJECT_SOURCE_DIR}/examples)
add_test(NAME golden.json
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/json.sh $<TARGET_FILE:ridge>)
add_test(NAME golden.man
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/man.sh ${PROJECT_BINARY_DIR}/man)
set_tests_properties(golden.json golden.man PROPERTIES SKIP_RETURN_CODE 77)
