// A plan as text, there and back.
#include "check/plan_options.h"

#include <gtest/gtest.h>

namespace coterie::check {
namespace {

TEST(PlanOptions, ReadsWhatItWrites) {
  for (
      const char* text :
      {"maekawa", "maekawa@S1 --system majority:n=3 --requests 2",
       "'gcs[mutin;k-mutex]' --system majority:n=3 --system k-majority:n=3,k=1 --min 1 --max 2",
       "surrogate+entry --system grid:rows=2,cols=2 --requesters 3 --groups a,b,a --self immediate "
       "--unordered --property safety,served",
       "maekawa --system 'file:my quorums.json'", R"(maekawa --system 'file:it'\''s.json')",
       "shares --system majority:n=3 --groups each --crashes 1 --strike late --property survives",
       "mutin --processes 3 --min 1 --inside 0,1 --quorums any --locks 2 --alarms late --reduce"}) {
    const auto plan = parse_plan(text);
    ASSERT_TRUE(plan.has_value()) << text << ": " << plan.error().message;
    EXPECT_EQ(text_of(*plan), text);
  }
}

TEST(PlanOptions, SaysWhatIsWrong) {
  const auto message = [](const char* text) { return parse_plan(text).error().message; };
  EXPECT_EQ(message("maekawa --sytem majority:n=3"), "there is no option '--sytem'");
  EXPECT_EQ(message("maekawa --requests"), "--requests needs a value");
  EXPECT_EQ(message("maekawa --requests -1"),
            "--requests: must be a whole number up to 1000000, not '-1'");
  EXPECT_EQ(message("maekawa surrogate"), "one protocol at a time: 'maekawa' or 'surrogate'");
  EXPECT_EQ(message("maekawa --self never"), "--self: must be queued or immediate, not 'never'");
  EXPECT_EQ(message("maekawa 'x"), "there is no second ' in: maekawa 'x");
  EXPECT_EQ(message("--requests 2"), "no protocol is named in: --requests 2");
}

}  // namespace
}  // namespace coterie::check
