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

# ridge_embed_fits(TARGET): data/fits/*.yaml and NCCL's constants as tables, parsed now by
# tools/embed_fits.c, which has their readers from src/hw and what those stand on.
function(ridge_embed_fits target)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/fits/*.yaml)
  set(nccl ${PROJECT_SOURCE_DIR}/data/nccl/2.30.7.yaml)
  set(out ${PROJECT_BINARY_DIR}/embedded_fits.c)
  set(list ${PROJECT_BINARY_DIR}/embedded_fits.list)
  file(CONFIGURE OUTPUT ${list} CONTENT "${files}" @ONLY)
  set(hw ${PROJECT_SOURCE_DIR}/src/hw)
  get_target_property(dirs ${target} INCLUDE_DIRECTORIES)
  add_library(embed_fits_reader OBJECT ${hw}/fit.c ${hw}/fit_bands.c ${hw}/fit_when.c ${hw}/nccl.c
    ${hw}/reader.c ${hw}/schema.c ${hw}/access.c)
  target_include_directories(embed_fits_reader PRIVATE ${dirs})
  target_link_libraries(embed_fits_reader PRIVATE ridge_warnings)
  # clang-tidy is to see them once, as of the library.
  set_target_properties(embed_fits_reader PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
  add_executable(embed_fits ${PROJECT_SOURCE_DIR}/tools/embed_fits.c
    $<TARGET_OBJECTS:embed_fits_reader> $<TARGET_OBJECTS:ridge_base>
    $<TARGET_OBJECTS:ridge_format>)
  get_property(libs GLOBAL PROPERTY RIDGE_LIBS)
  list(REMOVE_DUPLICATES libs)
  target_include_directories(embed_fits PRIVATE ${dirs})
  target_link_libraries(embed_fits PRIVATE ridge_warnings ${libs} m)
  add_custom_command(OUTPUT ${out} COMMAND embed_fits ${out} ${nccl} ${files}
    DEPENDS embed_fits ${nccl} ${files} ${list} VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
