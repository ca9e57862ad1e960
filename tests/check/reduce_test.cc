// The reduction against the full search.
#include <gtest/gtest.h>

#include "check/search.h"

namespace coterie::check {
namespace {

class Reduced : public testing::TestWithParam<const char*> {};

TEST_P(Reduced, HasTheVerdictOfTheFullSearchWithNoMoreStates) {
  const std::vector<Property> properties{Property::safety, Property::served, Property::leaks,
                                         Property::slot};
  const Outcome full = search(GetParam(), {.properties = properties});
  const Outcome reduced =
      search(GetParam(), {.threads = 2, .reduce = true, .properties = properties});
  EXPECT_EQ(reduced.verdict, full.verdict);
  if (full.verdict != Verdict::holds) return;
  EXPECT_LE(reduced.states, full.states);
  // Every local state of every process is kept: what is left out is only the order of steps that commute.
  EXPECT_EQ(reduced.local_states, full.local_states);
}

INSTANTIATE_TEST_SUITE_P(
    Configurations, Reduced,
    testing::Values(
        "maekawa --system majority:n=3",
        "maekawa --system majority:n=3 --requests 2 --self immediate",
        "maekawa --system majority:n=3 --self immediate",
        "maekawa@S1 --system k-majority:n=4,k=1 --requesters 3 --self immediate",
        "maekawa@S2 --system k-majority:n=4,k=1 --requesters 3 --self immediate",
        "surrogate --system majority:n=3 --groups 2 --self immediate",
        "surrogate@E1 --system majority:n=3 --groups 2 --self immediate",
        "surrogate@E3 --system majority:n=3 --groups a,b,c --requests 2 --self immediate",
        "surrogate+entry --system majority:n=3 --groups a,a,b --self immediate",
        "mutin --system majority:n=3 --min 1 --requests 2 --self immediate",
        "mutin --system majority:n=3 --min 2 --requests 2 --self immediate",
        "ricart-agrawala --processes 3", "raymond --processes 4", "suzuki-kasami --processes 3"));

// Requesters and arbiters apart: an arbiter that has something to receive need not wait for others.
TEST(Reduction, RemovesStates) {
  const char* text = "maekawa --system majority:n=3";
  const std::vector<Property> properties{Property::safety, Property::served};
  const Outcome full = search(text, {.properties = properties});
  const Outcome reduced = search(text, {.reduce = true, .properties = properties});
  EXPECT_LT(reduced.states, full.states);
}

}  // namespace
}  // namespace coterie::check
