# find_package(ridge) gives ridge::ridge, the shared library.
include(${CMAKE_CURRENT_LIST_DIR}/ridge-targets.cmake)
