add_test(NAME header.standards COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh)
