// Histories of a lock that is right, with calls that overlap, die and are answered late: to try the judge on.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "history/history.h"

namespace coterie::history {

struct Sampled {
  Kind kind = Kind::mutex;
  std::uint32_t limit = 1;
  std::size_t clients = 4;
  std::size_t owners = 3;
  std::size_t calls = 40;
  double dying = 0.0;    // the share of calls that never have a definite answer
  bool changes = false;  // of the limit
  std::uint64_t seed = 1;
};

std::vector<Call> sample(const Sampled& sampled);

// One of each kind.
std::vector<Sampled> sampled_kinds();

}  // namespace coterie::history
