// The quick checks of the catalogue: a test each, so that a failure has a name.
#include "check/suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <ostream>
#include <set>

#include "check/models.h"
#include "check/plan_options.h"
#include "sanitized.h"

namespace coterie::check {

void PrintTo(const Case& each, std::ostream* to) { *to << each.plan; }

namespace {

// Instrumented code is ten times slower, and finds what it finds in the small ones.
constexpr std::uint64_t kMostStates =
    kIsSanitized ? 50'000 : std::numeric_limits<std::uint64_t>::max();

std::vector<Case> quick() {
  std::vector<Case> cases;
  for (const Case& each : suite()) {
    if (each.effort == Effort::quick && each.counts.states <= kMostStates) cases.push_back(each);
  }
  return cases;
}

// A test's name is of letters and digits.
std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

class Suite : public testing::TestWithParam<Case> {};

TEST_P(Suite, IsAsExpected) {
  Options options;
  options.threads = 2;
  const Outcome outcome = run(GetParam(), options);
  EXPECT_EQ(difference(GetParam(), outcome), "") << "coterie check " << GetParam().plan;
}
INSTANTIATE_TEST_SUITE_P(Quick, Suite, testing::ValuesIn(quick()), name_of_case);

TEST(SuiteData, EachNameIsOnce) {
  std::set<std::string_view> names;
  for (const Case& each : suite()) EXPECT_TRUE(names.insert(each.name).second) << each.name;
}

TEST(SuiteData, EachPlanIsWrittenAsItIsRead) {
  for (const Case& each : suite()) {
    if (is_model(each.plan)) continue;
    const auto plan = parse_plan(each.plan);
    ASSERT_TRUE(plan.has_value()) << each.plan;
    EXPECT_EQ(text_of(*plan), each.plan);
  }
}

// What no search finds: too many steps away (GroupK.OnlyLeadersLetOthersIn goes there), or starvation,
// which takes requests without end (Surrogate.Section8_1LockedNamesEveryConflict and
// Surrogate.Section8_2AForwardedRequestOfOtherGroupsClosesTheForum), or numbers that grow without end
// (Runs.FindWhatASearchCannotOrNotSoon).
constexpr std::array<std::string_view, 5> kShownElsewhere{
    "group-k@C9", "surrogate@C5", "surrogate@M1", "shares@no-lag", "shares@raises-laggards"};

TEST(SuiteData, EachMutantIsCaught) {
  for (const protocol::Entry& entry : protocol::catalogue()) {
    for (const protocol::Mutant& mutant : entry.mutants) {
      const std::string version = "@" + std::string(mutant.name);
      const std::string whole = std::string(entry.name) + version;
      if (std::find(kShownElsewhere.begin(), kShownElsewhere.end(), whole) != kShownElsewhere.end())
        continue;
      const bool is_caught = std::any_of(suite().begin(), suite().end(), [&](const Case& each) {
        if (is_model(each.plan)) return false;
        const auto choice = protocol::parse_choice(parse_plan(each.plan)->protocol);
        return each.violates && choice->entry == &entry && choice->version.mutant == mutant.name;
      });
      EXPECT_TRUE(is_caught) << whole;
    }
  }
}

}  // namespace
}  // namespace coterie::check
