// The models by their names, and what the catalogue says of their mutants.
#include "check/models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "check/suite.h"

namespace coterie::check {
namespace {

// The other rules are enough without these: all cases of theirs hold.
const std::set<std::string> kNotNeeded{"calls@keeps-waiting", "calls@takes-all",
                                       "calls@pins-vouched", "calls@gives-denied",
                                       "sets@names-version"};

template <class Mutants>
void expect_each_caught(const std::string& model, const Mutants& mutants) {
  for (const auto& mutant : mutants) {
    const std::string version = "@" + std::string(mutant.name);
    const auto is_of = [&](const Case& each) {
      return each.plan.starts_with(model + ":") && each.plan.ends_with(version);
    };
    const bool is_caught = std::any_of(suite().begin(), suite().end(), [&](const Case& each) {
      return is_of(each) && each.violates;
    });
    EXPECT_TRUE(std::any_of(suite().begin(), suite().end(), is_of)) << model << version;
    EXPECT_NE(is_caught, kNotNeeded.contains(model + version)) << model << version;
  }
}

TEST(Models, EachMutantIsCaughtOrNotNeeded) {
  expect_each_caught("calls", calls_mutants());
  expect_each_caught("sets", sets_mutants());
}

template <class Configs>
void expect_each_holds(const std::string& model, const Configs& configs) {
  for (const auto& config : configs) {
    const std::string plan = model + ":" + std::string(config.name);
    EXPECT_TRUE(std::any_of(suite().begin(), suite().end(), [&](const Case& each) {
      return each.plan == plan && !each.violates;
    })) << plan;
  }
}

TEST(Models, EachConfigurationIsInTheCatalogue) {
  expect_each_holds("calls", calls_configs());
  expect_each_holds("sets", sets_configs());
}

// A process that looks cannot know what the client of the attempt was told: so an arbiter does not deny what it has written.
TEST(Models, AShortestTraceIsToldInWords) {
  const auto outcome = run_model("calls:look@denies-written", {});
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->verdict, Verdict::violated);
  EXPECT_EQ(outcome->reason, "more owners than may were told that they hold the name");
  ASSERT_EQ(outcome->story.size(), outcome->depth);
  EXPECT_EQ(std::count(outcome->story.begin(), outcome->story.end(), "P calls hold X"), 1);
  EXPECT_TRUE(outcome->story.back().starts_with("rival 0 takes the name with"));
}

// The member that gave the hold stops when one other arbiter knows. If the votes are taken at once, they split.
TEST(Models, WhatWasGivenIsDecidedAlthoughItsMemberStops) {
  const auto outcome = run_model("calls:giver-stops-look", {});
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->verdict, Verdict::holds);
  const auto without = run_model("calls:giver-stops-look@no-inquiry", {});
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->verdict, Verdict::violated);
  EXPECT_EQ(without->property, Property::finish);
  EXPECT_EQ(without->story.back(), "arbiter 0 stops");
}

TEST(Models, WhatIsNotKnownIsNamed) {
  EXPECT_FALSE(is_model("maekawa"));
  EXPECT_TRUE(is_model("sets:late"));
  const auto config = run_model("calls:nothing", {});
  ASSERT_FALSE(config.has_value());
  EXPECT_NE(config.error().message.find("\"nothing\"; there are: two-copies"), std::string::npos);
  const auto mutant = run_model("sets:late@nothing", {});
  ASSERT_FALSE(mutant.has_value());
  EXPECT_NE(mutant.error().message.find("\"nothing\"; there are: replaces-any"), std::string::npos);
}

TEST(Models, ASearchStopsWhenItIsToldTo) {
  Options options;
  options.progress = [](const Progress& progress) { return progress.depth < 3; };
  const auto outcome = run_model("calls:two-copies", options);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->verdict, Verdict::unfinished);
  EXPECT_EQ(outcome->reason, "it was interrupted");
}

}  // namespace
}  // namespace coterie::check
