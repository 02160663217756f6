# Plug-ins: shared objects that the program opens when asked for, so that what they lean
# on costs nothing at start-up.  Each is built where its libraries are found.
set(RIDGE_PLUGIN_BUILD_DIR ${PROJECT_BINARY_DIR}/plugins)
set(RIDGE_PLUGIN_INSTALL_DIR ${CMAKE_INSTALL_LIBDIR}/ridge)
pkg_check_modules(RASTER IMPORTED_TARGET librsvg-2.0>=2.52 cairo cairo-pdf)
if(RASTER_FOUND AND NOT RIDGE_FUZZ)
  add_library(ridge_raster_plugin MODULE ${PROJECT_SOURCE_DIR}/plugins/raster/raster.c)
  target_include_directories(ridge_raster_plugin PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include/raster)
  target_link_libraries(ridge_raster_plugin PRIVATE ridge_warnings PkgConfig::RASTER)
  set_target_properties(ridge_raster_plugin PROPERTIES PREFIX "" OUTPUT_NAME ridge_raster
    LIBRARY_OUTPUT_DIRECTORY ${RIDGE_PLUGIN_BUILD_DIR})
  install(TARGETS ridge_raster_plugin LIBRARY DESTINATION ${RIDGE_PLUGIN_INSTALL_DIR})
else()
  message(STATUS "ridge_raster.so is not built: PNG and PDF charts need librsvg2-dev")
endif()

# Where the program looks, from the folder that it is in: as built, as installed.
file(RELATIVE_PATH installed /${CMAKE_INSTALL_BINDIR} /${RIDGE_PLUGIN_INSTALL_DIR})
target_compile_definitions(ridge PRIVATE RIDGE_PLUGINS_BUILT="plugins"
  RIDGE_PLUGINS_INSTALLED="${installed}")
