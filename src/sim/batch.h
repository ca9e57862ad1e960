// Many scenarios, many seeds, all cores: the same answer whatever the number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/run.h"

namespace coterie::sim {

struct Batch {
  std::vector<Scenario> scenarios;
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 10;
  unsigned threads = 1;
};

// The runs of one scenario, in the order of their seeds. Seeds are shared between scenarios, so that
// those that differ in the algorithm only can be compared in pairs.
struct Outcome {
  std::vector<Run> runs;  // only those that are finished

  Mean of(double Measures::*field) const;
  std::vector<double> values(double Measures::*field) const;
  std::vector<TypeCount> by_type() const;  // means
};

// Called by one thread at a time after every run: how many of how many are done.
using Tell = std::function<void(std::size_t done, std::size_t total)>;

// One outcome for each scenario. When `stop` becomes true what is finished is answered.
// A fault in a run ends only that scenario: its outcome has the run with the fault as the last.
std::vector<Outcome> run_batch(const Batch& batch, const Tell& tell, const std::atomic<bool>& stop);

}  // namespace coterie::sim
