# Read by ctest: the suites that `program` lists become tests whose names begin with `prefix` and that have these
# `properties`, and this `lock`, but for those that are `unlocked`; those that are `long` start early. See Suites.cmake.
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
  string(REGEX REPLACE "^\n|\\.$" "" suite "${suite}")
  add_test("${prefix}${suite}" "${program}" "--gtest_filter=${suite}.*" --gtest_brief=1)
  set_tests_properties("${prefix}${suite}" PROPERTIES ${properties})
  if(suite MATCHES "^(${long})$")
    # Else the last of them would run alone.
    set_tests_properties("${prefix}${suite}" PROPERTIES COST 500)
  endif()
  if(lock AND NOT suite MATCHES "^(${unlocked})$")
    # Those who wait for each other start first.
    set_tests_properties("${prefix}${suite}" PROPERTIES RESOURCE_LOCK "${lock}" COST 1000)
  endif()
endforeach()
