// Runs as a whole: what a seed means, what breaks a rule, what is measured.
#include "sim/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/batch.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

Scenario busy(std::string_view protocol, std::string_view system, std::uint32_t groups = 3) {
  Scenario scenario = scenario_of(protocol, system);
  scenario.workload.requests = 20;
  scenario.workload.groups = groups;
  return scenario;
}

std::vector<std::uint64_t> digests(const std::vector<Outcome>& outcomes) {
  std::vector<std::uint64_t> all;
  for (const Outcome& outcome : outcomes) {
    for (const Run& run : outcome.runs) all.push_back(run.digest);
  }
  return all;
}

TEST(Run, ASeedIsARun) {
  const Scenario scenario = busy("surrogate+entry", "grid:rows=3,cols=3");
  const auto run = simulate(scenario, 1);
  EXPECT_EQ(run.fault, std::nullopt);
  EXPECT_EQ(run.measures.entries, 180);
  EXPECT_EQ(simulate(scenario, 1).digest, run.digest);
  EXPECT_EQ(simulate(scenario, 1).measures, run.measures);
  EXPECT_NE(simulate(scenario, 2).digest, run.digest);
}

// What these runs do is pinned: the same today and after a change that must not change anything.
TEST(Run, Golden) {
  EXPECT_EQ(simulate(busy("surrogate", "grid:rows=5,cols=5"), 1).digest, 16591625275612615567ULL);
  EXPECT_EQ(simulate(busy("k-mutex", "cohorts:k=2,sizes=2/3/3", 1), 1).digest,
            9520587031408921950ULL);
  Scenario floor = busy("mutin", "majority:n=5", 1);
  set_bounds(floor, 3, 5, 5);
  EXPECT_EQ(simulate(floor, 1).digest, 12346119858696248288ULL);
}

TEST(Run, ThreadsDoNotMatter) {
  Batch batch;
  for (const char* protocol : {"surrogate", "maekawa", "surrogate@E5"}) {
    batch.scenarios.push_back(busy(protocol, "grid:rows=3,cols=3"));
  }
  batch.seeds = 5;
  const std::atomic<bool> stop = false;
  const auto alone = run_batch(batch, {}, stop);
  batch.threads = 3;
  EXPECT_EQ(digests(run_batch(batch, {}, stop)), digests(alone));
  EXPECT_EQ(alone[0].runs.size(), 5U);
}

TEST(Run, WhatIsStoppedAnswersWhatIsFinished) {
  Batch batch;
  batch.scenarios.push_back(busy("maekawa", "majority:n=3", 1));
  batch.seeds = 5;
  std::atomic<bool> stop = false;
  const auto outcomes = run_batch(
      batch, [&](std::size_t done, std::size_t) { stop = done >= 2; }, stop);
  EXPECT_EQ(outcomes[0].runs.size(), 2U);
}

// A broken rule and an end in which somebody waits are found, and said as the specification says them.
TEST(Run, MutantsAreCaught) {
  const auto fault_of = [](const char* protocol, const char* system, std::uint32_t groups) {
    for (std::uint64_t seed = 1; seed < 200; ++seed) {
      if (auto fault = simulate(busy(protocol, system, groups), seed).fault) return fault;
    }
    return std::optional<std::string>();
  };
  EXPECT_THAT(fault_of("maekawa@S1", "majority:n=5", 1), Optional(HasSubstr("can wait for ever")));
  EXPECT_THAT(fault_of("group-k@C2", "torus:rows=4,cols=2,k=2", 4),
              Optional(HasSubstr("are inside for 3 groups, at most 2 may be")));
}

TEST(Run, EveryAlgorithmServesAWholeWorkload) {
  for (const protocol::Entry& entry : protocol::catalogue()) {
    const bool is_rooms = entry.problem == protocol::Problem::rooms;
    const bool has_k = is_rooms || entry.name == "k-mutex";
    Scenario scenario = !entry.needs_system ? scenario_of(entry.name, 6)
                        : has_k             ? scenario_of(entry.name, "torus:rows=4,cols=2,k=2")
                        : entry.name == "joung" || entry.name == "maekawa-m"
                            ? scenario_of(entry.name, "surficial:groups=3,degree=2")
                            : scenario_of(entry.name, "grid:rows=3,cols=3");
    if (entry.problem == protocol::Problem::floor) set_bounds(scenario, 7, 9, 9);
    if (entry.problem == protocol::Problem::band) set_bounds(scenario, 4, 6, 5);
    if (entry.name == "complement") set_bounds(scenario, 0, 4, 0);
    scenario.workload.requests = 10;
    scenario.workload.groups = 3;
    const auto run = simulate(scenario, 1);
    EXPECT_EQ(run.fault, std::nullopt) << entry.name;
    // In the end of a band not all can be inside.
    const std::size_t left_out = entry.problem == protocol::Problem::band ? 9 - 6 : 0;
    EXPECT_EQ(run.measures.entries, 10 * scenario.setting.processes - left_out) << entry.name;
  }
}

