# Manual pages, written by the program from its own option tables into build/man.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man/ridge.1
  COMMAND ${PROJECT_SOURCE_DIR}/tools/man.sh $<TARGET_FILE:ridge> ${PROJECT_BINARY_DIR}/man
  DEPENDS ridge ${PROJECT_SOURCE_DIR}/tools/man.sh
  VERBATIM)
add_custom_target(man ALL DEPENDS ${PROJECT_BINARY_DIR}/man/ridge.1)
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  FILES_MATCHING PATTERN "*.1")
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man7
  FILES_MATCHING PATTERN "*.7")
