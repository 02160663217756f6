if(NOT RIDGE_SANITIZE AND NOT CMAKE_C_FLAGS MATCHES coverage) # consumers would need it too
  add_test(NAME install.consumers
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh ${PROJECT_BINARY_DIR})
endif()
