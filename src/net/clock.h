// Where coterie::Clock gets its time from.
#pragma once

#include <cstdint>

#include "coterie/clock.h"

namespace coterie {

// Nanoseconds since some moment. It must never go back.
using ClockSource = std::int64_t (*)() noexcept;

// With the time of suspension, where the system counts it; and the usual steady clock, without.
std::int64_t boot_nanoseconds() noexcept;
std::int64_t monotonic_nanoseconds() noexcept;

// In milliseconds since 1970. It may be wrong, and may jump: for people, and for nothing that is decided.
std::uint64_t time_of_day() noexcept;

// For tests, which cannot suspend a machine. Returns the source of before.
ClockSource set_clock_source(ClockSource source) noexcept;

}  // namespace coterie
