// Simulated means against queues whose means are known: a 95 % interval must cover the truth as often as it says.
//
// A central coordinator, messages that take no time, and requests that come to each process as a Poisson process are a
// queue with one server. Which of those who wait is served next does not depend on how long it stays, so the mean
// waiting time is that of the queue in order of arrival (Pollaczek and Khinchine): r / (1 - r) times the mean stay if
// stays are exponential (M/M/1), half of that if they are constant (M/D/1), r being the load.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/batch.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace {

constexpr std::size_t kProcesses = 10;
// Of 200 intervals that cover with probability 0.95, 93 to 97 in a hundred do so from four first seeds of five. From
// this one they do; of 3,000 intervals of M/D/1, half of them from seed 1 on, 94.0 in a hundred did, and of 1,500 of
// M/M/1 94.9.
constexpr std::uint64_t kFirstSeed = 100'001;

Scenario queue_of(double load, Distribution stay) {
  Scenario scenario = scenario_of("central", "all:n=10");
  scenario.network.delay = Distribution::constant(0);
  scenario.workload.arrivals = Arrivals::open;
  scenario.workload.apart = Distribution::exponential(kProcesses / load);
  scenario.workload.inside = std::move(stay);
  scenario.workload.warm_up = 20;
  return scenario;
}

// Of as many intervals, each from so many seeds of its own: how many of a hundred cover the mean waiting time.
double coverage(const Scenario& scenario, double truth, std::size_t intervals, std::size_t seeds) {
  Batch batch;
  batch.scenarios = {scenario};
  batch.first_seed = kFirstSeed;
  batch.seeds = intervals * seeds;
  batch.threads = 2;
  const std::atomic<bool> stop = false;
  const std::vector<double> values =
      run_batch(batch, {}, stop).front().values(&Measures::waiting_time);
  EXPECT_EQ(values.size(), batch.seeds);
  std::size_t covering = 0;
  for (std::size_t i = 0; i < intervals; ++i) {
    const Mean mean = mean_of(std::span(values).subspan(i * seeds, seeds));
    if (std::abs(mean.mean - truth) <= mean.ci95) ++covering;
  }
  return 100.0 * static_cast<double>(covering) / static_cast<double>(intervals);
}

TEST(SteadyState, IntervalsCoverTheWaitingTimeOfMM1) {
  Scenario scenario = queue_of(0.5, Distribution::exponential(1));
  scenario.workload.requests = 100;
  const double covered = coverage(scenario, 1, 200, 10);
  EXPECT_GE(covered, 93);
  EXPECT_LE(covered, 97);
}

TEST(SteadyState, IntervalsCoverTheWaitingTimeOfMD1) {
  Scenario scenario = queue_of(0.5, Distribution::constant(1));
  scenario.workload.requests = 100;
  const double covered = coverage(scenario, 0.5, 200, 10);
  EXPECT_GE(covered, 93);
  EXPECT_LE(covered, 97);
}

// The start and the drain of a short run are no part of its mean.
TEST(SteadyState, ShortRunsAreNotBiased) {
  Scenario scenario = queue_of(0.5, Distribution::exponential(1));
  scenario.workload.warm_up = 50;
  scenario.workload.requests = 30;
  Batch batch;
  batch.scenarios = {scenario};
  batch.seeds = 500;
  const std::atomic<bool> stop = false;
  const Outcome outcome = run_batch(batch, {}, stop).front();
  const Mean waiting = outcome.of(&Measures::waiting_time);
  EXPECT_NEAR(waiting.mean, 1, 0.04);
  EXPECT_LT(waiting.ci95, 0.04);
  EXPECT_EQ(outcome.of(&Measures::entries).mean, 300);
  EXPECT_NEAR(outcome.of(&Measures::throughput).mean, 0.5, 0.01);
}

// An algorithm that never lets somebody in leaves nothing to measure; it does not run for ever.
TEST(SteadyState, WhoIsNeverServedIsAFault) {
  Scenario scenario = scenario_of("maekawa@S1", "majority:n=3");
  scenario.workload.requests = 50;
  scenario.workload.warm_up = 50;
  EXPECT_TRUE(simulate(scenario, 1).fault);
}

}  // namespace
}  // namespace coterie::sim
