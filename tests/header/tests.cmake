add_test(NAME header.standards COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh)
if(NOT RIDGE_SANITIZE AND NOT CMAKE_C_FLAGS MATCHES coverage) # these export more
  add_test(NAME header.exports
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/exports.sh $<TARGET_FILE:ridge_lib>)
endif()
