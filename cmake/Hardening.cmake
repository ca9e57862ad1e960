# What makes a mistake in memory an end of the process and not an entrance. tests/hardening_test.sh looks at the command. Builds
# with sanitizers do without: they find more, and do not go along with _FORTIFY_SOURCE.
include(CheckCXXCompilerFlag)

option(COTERIE_HARDENED "Compile with stack protectors and with checks of the C and C++ libraries" ON)
if(COTERIE_SANITIZE OR COTERIE_FUZZ)
  set(COTERIE_HARDENED OFF)
else()
  # The table of functions is read-only before main() begins, and nothing on the stack can be run.
  add_link_options(-Wl,-z,relro,-z,now -Wl,-z,noexecstack)
endif()

# coterie_fortify(TARGET): glibc's own checks of lengths, which need an optimised build. They come with warnings of results that
# are not looked at, which the code does on purpose where nothing could be done about a failure.
function(coterie_fortify target)
  if(COTERIE_HARDENED AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${target} PRIVATE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -Wno-unused-result)
  endif()
endfunction()

if(COTERIE_HARDENED)
  # Every program is position-independent. Libraries are static and part of one, so -fPIC, which costs more, is not needed.
  add_compile_options(-fPIE)
  add_link_options(-pie)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  # Some of these are of one processor, or of newer compilers.
  foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
    string(MAKE_C_IDENTIFIER "takes${flag}" takes)
    check_cxx_compiler_flag(${flag} ${takes})
    if(${takes})
      add_compile_options(${flag})
    endif()
  endforeach()
endif()
