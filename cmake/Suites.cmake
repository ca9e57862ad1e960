# coterie_suites(PROGRAM PREFIX [property value]...)
#
# A test of ctest for each suite of a GoogleTest program: for each test would start the program a thousand times, which
# takes an instrumented one longer than most tests. They are found when ctest runs, so that a slow machine cannot
# fail the build.
function(coterie_suites program prefix)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${prefix}suites.cmake")
  file(GENERATE OUTPUT "${script}" CONTENT
"set(program \"${program}\")
set(prefix \"${prefix}\")
set(properties WORKING_DIRECTORY \"${CMAKE_CURRENT_BINARY_DIR}\" ${ARGN})
include(\"${PROJECT_SOURCE_DIR}/cmake/FindSuites.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()
