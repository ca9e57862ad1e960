// Who asks for what and when, and what fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/requests.h"
#include "sim/run.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(Requests, ZipfSharesFallWithTheRank) {
  Workload workload;
  workload.groups = 4;
  workload.zipf = 1;
  Requests requests(workload, 1, 1);
  std::vector<double> count(4);
  constexpr int kDraws = 50'000;
  for (int i = 0; i < kDraws; ++i) ++count[requests.draw(0).places.front()];
  const double harmonic = 1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    EXPECT_NEAR(count[rank] / kDraws, 1 / (static_cast<double>(rank + 1) * harmonic), 0.01);
  }
}

TEST(Requests, SeveralGroupsAreDifferentOnes) {
  Workload workload;
  workload.groups = 5;
  workload.groups_per_request = 3;
  workload.zipf = 1;
  Requests requests(workload, 1, 1);
  for (int i = 0; i < 100; ++i) {
    const auto next = requests.draw(0);
    EXPECT_EQ(requests.groups(0, next, 0).size(), 3U);
  }
}

TEST(Requests, TheOldestGroupGoesAndANewOneComes) {
  Workload workload;
  workload.groups = 3;
  workload.turnover = 10;
  const Requests requests(workload, 1, 1);
  const auto present = [&](double now) {
    protocol::Groups groups;
    for (const std::uint32_t place : {0U, 1U, 2U}) {
      groups.insert(requests.groups(0, {0, 0, {place}}, now).front());
    }
    return groups;
  };
  EXPECT_EQ(present(9), (protocol::Groups{0, 1, 2}));
  EXPECT_EQ(present(10), (protocol::Groups{1, 2, 3}));
  EXPECT_EQ(present(75), (protocol::Groups{7, 8, 9}));
}

TEST(Workload, OpenArrivalsKeepTheirRate) {
  Scenario scenario = scenario_of("maekawa", "majority:n=5");
  scenario.workload.arrivals = Arrivals::open;
  scenario.workload.apart = Distribution::exponential(100);
  scenario.workload.requests = 400;
  scenario.network.delay = Distribution::exponential(1);
  // Five processes, a request every 100 each.
  EXPECT_NEAR(simulate(scenario, 1).measures.throughput, 0.05, 0.006);
}

TEST(Workload, RequestsThatComeTooFastQueueUp) {
  Scenario scenario = scenario_of("maekawa", "majority:n=3");
  scenario.workload.arrivals = Arrivals::open;
  scenario.workload.apart = Distribution::constant(1);
  scenario.workload.inside = Distribution::constant(10);
  scenario.workload.requests = 20;
  const auto run = simulate(scenario, 1);
  EXPECT_EQ(run.measures.entries, 60);
  EXPECT_GT(run.measures.waiting_time_max, 60 * 10 - 20);  // the last waits for all others
}

TEST(Workload, TurnoverAndSeveralGroupsRunToTheEnd) {
  Scenario scenario = scenario_of("surrogate+entry+multi", "grid:rows=3,cols=3");
  scenario.workload.groups = 4;
  scenario.workload.groups_per_request = 2;
  scenario.workload.turnover = 50;
  scenario.workload.requests = 30;
  const auto run = simulate(scenario, 1);
  EXPECT_EQ(run.fault, std::nullopt);
  EXPECT_EQ(run.measures.entries, 270);
}

// The rule is judged at every step, so that a run without a fault was never below l.
TEST(Workload, FloorsHoldAsTheFleetTakesTurns) {
  Scenario scenario = scenario_of("mutin-fused", "grid:rows=3,cols=3");
  set_bounds(scenario, 7, 9, 9);
  scenario.workload.requests = 20;
  const auto run = simulate(scenario, 1);
  EXPECT_EQ(run.fault, std::nullopt);
  EXPECT_EQ(run.measures.entries, 180);
  EXPECT_GE(run.measures.concurrency, 7);
  EXPECT_LT(run.measures.concurrency, 9);
}

TEST(Workload, WhoStartsOutsideOfABandComesIn) {
  Scenario scenario = scenario_of("gcs", "majority:n=5");
  set_bounds(scenario, 2, 4, 3);
  scenario.workload.requests = 10;
  const auto run = simulate(scenario, 1);
  EXPECT_EQ(run.fault, std::nullopt);
  EXPECT_EQ(run.measures.entries, 49);  // in the end all want to be inside, and one too many is not
  EXPECT_LE(run.measures.concurrency_max, 4);
}

TEST(Faults, QuorumsAreChosenAroundThoseThatAreDown) {
  Scenario scenario = scenario_of("k-mutex", "cohorts:k=2,sizes=2/3/3");
  scenario.workload.requests = 20;
  scenario.faults.down = NodeSet::of(8, {2, 5});
  const auto as_arbiters = simulate(scenario, 1);
  EXPECT_EQ(as_arbiters.fault, std::nullopt);
  EXPECT_EQ(as_arbiters.measures.entries, 160);
  scenario.faults.requesters_fail = true;
  const auto altogether = simulate(scenario, 1);
  EXPECT_EQ(altogether.fault, std::nullopt);
  EXPECT_EQ(altogether.measures.entries, 120);
  EXPECT_EQ(altogether.handled[5], 0);
}

TEST(Faults, WhoHasNoQuorumLeftWaitsInVain) {
  Scenario scenario = scenario_of("k-mutex", "cohorts:k=1,sizes=1/2");
  scenario.workload.requests = 1;
  scenario.workload.requesters = 1;
  scenario.faults.down = NodeSet::of(3, {1, 2, 0});
  EXPECT_THAT(simulate(scenario, 1).fault, Optional(HasSubstr("p0 can wait for ever")));
}

TEST(Faults, WhatIsSentToOneThatIsDownWaits) {
  Scenario scenario = scenario_of("maekawa", "majority:n=5");
  scenario.workload.requests = 30;
  const double without = simulate(scenario, 1).measures.waiting_time;
  scenario.faults.up_for = Distribution::exponential(100);
  scenario.faults.down_for = Distribution::exponential(50);
  for (const bool requesters_fail : {false, true}) {
    scenario.faults.requesters_fail = requesters_fail;
    const auto run = simulate(scenario, 1);
    EXPECT_EQ(run.fault, std::nullopt);
    EXPECT_EQ(run.measures.entries, 150);
    EXPECT_GT(run.measures.waiting_time, without);
  }
}

TEST(Faults, WhoChoosesGoesOnWhileNodesFailAndReturn) {
  Scenario scenario = scenario_of("k-mutex", "k-majority:n=9,k=2");
  scenario.workload.requests = 20;
  scenario.faults.up_for = Distribution::exponential(200);
  scenario.faults.down_for = Distribution::exponential(100);
  const auto run = simulate(scenario, 1);
  EXPECT_EQ(run.fault, std::nullopt);
  EXPECT_EQ(run.measures.entries, 180);
}

}  // namespace
}  // namespace coterie::sim
