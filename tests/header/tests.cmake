add_test(NAME header.standards COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh)
if(NOT RIDGE_SANITIZE) # a sanitizer exports symbols of its own
  add_test(NAME header.exports
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/exports.sh $<TARGET_FILE:ridge_lib>)
endif()
