# Read by ctest: the suites that `program` lists become tests whose names begin with `prefix` and that have these
# `properties`. See Suites.cmake.
execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE result ERROR_QUIET)
if(NOT result EQUAL 0)
  # Not built, or broken: this test fails and tells how.
  add_test("${prefix}suites" "${program}" --gtest_list_tests)
  set(listed "")
endif()
# A suite ends in a dot, its tests are indented; what follows a # may contain anything.
string(REGEX REPLACE " *#[^\n]*" "" listed "${listed}")
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${listed}")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" name "${prefix}${suite}")
  add_test("${name}" "${program}" "--gtest_filter=${suite}*" --gtest_brief=1)
  set_tests_properties("${name}" PROPERTIES ${properties})
endforeach()
