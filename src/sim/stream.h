// A random source for each purpose, so that what is drawn for one does not depend on the others: two algorithms
// under one seed see the same requests.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace coterie::sim {

enum class Purpose : std::uint64_t { requests, bursts, delays, alarms, outages, preferences };

inline Random stream(std::uint64_t seed, Purpose purpose, std::uint64_t index = 0) {
  // Any odd number other than that of SplitMix64, whose steps would make streams overlap.
  constexpr std::uint64_t kSpread = 0xd1342543de82ef95ULL;
  const std::uint64_t key = (static_cast<std::uint64_t>(purpose) << 32U) + index + 1;
  return Random(Random(seed).next() ^ (key * kSpread));
}

}  // namespace coterie::sim
