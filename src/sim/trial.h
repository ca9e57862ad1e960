// What the experiments share: scenarios by the names of things, many of them run at once, and what they
// tell as rows, dots and verdicts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coterie/quorum.h"
#include "sim/batch.h"
#include "sim/experiment.h"
#include "sim/measures.h"
#include "sim/scenario.h"

namespace coterie::sim {

// An algorithm of the catalogue over a quorum system, both as a user writes them; what is not said is as
// in scenario.h, and k is the system's. REQUIRES: they exist and fit.
Scenario scenario_of(std::string_view protocol, std::string_view system);
Scenario scenario_of(std::string_view protocol, const quorum::System& system);
// An algorithm that needs no system.
Scenario scenario_of(std::string_view protocol, std::size_t processes);
// At least l and at most k inside; the first `inside` are at the start.
void set_bounds(Scenario& scenario, std::size_t l, std::size_t k, std::size_t inside);
// One process asks, nobody disturbs it, and every message takes one unit: what formulas are about.
void make_alone(Scenario& scenario, std::uint64_t requests);

quorum::System system_of(std::string_view spec);

template <class T>
T by_effort(const Effort& effort, T tiny, T quick, T full) {
  return effort.tiny ? tiny : effort.quick ? quick : full;
}

using Field = double Measures::*;

// Scenarios that are run together, from the same seeds. Each has a key: the cells that say which it is.
class Trials {
 public:
  Trials(const Effort& effort, std::uint64_t seeds)
      : batch_{.scenarios = {},
               .first_seed = effort.seed,
               .seeds = seeds,
               .threads = effort.threads} {}

  std::size_t add(Scenario scenario, std::vector<Cell> key);  // answers its number
  void run(const Progressed& progressed, const std::atomic<bool>& stop);

  // All runs are finished: what is computed from them may be said.
  bool is_complete() const { return complete_; }
  // This one's are, and none of them went wrong.
  bool is_good(std::size_t trial) const;
  std::size_t size() const { return keys_.size(); }
  // Those that are finished.
  std::span<const Run> runs(std::size_t trial) const {
    return trial < outcomes_.size() ? std::span<const Run>(outcomes_[trial].runs)
                                    : std::span<const Run>();
  }
  const Scenario& scenario(std::size_t trial) const { return batch_.scenarios[trial]; }

  // REQUIRES of what asks for figures: is_good of the trials.
  Mean of(std::size_t trial, Field field) const { return outcomes_[trial].of(field); }
  Mean ratio(std::size_t trial, std::size_t to, Field field) const;
  std::vector<double> values(std::size_t trial, Field field) const {  // one per seed
    return outcomes_[trial].values(field);
  }
  double per_entry(std::size_t trial, std::string_view message_type) const;

  // Every metric of every trial that is good, one row each; `keys` names the cells of the key.
  Sheet sheet(std::string name, std::string title, std::vector<std::string> keys) const;

 private:
  Batch batch_;
  std::vector<std::vector<Cell>> keys_;
  std::vector<Outcome> outcomes_;
  bool complete_ = false;
};

// Says in the report whether all is finished, and whether every run kept its rule and served every request.
// Answers whether more may be concluded: only then there are figures for everything.
bool conclude(Report& report, std::initializer_list<const Trials*> parts);

// A part of an experiment's progress, from `begin` to `end`.
Progressed part_of(const Progressed& progressed, double begin, double end);

Dot dot(double x, const Mean& mean);
// A dot for each x and trial; those that are not good are left out.
struct At {
  double x;
  std::size_t trial;
};
Line line_of(std::string_view title, const Trials& trials, Field field, std::span<const At> places);
Ruling ruling(bool holds);
std::string text_of(const Mean& mean);          // 0.62 ± 0.01
std::string percent(double share);              // 38 %
std::string percent_change(double ratio);       // 38 % less
bool is_below(const Mean& mean, double value);  // the whole interval is
bool is_above(const Mean& mean, double value);

// The e of the y = c x^e that is nearest, by least squares of the logarithms.
double growth(std::span<const std::pair<double, double>> points);

// Spearman's: 1 if the values grow from the first to the last, -1 if they fall. REQUIRES: two or more.
double rank_correlation(std::span<const double> values);

}  // namespace coterie::sim
