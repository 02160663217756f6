# tests/fuzz/fuzz_NAME.c has LLVMFuzzerTestOneInput.  Preset fuzz makes a fuzzer of it;
# everywhere else replay.c runs the inputs of corpus/NAME and all their beginnings.
# What the project reads anyway is corpus too.
set(more_machine ${PROJECT_SOURCE_DIR}/data/gpus ${PROJECT_SOURCE_DIR}/data/fits
  ${PROJECT_SOURCE_DIR}/data/latencies)
set(more_system ${PROJECT_SOURCE_DIR}/data/systems ${PROJECT_SOURCE_DIR}/data/links)
file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/fuzz_*.c)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  string(REPLACE "fuzz_" "" what ${name})
  ridge_internal_test(fuzz ${source})
  if(RIDGE_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/replay.c)
    add_test(NAME fuzz.${what}
      COMMAND ${name} ${CMAKE_CURRENT_LIST_DIR}/corpus/${what} ${more_${what}})
  endif()
endforeach()
