if(NOT RIDGE_SANITIZE) # the consumers would need the sanitizer too
  add_test(NAME install.consumers
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh ${PROJECT_BINARY_DIR})
endif()
