# COTERIE_FUZZ: all code tells libFuzzer which branches it takes. The ordinary build is the judge of warnings.
if(COTERIE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link -Wno-error)
endif()

# COTERIE_SANITIZE=address,undefined or COTERIE_SANITIZE=thread: the first fault stops the program.
if(COTERIE_SANITIZE)
  add_compile_options(-fsanitize=${COTERIE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # What these find, AddressSanitizer stops at too, or the types rule out; without them, and with its checks
  # as calls instead of in line, half as much is to compile.
  add_compile_options(-fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options("SHELL:--param asan-instrumentation-with-call-threshold=0")
  endif()
  add_link_options(-fsanitize=${COTERIE_SANITIZE})
  add_compile_definitions(_GLIBCXX_ASSERTIONS COTERIE_SANITIZED)
  # Instrumented code takes long to optimise; this is fast enough, and reports still name the line.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")

  # The instrumentation itself confuses GCC's flow analysis; the ordinary build is the judge of these.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
      -Wno-stringop-overread -Wno-tsan)
  endif()
endif()
