// One process asks, nobody disturbs it, and every message takes one unit of time: messages and hops are what
// the formulas say, exactly.
#include <gtest/gtest.h>

#include "sim/run.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kRequests = 3;

Run alone(Scenario scenario) {
  make_alone(scenario, kRequests);
  Run run = simulate(scenario, 1);
  EXPECT_EQ(run.fault, std::nullopt) << scenario.choice.text();
  EXPECT_EQ(run.measures.entries, kRequests) << scenario.choice.text();
  return run;
}

double per_entry(const Run& run, std::string_view type) {
  for (const TypeCount& count : run.by_type) {
    if (count.name == type) return count.per_entry;
  }
  return 0;
}

// The process that asks is in its own quorum; what it says to itself is sent, but goes nowhere.
struct Quorum {
  double size;
  double others;
};
Quorum quorum_of(const Scenario& scenario) {
  const NodeSet quorum = scenario.setting.home(0, 0);
  return {static_cast<double>(quorum.size()),
          static_cast<double>(quorum.size() - (quorum.contains(0) ? 1 : 0))};
}

void expect(const Run& run, double messages, double remote, double hops, const std::string& what) {
  EXPECT_EQ(run.measures.messages_per_entry, messages) << what;
  EXPECT_EQ(run.measures.messages_per_entry_remote, remote) << what;
  EXPECT_EQ(run.measures.waiting_hops, hops) << what;
  EXPECT_EQ(run.measures.waiting_time, hops) << what;
}

TEST(Alone, WhoAsksAQuorumAsksIsAnsweredAndReleases) {
  struct Case {
    const char* protocol;
    const char* system;
  };
  for (const auto& [protocol, system] :
       {Case{"maekawa", "grid:rows=4,cols=4"}, Case{"maekawa", "plane:order=3"},
        Case{"surrogate", "grid:rows=5,cols=5"}, Case{"surrogate+entry", "majority:n=7"},
        Case{"surrogate+no-failed", "tree:n=7"}, Case{"surrogate+leave", "majority:n=5"},
        Case{"surrogate+direct", "majority:n=5"}, Case{"toyomura", "grid:rows=3,cols=4"},
        Case{"maekawa-m", "surficial:groups=3,degree=2"},
        Case{"joung", "surficial:groups=4,degree=1"}, Case{"k-mutex", "cohorts:k=2,sizes=2/3/3"},
        Case{"k-mutex", "torus:rows=4,cols=2,k=2"},
        Case{"surrogate-k", "torus:rows=4,cols=2,k=2"}}) {
    const Scenario scenario = scenario_of(protocol, system);
    const auto [q, others] = quorum_of(scenario);
    expect(alone(scenario), 3 * q, 3 * others, 2, std::string(protocol) + " " + system);
  }
}

TEST(Alone, MaekawaSGoesRoundItsQuorum) {
  const Scenario scenario = scenario_of("maekawa-s", "majority:n=7");
  const auto [q, others] = quorum_of(scenario);
  ASSERT_EQ(others, q - 1);
  // It begins at the asker itself, goes from each node to the next, and home; then q RELEASED.
  expect(alone(scenario), 2 * q + 1, 2 * others + 1, others + 1, "maekawa-s");
}

TEST(Alone, GroupKAsksItsQuorumThenWalksAWriteAndAReadQuorum) {
  struct Case {
    const char* system;
    double q, s;
  };
  // The two quorums of a walk meet in one node.
  for (const auto& [system, q, s] : {Case{"torus:rows=4,cols=2,k=2", 3, 3 + 3 - 1},
                                     Case{"grid-rw:rows=2,cols=3", 2, 2 + 3 - 1}}) {
    // The asker is in its quorum and in the walk.
    expect(alone(scenario_of("group-k", system)), 2 * q + 2 * s + 1, 2 * (q - 1) + 2 * (s - 1) + 1,
           s + 3 - 1, system);
    expect(alone(scenario_of("group-k+parallel", system)), 2 * q + 3 * s, 2 * (q - 1) + 3 * (s - 1),
           4, system);
  }
}

TEST(Alone, FloorsAndBandsCountAPairOfLeavingAndComingBack) {
  struct Case {
    const char* protocol;
    std::uint32_t l, k, inside;
    double per_member, hops;
  };
  for (const auto& [protocol, l, k, inside, per_member, hops] :
       {Case{"mutin", 8, 9, 9, 8, 6}, Case{"mutin-fused", 8, 9, 9, 4, 2},
        Case{"gcs", 4, 5, 5, 16, 6},
        Case{"gcs[mutin-fused;complement[mutin-fused]]", 4, 5, 5, 8, 2},
        Case{"complement[mutin]", 0, 1, 0, 8, 6}, Case{"complement[mutin-fused]", 0, 1, 0, 4, 2}}) {
    Scenario scenario = scenario_of(protocol, "grid:rows=3,cols=3");
    set_bounds(scenario, l, k, inside);
    const auto [q, others] = quorum_of(scenario);
    expect(alone(scenario), per_member * q, per_member * others, hops, protocol);
  }
}

TEST(Alone, RicartAndAgrawalaAskEverybodyElse) {
  expect(alone(scenario_of("ricart-agrawala", 7)), 12, 12, 2, "ricart-agrawala");
}

TEST(Alone, WhoHasTheTokenNeedsNoMessages) {
  expect(alone(scenario_of("suzuki-kasami", 7)), 0, 0, 0, "suzuki-kasami");
  expect(alone(scenario_of("raymond", 7)), 0, 0, 0, "raymond");
}

// All ask, one at a time: so seldom that none meets another.
Run seldom(std::string_view protocol, std::size_t processes) {
  Scenario scenario = scenario_of(protocol, processes);
  scenario.workload.apart = Distribution::exponential(1e6);
  scenario.workload.requests = 20;
  scenario.network.delay = Distribution::constant(1);
  return simulate(scenario, 1);
}

TEST(Alone, YardsticksWithAToken) {
  const auto central = seldom("central", 5);
  EXPECT_EQ(central.measures.messages_per_entry, 3);
  EXPECT_DOUBLE_EQ(central.measures.messages_per_entry_remote, 3 * 4 / 5.0);
  const auto suzuki = seldom("suzuki-kasami", 5);
  EXPECT_GT(per_entry(suzuki, "PRIVILEGE"), 0);
  EXPECT_EQ(suzuki.measures.messages_per_entry, 5 * per_entry(suzuki, "PRIVILEGE"));
  const auto raymond = seldom("raymond", 7);
  EXPECT_GT(per_entry(raymond, "REQUEST"), 0);
  EXPECT_EQ(raymond.measures.messages_per_entry, 2 * per_entry(raymond, "REQUEST"));
}

}  // namespace
}  // namespace coterie::sim
