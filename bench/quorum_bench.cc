// How fast quorum systems answer, and how that grows from 10 members to 10,000. Each time stands beside
// a floor measured in the same run: the cost of reading the bit set once (counting its members). The
// column "reads" is the ratio: noise of the machine is in both.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "coterie/analysis.h"
#include "coterie/spec.h"
#include "quorum/cohorts.h"
#include "sim/cohorts_experiment.h"

namespace coterie {
namespace {

using Clock = std::chrono::steady_clock;

// Nanoseconds of one call: the best of a few rounds.
template <class Function>
double nanoseconds(Function function) {
  constexpr int kRounds = 5;
  constexpr int kCalls = 2000;
  double best = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    for (int call = 0; call < kCalls; ++call) function();
    const double elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    best = std::min(best, elapsed / kCalls);
  }
  return best;
}

// Sets that an answer depends on differently: everyone; a random nine tenths; and nearly everyone, but
// with holes so spread that there is no quorum, which is the longest way to a no.
std::vector<NodeSet> sets_for(const quorum::Family& family) {
  const NodeSet everyone = NodeSet::all(family.n());
  NodeSet random_set(family.n());
  Random random(1);
  for (NodeId member = 0; member < family.n(); ++member) {
    if (random.chance(0.9)) random_set.insert(member);
  }
  NodeSet blocked = everyone;
  while (family.contains_quorum(blocked)) {
    const NodeSet quorum = *family.find_quorum(blocked);
    blocked.erase(*quorum.begin());
  }
  return {everyone, random_set, blocked};
}

void contains_quorum(benchmark::State& state, const std::string& spec) {
  const quorum::System system = *quorum::parse(spec);
  const quorum::Family& family = system.write();
  double slowest = 0;
  double read = 0;
  const std::vector<NodeSet> sets = sets_for(family);
  for (const NodeSet& set : sets) {
    read = std::max(read, nanoseconds([&] { benchmark::DoNotOptimize(set.size()); }));
    slowest = std::max(slowest,
                       nanoseconds([&] { benchmark::DoNotOptimize(family.contains_quorum(set)); }));
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(family.contains_quorum(sets[next]));
    next = (next + 1) % sets.size();
  }
  state.counters["n"] = static_cast<double>(family.n());
  state.counters["worst_ns"] = slowest;
  state.counters["read_ns"] = read;
  state.counters["reads"] = slowest / read;
}

void find_quorum(benchmark::State& state, const std::string& spec) {
  const quorum::System system = *quorum::parse(spec);
  const std::vector<NodeSet> sets = sets_for(system.write());
  const double read = nanoseconds([&] { benchmark::DoNotOptimize(sets[1].size()); });
  const auto start = Clock::now();
  for (auto _ : state) benchmark::DoNotOptimize(system.write().find_quorum(sets[1]));
  const double elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  state.counters["n"] = static_cast<double>(system.n());
  state.counters["reads"] = elapsed / static_cast<double>(state.iterations()) / read;
}

void figure_2(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(sim::figure_2(201));
}

void load(benchmark::State& state, const std::string& spec) {
  const quorum::System system = *quorum::parse(spec);
  for (auto _ : state) {
    Budget budget(1'000'000'000);
    const auto found = quorum::optimal_load(system.write(), budget);
    if (!found) state.SkipWithError("not decided");
    benchmark::DoNotOptimize(found);
  }
}

void availability(benchmark::State& state, const std::string& spec) {
  const quorum::System system = *quorum::parse(spec);
  const std::vector<double> up(system.n(), 0.9);
  const quorum::Effort effort{.samples = 1000};
  bool exact = true;
  for (auto _ : state) {
    for (const auto& estimate : quorum::availability(system.write(), up, effort)) {
      exact = exact && estimate.method != quorum::Method::sampling;
    }
  }
  state.counters["exact"] = exact ? 1 : 0;
}

std::string number(std::size_t value) { return std::to_string(value); }

// About n members in each shape.
std::vector<std::string> specs_of(std::size_t n) {
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(n))));
  auto rows = static_cast<std::size_t>(std::lround(std::sqrt(3.0 * static_cast<double>(n))));
  rows += rows == 3 ? 1 : 0;
  return {
      "majority:n=" + number(n), "grid:rows=" + number(side) + ",cols=" + number(side),
      "torus:rows=" + number(rows) + ",cols=" + number(std::max<std::size_t>(n / rows, 2)) + ",k=2",
      "cohorts:k=2,sizes=2/3x" + number((n - 2) / 3)};
}

void register_all() {
  for (const std::size_t n :
       {std::size_t{10}, std::size_t{100}, std::size_t{1000}, std::size_t{10'000}}) {
    for (const std::string& spec : specs_of(n)) {
      benchmark::RegisterBenchmark(("contains/" + spec).c_str(), contains_quorum, spec);
    }
  }
  for (const std::string& spec : specs_of(10'000)) {
    benchmark::RegisterBenchmark(("find/" + spec).c_str(), find_quorum, spec);
  }
  benchmark::RegisterBenchmark("figure2", figure_2)->Unit(benchmark::kMillisecond);
  for (const std::string spec : {"majority:n=99", "tree:n=127", "cohorts:k=2,sizes=2/3x17",
                                 "wall:n=200", "plane:order=7", "torus:rows=24,cols=8,k=2"}) {
    benchmark::RegisterBenchmark(("load/" + spec).c_str(), load, spec)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("availability/" + spec).c_str(), availability, spec)
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace coterie

int main(int argc, char** argv) {
  coterie::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
