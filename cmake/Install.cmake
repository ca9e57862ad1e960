# What `make install` puts where: the command, its manual page and completions; the library as one archive with
# its headers, for find_package(coterie) and for pkg-config; the documentation with the examples; a unit of
# systemd and a configuration to start from.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/coterie")
set(doc_dir "${CMAKE_INSTALL_DATADIR}/doc/coterie")

# coterie_closure(TARGET OURS OTHERS): our libraries that it is made of, and those of others that these need.
function(coterie_closure target ours others)
  get_target_property(real ${target} ALIASED_TARGET)
  if(real)
    set(target ${real})
  endif()
  if(target IN_LIST ${ours})
    return()
  endif()
  list(APPEND ${ours} ${target})
  get_target_property(linked ${target} LINK_LIBRARIES)
  get_target_property(shared ${target} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS linked shared)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
    if(library MATCHES "^coterie")
      coterie_closure(${library} ${ours} ${others})
    elseif(library AND NOT library IN_LIST ${others})
      list(APPEND ${others} ${library})
    endif()
  endforeach()
  set(${ours} ${${ours}} PARENT_SCOPE)
  set(${others} ${${others}} PARENT_SCOPE)
endfunction()

set(folders "")
set(needed "")
coterie_closure(coterie::client folders needed)

# One archive of all that the client library is made of, so that who uses it names one library.
set(objects "")
foreach(folder IN LISTS folders)
  get_target_property(type ${folder} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(APPEND objects $<TARGET_OBJECTS:${folder}>)
  endif()
endforeach()
add_library(coterie_archive STATIC ${objects})
set_target_properties(coterie_archive PROPERTIES
  OUTPUT_NAME coterie LINKER_LANGUAGE CXX ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/package")

# Others' libraries, as pkg-config calls them; both ways to find ours go by it.
set(known_PkgConfig::CLP clp)
set(known_PkgConfig::XXHASH libxxhash)
set(known_fmt::fmt fmt)
set(known_spdlog::spdlog spdlog)
set(known_OpenSSL::SSL openssl)
set(known_protobuf::libprotobuf-lite protobuf-lite)
set(known_nlohmann_json::nlohmann_json "")  # not in what is installed
set(known_Boost::headers "")                # where every compiler looks
set(known_Threads::Threads "")
set(requires "")
foreach(library IN LISTS needed)
  if(NOT DEFINED known_${library})
    message(FATAL_ERROR "cmake/Install.cmake does not say what pkg-config calls ${library}")
  endif()
  list(APPEND requires ${known_${library}})
endforeach()
list(JOIN requires " " requires)
file(STRINGS "${PROJECT_SOURCE_DIR}/src/cli/main.cc" version REGEX "kVersion = ")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${version}")

configure_package_config_file(packaging/coterie-config.cmake.in
  "${PROJECT_BINARY_DIR}/package/coterie-config.cmake" INSTALL_DESTINATION "${package_dir}"
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/coterie-config-version.cmake"
  VERSION ${version} COMPATIBILITY SameMinorVersion)
# Found from where it lies, so that a tree that is moved still works.
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${up}")
configure_file(packaging/coterie.pc.in "${PROJECT_BINARY_DIR}/package/coterie.pc" @ONLY)
configure_file(packaging/coterie.service.in "${PROJECT_BINARY_DIR}/package/coterie.service" @ONLY)

# What the command itself writes.
set(pages "")
foreach(page IN ITEMS "coterie.1 manual" "coterie.bash completion bash" "_coterie completion zsh"
                      "coterie.fish completion fish")
  separate_arguments(words UNIX_COMMAND "${page}")
  list(POP_FRONT words file)
  add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/package/${file}"
    COMMAND coterie ${words} > "${PROJECT_BINARY_DIR}/package/${file}"
    DEPENDS coterie)
  list(APPEND pages "${PROJECT_BINARY_DIR}/package/${file}")
endforeach()
add_custom_target(coterie_pages ALL DEPENDS ${pages})

install(TARGETS coterie RUNTIME)
install(TARGETS coterie_archive ARCHIVE)
install(DIRECTORY include/coterie TYPE INCLUDE)
install(FILES "${PROJECT_BINARY_DIR}/package/coterie-config.cmake"
  "${PROJECT_BINARY_DIR}/package/coterie-config-version.cmake" DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/package/coterie.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES "${PROJECT_BINARY_DIR}/package/coterie.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${PROJECT_BINARY_DIR}/package/coterie.bash" RENAME coterie
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${PROJECT_BINARY_DIR}/package/_coterie"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${PROJECT_BINARY_DIR}/package/coterie.fish"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(FILES "${PROJECT_BINARY_DIR}/package/coterie.service" DESTINATION lib/systemd/system)
install(FILES packaging/coterie.sysusers RENAME coterie.conf DESTINATION lib/sysusers.d)
install(FILES README.md SECURITY.md LICENSE packaging/member.toml DESTINATION "${doc_dir}")
install(DIRECTORY docs/ DESTINATION "${doc_dir}/docs")
install(DIRECTORY examples/ DESTINATION "${doc_dir}/examples" FILES_MATCHING PATTERN "*.cc")
install(FILES packaging/examples.cmake RENAME CMakeLists.txt DESTINATION "${doc_dir}/examples")
