// The clock by which a hold is believed: it never goes back, and it goes on while the machine sleeps.
//
// The usual steady clock (CLOCK_MONOTONIC) stands still while a laptop or a virtual machine is suspended: a program that
// wakes up would believe that no time has passed, while its lease is long over. Where the system has a clock that counts
// this time (CLOCK_BOOTTIME), this is that one; elsewhere it is the steady clock.
#pragma once

#include <chrono>

namespace coterie {

struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept;
};

}  // namespace coterie
