// The quick checks of the catalogue: a test each, so that a failure has a name.
#include "check/suite.h"

#include <gtest/gtest.h>

#include <set>

#include "check/plan_options.h"

namespace coterie::check {
namespace {

std::vector<Case> quick() {
  std::vector<Case> cases;
  for (const Case& each : suite())
    if (each.effort == Effort::quick) cases.push_back(each);
  return cases;
}

// A test's name is of letters and digits.
std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

void PrintTo(const Case& check, std::ostream* to) { *to << "coterie check " << check.plan; }

class Suite : public testing::TestWithParam<Case> {};

TEST_P(Suite, IsAsExpected) {
  const Outcome outcome = run(GetParam(), {.threads = 2});
  EXPECT_EQ(difference(GetParam(), outcome), "");
}
INSTANTIATE_TEST_SUITE_P(Quick, Suite, testing::ValuesIn(quick()), name_of_case);

TEST(SuiteData, EachNameIsOnce) {
  std::set<std::string_view> names;
  for (const Case& each : suite()) EXPECT_TRUE(names.insert(each.name).second) << each.name;
}

TEST(SuiteData, EachPlanIsWrittenAsItIsRead) {
  for (const Case& each : suite()) {
    const auto plan = parse_plan(each.plan);
    ASSERT_TRUE(plan.has_value()) << each.plan;
    EXPECT_EQ(text_of(*plan), each.plan);
  }
}

TEST(SuiteData, EachMutantIsCaught) {
  for (const protocol::Entry& entry : protocol::catalogue()) {
    for (const protocol::Mutant& mutant : entry.mutants) {
      const std::string version = "@" + std::string(mutant.name);
      const bool is_caught = std::any_of(suite().begin(), suite().end(), [&](const Case& each) {
        const std::string protocol = parse_plan(each.plan)->protocol;
        return each.violates && protocol.starts_with(entry.name) && protocol.ends_with(version);
      });
      EXPECT_TRUE(is_caught) << entry.name << version;
    }
  }
}

}  // namespace
}  // namespace coterie::check
