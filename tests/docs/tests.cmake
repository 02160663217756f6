# One test for each document: its console blocks are run and compared.
file(GLOB_RECURSE documents CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/README.zh.md
  ${PROJECT_SOURCE_DIR}/ARCHITECTURE.md
  ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md ${PROJECT_SOURCE_DIR}/docs/*.md)
foreach(document ${documents})
  string(REGEX REPLACE "^docs/|\\.md$" "" name ${document})
  string(REPLACE "/" "." name ${name})
  add_test(NAME docs.${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh
    $<TARGET_FILE:ridge> ${PROJECT_SOURCE_DIR}/${document})
endforeach()
# The articles, answered: written again and compared, in both languages.
add_test(NAME articles COMMAND ${CMAKE_CURRENT_LIST_DIR}/articles.sh $<TARGET_FILE:ridge>)
set_tests_properties(articles PROPERTIES SKIP_RETURN_CODE 77)
