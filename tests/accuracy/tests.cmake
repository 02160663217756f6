# Predictions against published times: no figure may get worse than the ledger's.
add_test(NAME accuracy.ledger
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:ridge>)
set_tests_properties(accuracy.ledger PROPERTIES SKIP_RETURN_CODE 77)
