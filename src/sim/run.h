// One run: a discrete-event simulation of one scenario from one seed.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/measures.h"
#include "sim/scenario.h"

namespace coterie::sim {

struct Run {
  std::uint64_t seed = 0;  // in a batch
  Measures measures;
  std::vector<TypeCount> by_type;
  std::vector<double> handled;  // messages handled by each node
  // What went wrong, in words, and when: the rule was broken, or nothing more could happen although some
  // still waited. Then the rest tells what was so far.
  std::optional<std::string> fault;
  double fault_time = 0;
  bool stopped = false;  // by `stop`
  // Of every event in order: what was handled, when, by whom. Equal digests are equal runs.
  std::uint64_t digest = 0;
  std::uint64_t events = 0;
};

Run simulate(const Scenario& scenario, std::uint64_t seed, const std::atomic<bool>* stop = nullptr);

}  // namespace coterie::sim
