#include "check/walk.h"

#include <gtest/gtest.h>

#include "check/search.h"
#include "sanitized.h"

namespace coterie::check {
namespace {

WalkOutcome walk(const std::string& text, std::uint64_t steps) {
  const Config config = config_of(text);
  WalkOptions options;
  options.walks = 6;
  options.steps = steps;
  options.properties = claimed(config.choice);
  return walk(config, options);
}

TEST(Walk, NobodyStarvesUnderMaekawa) {
  constexpr std::uint64_t kSteps = kIsSanitized ? 8'000 : 40'000;
  const WalkOutcome outcome = walk("maekawa --system grid:rows=3,cols=3", kSteps);
  EXPECT_FALSE(outcome.is_violated) << outcome.reason;
  EXPECT_GT(outcome.entries, kSteps / 80);
  // The victim's messages are held back for 200 steps, in which others enter some tens of times.
  EXPECT_LT(outcome.longest_overtaking, 200U);
}

TEST(Walk, IsTheSameForTheSameSeed) {
  const WalkOutcome a = walk("maekawa --system majority:n=5", 5'000);
  const WalkOutcome b = walk("maekawa --system majority:n=5", 5'000);
  EXPECT_EQ(a.entries, b.entries);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_EQ(a.longest_overtaking, b.longest_overtaking);
}

TEST(Walk, FindsADeadlock) {
  const WalkOutcome outcome = walk("maekawa@S1 --system k-majority:n=4,k=1", 40'000);
  EXPECT_TRUE(outcome.is_violated);
  EXPECT_FALSE(outcome.last_events.empty());
}

}  // namespace
}  // namespace coterie::check
