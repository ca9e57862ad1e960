#include "sim/batch.h"

#include <algorithm>
#include <mutex>
#include <thread>

namespace coterie::sim {
namespace {

// Hands out the runs in order and takes their results. What is answered does not depend on who ran what: a run
// after one with a fault may have been made or not, and is left out.
class Work {
 public:
  Work(const Batch& batch, const Tell& tell, const std::atomic<bool>& stop)
      : batch_(batch), tell_(tell), stop_(stop), runs_(batch.scenarios.size()) {
    for (auto& of_scenario : runs_) of_scenario.resize(batch.seeds);
    first_fault_ = std::vector<std::atomic<std::uint64_t>>(batch.scenarios.size());
    for (auto& first : first_fault_) first = batch.seeds;
  }

  void run_until_done() {
    while (!stop_.load(std::memory_order_relaxed)) {
      const std::size_t number = next_.fetch_add(1);
      if (number >= total()) return;
      const std::size_t scenario = number / batch_.seeds;
      const std::uint64_t seed = number % batch_.seeds;
      if (seed < first_fault_[scenario].load()) run(scenario, seed);
      const std::scoped_lock lock(telling_);
      ++done_;
      if (tell_) tell_(done_, total());
    }
  }

  std::vector<Outcome> take() {
    std::vector<Outcome> outcomes(runs_.size());
    for (std::size_t scenario = 0; scenario < runs_.size(); ++scenario) {
      for (std::optional<Run>& run : runs_[scenario]) {
        if (!run) continue;
        outcomes[scenario].runs.push_back(*std::move(run));
        if (outcomes[scenario].runs.back().fault) break;
      }
    }
    return outcomes;
  }

 private:
  std::size_t total() const { return batch_.scenarios.size() * batch_.seeds; }

  void run(std::size_t scenario, std::uint64_t seed) {
    Run run = simulate(batch_.scenarios[scenario], batch_.first_seed + seed, &stop_);
    run.seed = batch_.first_seed + seed;
    if (run.stopped) return;
    if (run.fault) {
      std::uint64_t first = first_fault_[scenario].load();
      while (seed < first && !first_fault_[scenario].compare_exchange_weak(first, seed)) {
      }
    }
    runs_[scenario][seed] = std::move(run);
  }

  const Batch& batch_;
  const Tell& tell_;
  const std::atomic<bool>& stop_;
  std::vector<std::vector<std::optional<Run>>> runs_;
  std::vector<std::atomic<std::uint64_t>> first_fault_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex telling_;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<Outcome> run_batch(const Batch& batch, const Tell& tell,
                               const std::atomic<bool>& stop) {
  Work work(batch, tell, stop);
  {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < batch.threads; ++i) {
      helpers.emplace_back([&work] { work.run_until_done(); });
    }
    work.run_until_done();
  }
  return work.take();
}

std::vector<double> Outcome::values(double Measures::*field) const {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const Run& run : runs) values.push_back(run.measures.*field);
  return values;
}

Mean Outcome::of(double Measures::*field) const {
  double Measures::*const weight = weight_of(field);
  return weight == nullptr ? mean_of(values(field))
                           : weighted_mean_of(values(field), values(weight));
}

std::vector<TypeCount> Outcome::by_type() const {
  std::vector<TypeCount> sums;
  for (const Run& run : runs) {
    for (const TypeCount& count : run.by_type) {
      const auto place = std::find_if(sums.begin(), sums.end(),
                                      [&](const TypeCount& sum) { return sum.name == count.name; });
      if (place == sums.end()) {
        sums.push_back(count);
      } else {
        place->per_entry += count.per_entry;
      }
    }
  }
  for (TypeCount& sum : sums) sum.per_entry /= static_cast<double>(runs.size());
  return sums;
}

}  // namespace coterie::sim
