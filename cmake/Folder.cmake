# coterie_folder(NAME [USES folder...] [THIRD_PARTY target...] [SHARES target...])
#
# Declares the current folder as the static library coterie_NAME, also called coterie::NAME. USES lists
# the folders that it may depend on, which must have been declared before: what is not listed does not
# link. THIRD_PARTY lists libraries that stay private to the folder, SHARES those that its headers show.
# A folder without .cc files is a library of headers, so it can be declared before it has any code.
function(coterie_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES;THIRD_PARTY;SHARES")
  list(TRANSFORM arg_USES PREPEND coterie::)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  if(sources)
    set(scope PUBLIC)
    add_library(coterie_${name} STATIC ${sources})
    target_link_libraries(coterie_${name} PRIVATE ${arg_THIRD_PARTY})
    coterie_fortify(coterie_${name})
    # What nearly every file includes and takes long to read is precompiled, once for all folders.
    if(name STREQUAL "base")
      target_precompile_headers(coterie_base PRIVATE
        <boost/container/small_vector.hpp> <boost/system/result.hpp> <algorithm> <functional> <memory>
        <numeric> <optional> <span> <string> <vector>)
    else()
      target_precompile_headers(coterie_${name} REUSE_FROM coterie_base)
    endif()
  else()
    set(scope INTERFACE)
    add_library(coterie_${name} INTERFACE)
  endif()
  # Public headers are "coterie/...", internal ones "folder/...".
  target_include_directories(coterie_${name} ${scope}
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(coterie_${name} ${scope} ${arg_USES} ${arg_SHARES})
  add_library(coterie::${name} ALIAS coterie_${name})
  set_property(GLOBAL APPEND PROPERTY COTERIE_LIBRARIES coterie::${name})
endfunction()
