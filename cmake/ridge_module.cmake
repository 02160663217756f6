# ridge_module(NAME [USES lower modules...] [LIBS third-party targets...])
#
# An object library of src/NAME/*.c that sees the public header, its own folder as
# "NAME/x.h", and those of USES: a module that is not listed cannot be included, because
# no include path leads to it.  tools/layers.sh closes the hole of relative paths.
set_property(GLOBAL PROPERTY RIDGE_MODULES "")
function(ridge_module name)
  cmake_parse_arguments(M "" "" "USES;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
  if(NOT sources) # a room that is still empty
    set(sources ${PROJECT_BINARY_DIR}/empty_${name}.c)
    file(WRITE ${sources} "typedef int ridge__empty_${name};\n")
  endif()
  add_library(ridge_${name} OBJECT ${sources})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${root}/${name} SYMBOLIC)
  target_include_directories(ridge_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${root})
  target_link_libraries(ridge_${name} PRIVATE ridge_warnings ${M_LIBS})
  set_target_properties(ridge_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  foreach(used ${M_USES})
    get_target_property(dirs ridge_${used} INTERFACE_INCLUDE_DIRECTORIES)
    target_include_directories(ridge_${name} PRIVATE ${dirs})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY RIDGE_MODULES ridge_${name})
  set_property(GLOBAL APPEND PROPERTY RIDGE_LIBS ${M_LIBS})
endfunction()
