# ridge_embed(TARGET KIND...): compile data/KIND/*.yaml into TARGET as text, in id order.
#
# tools/embed.cmake writes one C file per kind with an array of ridge__embedded; it runs
# again when a file changes, comes or goes.
function(ridge_embed target)
  foreach(kind ${ARGN})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/${kind}/*.yaml)
    set(out ${PROJECT_BINARY_DIR}/embedded_${kind}.c)
    # A file that goes leaves nothing that is newer; the list changes with it.
    set(list ${PROJECT_BINARY_DIR}/embedded_${kind}.list)
    file(CONFIGURE OUTPUT ${list} CONTENT "${files}" @ONLY)
    add_custom_command(OUTPUT ${out}
      COMMAND ${CMAKE_COMMAND} -DKIND=${kind} -DDIR=${PROJECT_SOURCE_DIR}/data/${kind}
        -DOUT=${out} -P ${PROJECT_SOURCE_DIR}/tools/embed.cmake
      DEPENDS ${files} ${list} ${PROJECT_SOURCE_DIR}/tools/embed.cmake
      VERBATIM)
    target_sources(${target} PRIVATE ${out})
    # C promises strings of 4,095 bytes only; gcc and clang take any length.
    set_source_files_properties(${out} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
  endforeach()
endfunction()
