# Predictions against published times: no figure may get worse than the ledger's.
add_test(NAME accuracy.ledger
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:ridge>)
# The same of rows predicted without their shape or part, for the tables where that is quick.
add_test(NAME accuracy.ledger_left_out
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:ridge> --quick)
set_tests_properties(accuracy.ledger accuracy.ledger_left_out PROPERTIES SKIP_RETURN_CODE 77)
