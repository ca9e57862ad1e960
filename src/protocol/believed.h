// How far a clock follows others.
#pragma once

#include <algorithm>
#include <cstdint>

#include "protocol/types.h"

namespace coterie::protocol {

// No honest clock comes so far: a million steps a second for 140 years. A clock follows nobody beyond it, and from there on counts by
// itself, or one message could bring it to the end of all numbers. What rests on clocks is the order of those that wait; that a
// time is never used twice rests on each clock alone.
inline constexpr Time kMostBelieved{std::uint64_t{1} << 52U};

inline void follow(Clock& clock, const Stamp& stamp) {
  clock.see({std::min(stamp.time, kMostBelieved), stamp.process});
}

}  // namespace coterie::protocol
