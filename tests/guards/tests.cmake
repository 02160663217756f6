# The commonest mistakes of users of such tools: each is made impossible, or flagged.
file(GLOB guards CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/guard_*.sh)
foreach(guard ${guards})
  get_filename_component(name ${guard} NAME_WE)
  add_test(NAME guards.${name} COMMAND sh ${guard} $<TARGET_FILE:ridge>)
  set_tests_properties(guards.${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
