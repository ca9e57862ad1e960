#include "check/runs.h"

#include <gtest/gtest.h>

#include "check/plan.h"
#include "check/plan_options.h"
#include "check/search.h"

namespace coterie::check {
namespace {

struct Drawn {
  std::uint64_t seed = 1;
  std::uint64_t runs = 100;
};

// REQUIRES: the text names its properties
WalkOutcome run(const std::string& text, const Drawn& how) {
  const Config config = config_of(text);
  WalkOptions options;
  options.seed = how.seed;
  options.walks = how.runs;
  options.steps = 1000;
  options.properties = properties_of(*parse_plan(text), config.choice).value();
  return run_at_random(config, options);
}

const std::string kFaults =
    " --system majority:n=3 --requests 2 --groups each --crashes 2 --restarts 2 --lapses 2 "
    "--suspicions 2";

TEST(Runs, AreTheSameForTheSameSeed) {
  const std::string text = "shares" + kFaults + " --property safety,leaks";
  const WalkOutcome a = run(text, {});
  const WalkOutcome b = run(text, {});
  EXPECT_FALSE(a.is_violated) << a.reason;
  EXPECT_GT(a.faults, 100U);
  EXPECT_GT(a.entries, 200U);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.entries, b.entries);
}

struct Elusive {
  const char* version;
  std::string where;
  Property property;
  Drawn seen;  // in the last of so many runs
};

// Numbers that grow without end are beyond a search; the others take it minutes.
TEST(Runs, FindWhatASearchCannotOrNotSoon) {
  const std::string ends = " --system majority:n=5 --groups each --cancels 1 --property finish";
  const std::string tokens = kFaults + " --property safety,tokens";
  for (const Elusive& each :
       {Elusive{"shares+tight@no-lag", ends, Property::finish, {1, 1}},
        Elusive{"shares+tight@raises-laggards", ends, Property::finish, {1, 15}},
        Elusive{"shares+tight@gap", tokens, Property::tokens, {21, 3}},
        Elusive{"shares+tight@restart-no-stride", tokens, Property::tokens, {27, 14}}}) {
    const WalkOutcome wrong = run(each.version + each.where, {each.seen.seed, 100});
    EXPECT_TRUE(wrong.is_violated) << each.version;
    EXPECT_EQ(wrong.property, each.property) << wrong.reason;
    EXPECT_EQ(wrong.walks, each.seen.runs) << each.version;
    EXPECT_FALSE(wrong.last_events.empty());
    EXPECT_FALSE(run("shares+tight" + each.where, each.seen).is_violated) << each.where;
  }
}

}  // namespace
}  // namespace coterie::check
