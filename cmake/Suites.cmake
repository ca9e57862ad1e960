# coterie_suites(PROGRAM PREFIX [LOCK lock] [UNLOCKED suites] [ENVIRONMENT variable])
#
# A test of ctest for each suite of a GoogleTest program: for each test would start the program a thousand times, which
# takes an instrumented one longer than most tests. They are found when ctest runs, so that a slow machine cannot
# fail the build. Of those that share a lock, one runs at a time; UNLOCKED is a regular expression of suites that do
# without. The variable coterie_long_suites is one of those that start before others.
function(coterie_suites program prefix)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "LOCK;UNLOCKED;ENVIRONMENT" "")
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${prefix}suites.cmake")
  file(GENERATE OUTPUT "${script}" CONTENT
"set(program \"${program}\")
set(prefix \"${prefix}\")
set(lock \"${arg_LOCK}\")
set(unlocked \"${arg_UNLOCKED}\")
set(long \"${coterie_long_suites}\")
set(properties TIMEOUT 400 WORKING_DIRECTORY \"${CMAKE_CURRENT_BINARY_DIR}\" ENVIRONMENT \"${arg_ENVIRONMENT}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/FindSuites.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()
