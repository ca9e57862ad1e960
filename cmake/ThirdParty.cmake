# The libraries that Coterie builds on. tools/setup installs them.
find_package(Boost 1.81 REQUIRED)  # headers only: Boost::headers
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

find_package(PkgConfig REQUIRED)
pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)  # PkgConfig::CLP

# BuDDy has neither a CMake package nor a pkg-config file.
find_path(BUDDY_INCLUDE_DIR bdd.h REQUIRED)
find_library(BUDDY_LIBRARY bdd REQUIRED)
mark_as_advanced(BUDDY_INCLUDE_DIR BUDDY_LIBRARY)
add_library(BuDDy::bdd UNKNOWN IMPORTED)
set_target_properties(BuDDy::bdd PROPERTIES
  IMPORTED_LOCATION "${BUDDY_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${BUDDY_INCLUDE_DIR}")
