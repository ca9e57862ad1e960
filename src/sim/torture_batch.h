// Many runs of torture on all cores: the same answer whatever the number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "sim/torture_run.h"

namespace coterie::sim::torture {

struct Batch {
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 100;
  unsigned threads = 1;
  Mode mode;
};

// Of all runs up to the first violation.
struct Findings {
  std::uint64_t runs = 0;
  std::uint64_t events = 0;
  double simulated = 0;    // seconds
  double member_time = 0;  // seconds, times the members of each
  std::uint64_t entries = 0;
  std::array<std::uint64_t, kVarieties> entries_of{};
  std::uint64_t lastings = 0;
  std::uint64_t changes = 0;
  std::uint64_t resumed = 0;
  std::uint64_t moved = 0;
  FaultCounts faults;
  member::Tally tally;
  std::array<std::uint64_t, static_cast<std::size_t>(Promise::kCount)> losses{};
  std::uint64_t runs_with_losses = 0;
  std::uint64_t watched = 0;
  // Of the run that came nearest to its bound.
  struct Wait {
    std::uint64_t seed = 0;
    double seconds = 0;
    double bound = 0;
  };
  Wait worst_wait;
  std::uint64_t digest = 0;
  std::optional<Run> failed;  // the run with the violation

  void add(Run run);
};

// Called by one thread at a time after every run: shall there be more?
using GoOn = std::function<bool(const Findings& so_far)>;

// Stops at the first violation; when it is not to go on; and at once when `stop` becomes true. Then the runs
// from the first seed on that are finished are answered.
Findings run_batch(const Batch& batch, const GoOn& go_on, const std::atomic<bool>& stop);

}  // namespace coterie::sim::torture
