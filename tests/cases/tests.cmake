# Known figures and closed forms, through the public interface alone.
foreach(name test_cases test_floor test_comm)
  add_executable(${name} cases/${name}.c)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/unit)
  target_link_libraries(${name} PRIVATE ridge_static ridge_warnings ${CMOCKA_LIBRARY})
  add_test(NAME cases.${name} COMMAND ${name})
endforeach()
add_test(NAME cases.score_agrees
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/score_agrees.sh $<TARGET_FILE:ridge>)
set_tests_properties(cases.score_agrees PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME cases.rows COMMAND ${CMAKE_CURRENT_LIST_DIR}/rows.sh ${RIDGE_SHARED}
  ${PROJECT_SOURCE_DIR}/tests)
set_tests_properties(cases.rows PROPERTIES SKIP_RETURN_CODE 77)