TEST(Run, TwoAlgorithmsAreAskedTheSame) {
  // Open arrivals do not depend on what the algorithm does: the last one comes at the same time.
  const auto last = [](const char* protocol) {
    Scenario scenario = busy(protocol, "majority:n=5", 1);
    scenario.workload.arrivals = Arrivals::open;
    scenario.workload.apart = Distribution::exponential(1000);
    scenario.workload.inside = Distribution::constant(0);
    scenario.network.delay = Distribution::constant(0);
    return simulate(scenario, 1).measures.time;
  };
  EXPECT_EQ(last("maekawa"), last("surrogate"));
}

TEST(Run, WhoIsInsideIsCountedWhileAnybodyIs) {
  Scenario scenario = scenario_of("surrogate+entry", "majority:n=3");
  scenario.workload.demands.assign(3, {0});
  scenario.workload.arrivals = Arrivals::bursts;
  scenario.workload.apart = Distribution::constant(100);
  scenario.workload.inside = Distribution::constant(50);
  scenario.workload.requests = 10;
  scenario.network.delay = Distribution::constant(1);
  const Measures measures = simulate(scenario, 1).measures;
  EXPECT_EQ(measures.concurrency_max, 3);
  EXPECT_GT(measures.concurrency, 2.5);
  EXPECT_EQ(measures.context_switches, 0);
}

TEST(Run, AMutexUnderLoadSynchronizesInTwoHops) {
  Scenario scenario = busy("maekawa", "majority:n=5", 1);
  scenario.workload.apart = Distribution::constant(0);
  scenario.workload.inside = Distribution::constant(50);
  scenario.network.delay = Distribution::constant(1);
  const Measures measures = simulate(scenario, 1).measures;
  EXPECT_NEAR(measures.sync_delay, 2, 0.2);  // less where the next one is its own arbiter
  EXPECT_EQ(measures.sync_delay, measures.sync_hops);
  EXPECT_EQ(measures.concurrency, 1);
}

TEST(Run, AWarmUpIsNotMeasured) {
  Scenario scenario = busy("maekawa", "majority:n=3", 1);
  scenario.workload.warm_up = 30;
  const Measures measures = simulate(scenario, 1).measures;
  EXPECT_EQ(measures.entries, 60);
  EXPECT_GE(measures.messages_per_entry, 6);
  scenario.workload.warm_up = 0;
  EXPECT_LT(measures.time, simulate(scenario, 1).measures.time);
}

TEST(Run, BitsCountTheRequestsThatMessagesName) {
  Scenario scenario = scenario_of("maekawa", "grid:rows=4,cols=4");
  make_alone(scenario, 3);
  scenario.workload.groups = 8;
  // 16 processes, a time, 8 groups: one request in each of the 3 (q-1) messages.
  EXPECT_EQ(simulate(scenario, 1).measures.bits_per_entry, (4 + 32 + 3) * 18);
}

TEST(Run, ProcessesOfOneMachineTalkForNothing) {
  Scenario scenario = scenario_of("maekawa", "majority:n=3");
  make_alone(scenario, 3);
  scenario.network.host_of = {0, 0, 0};
  const Measures measures = simulate(scenario, 1).measures;
  EXPECT_EQ(measures.messages_per_entry, 6);
  EXPECT_EQ(measures.messages_per_entry_remote, 0);
  EXPECT_EQ(measures.waiting_time, 0);
}

TEST(Run, SitesHaveTheirDistances) {
  Scenario scenario = scenario_of("central", 3);  // the first is the coordinator
  scenario.workload.requests = 10;
  scenario.workload.apart = Distribution::exponential(1e6);
  scenario.network.delay = Distribution::constant(1);
  scenario.network.sites = Sites{{0, 1, 1}, {{1, 40}, {50, 1}}};
  // There in 50, back in 40; for the first, at once.
  EXPECT_DOUBLE_EQ(simulate(scenario, 1).measures.waiting_time, 60);
}

TEST(Run, WithoutOrderMessagesOvertake) {
  Scenario scenario = busy("maekawa", "majority:n=5", 1);
  const std::uint64_t digest = simulate(scenario, 1).digest;
  scenario.network.fifo = false;
  scenario.workload.requests =
      1;  // few meet, so that no assertion of an algorithm that needs order fails
  scenario.workload.apart = Distribution::exponential(1e6);
  EXPECT_NE(simulate(scenario, 1).digest, digest);
}

}  // namespace
}  // namespace coterie::sim
