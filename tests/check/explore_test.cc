#include "check/explore.h"

#include <gtest/gtest.h>

#include "check/search.h"
#include "check/story.h"

namespace coterie::check {
namespace {

class AgreesWithSlowSearch : public testing::TestWithParam<const char*> {};

TEST_P(AgreesWithSlowSearch, InStatesTransitionsAndDepth) {
  const Config config = config_of(GetParam());
  const auto space = std::make_unique<Space>(config);
  Options options;
  options.properties = {Property::safety};
  const Outcome outcome = explore(*space, options);
  EXPECT_EQ((Counts{outcome.states, outcome.transitions, outcome.depth}), slow_search(config));
}

INSTANTIATE_TEST_SUITE_P(
    Configurations, AgreesWithSlowSearch,
    testing::Values("maekawa --system majority:n=2", "maekawa --system majority:n=3 --requesters 2",
                    "maekawa --system majority:n=3 --self immediate",
                    "maekawa --system majority:n=3 --requesters 2 --requests 2 --self immediate",
                    "surrogate --system majority:n=3 --requesters 2 --groups 2 --self immediate",
                    "surrogate+entry --system majority:n=3 --groups a,a,b --self immediate",
                    "k-mutex --system k-majority:n=3,k=1 --requesters 2 --self immediate",
                    "mutin --system majority:n=3 --min 1 --requests 1 --self immediate",
                    "ricart-agrawala --processes 3", "central --processes 3 --requests 2"));

TEST(Explore, FindsTheSameWithAnyNumberOfThreads) {
  for (const char* text :
       {"maekawa --system majority:n=3",
        "maekawa@S2 --system k-majority:n=4,k=1 --requesters 3 --self immediate"}) {
    const Outcome one = search(text, {.threads = 1});
    for (const unsigned threads : {2U, 3U}) {
      const Outcome many = search(text, {.threads = threads});
      EXPECT_EQ(many.verdict, one.verdict);
      EXPECT_EQ(many.states, one.states);
      EXPECT_EQ(many.transitions, one.transitions);
      EXPECT_EQ(many.depth, one.depth);
      EXPECT_EQ(many.reason, one.reason);
      const auto space = std::make_unique<Space>(config_of(text));
      const auto tokens = [&](const Outcome& outcome) {
        std::string joined;
        for (const Scene& scene : narrate(*space, outcome.trace)) joined += scene.token + "\n";
        return joined;
      };
      EXPECT_EQ(tokens(many), tokens(one));
    }
  }
}

TEST(Explore, SaysThatEveryRunEnds) {
  EXPECT_TRUE(search("maekawa --system majority:n=3").is_acyclic);
}

// protocols.md: every algorithm here needs channels that keep their order.
TEST(Explore, MaekawaBreaksWithoutFifo) {
  const Outcome outcome = search("maekawa --system majority:n=3 --unordered");
  EXPECT_EQ(outcome.verdict, Verdict::violated);
  EXPECT_EQ(outcome.property, Property::asserts);
  EXPECT_NE(outcome.reason.find("assertion"), std::string::npos);
}

TEST(Explore, StopsAtTheMemoryLimitWithoutAVerdict) {
  const auto space =
      std::make_unique<Space>(config_of("maekawa --system majority:n=3 --requests 2"));
  Options options;
  options.properties = {Property::safety};
  options.memory_limit = std::size_t{2} << 20U;
  const Outcome outcome = explore(*space, options);
  EXPECT_EQ(outcome.verdict, Verdict::unfinished);
  EXPECT_GT(outcome.states, 1000U);
  EXPECT_LE(outcome.bytes, options.memory_limit);
  EXPECT_NE(outcome.reason.find("memory"), std::string::npos);
}

TEST(Explore, StopsWhenItIsTold) {
  const auto space = std::make_unique<Space>(config_of("maekawa --system majority:n=3"));
  Options options;
  options.properties = {Property::safety};
  options.progress = [](const Progress& progress) { return progress.depth < 5; };
  const Outcome outcome = explore(*space, options);
  EXPECT_EQ(outcome.verdict, Verdict::unfinished);
  EXPECT_EQ(outcome.depth, 5U);
}

TEST(Explore, TellsAShortestTraceThatReplays) {
  const char* text = "maekawa@S1 --system k-majority:n=4,k=1 --requesters 3 --self immediate";
  const Outcome outcome = search(text);
  ASSERT_EQ(outcome.verdict, Verdict::violated);
  EXPECT_EQ(outcome.trace.size(), outcome.depth);
  const auto space = std::make_unique<Space>(config_of(text));
  std::vector<std::string> tokens;
  for (const Scene& scene : narrate(*space, outcome.trace)) tokens.push_back(scene.token);
  const auto again = find_trace(*space, tokens);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->size(), tokens.size());
  tokens[2] = "0 exit";
  EXPECT_FALSE(find_trace(*space, tokens).has_value());
}

}  // namespace
}  // namespace coterie::check
