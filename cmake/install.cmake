# The program, both libraries, the header, pkg-config and CMake files, man pages.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ridge)
install(TARGETS ridge ridge_static)
# Only the shared library is exported: it carries what it needs inside.
install(TARGETS ridge_lib EXPORT ridge-targets)
install(FILES ${PROJECT_SOURCE_DIR}/include/ridge.h TYPE INCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ridge TYPE INCLUDE)
install(EXPORT ridge-targets NAMESPACE ridge:: DESTINATION ${config_dir})
file(COPY ${PROJECT_SOURCE_DIR}/cmake/ridge-config.cmake
  DESTINATION ${PROJECT_BINARY_DIR}/package)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/ridge-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/ridge-config.cmake
  ${PROJECT_BINARY_DIR}/package/ridge-config-version.cmake DESTINATION ${config_dir})
# prefix is found from where the file lies, so that `cmake --install --prefix` works.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up "${up}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/ridge.pc.in ${PROJECT_BINARY_DIR}/ridge.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ridge.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
