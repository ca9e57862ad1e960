#include "net/clock.h"

#include <time.h>  // NOLINT(modernize-deprecated-headers): clock_gettime is POSIX's

#include <atomic>

namespace coterie {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t nanoseconds_of(clockid_t clock) noexcept {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

// Decided once: two clocks of one process must not be compared.
clockid_t find_clock() noexcept {
#ifdef CLOCK_BOOTTIME
  timespec time{};
  if (::clock_gettime(CLOCK_BOOTTIME, &time) == 0) return CLOCK_BOOTTIME;
#endif
  return CLOCK_MONOTONIC;
}

std::atomic<ClockSource> clock_source = boot_nanoseconds;

}  // namespace

std::int64_t boot_nanoseconds() noexcept {
  static const clockid_t clock = find_clock();
  return nanoseconds_of(clock);
}

std::int64_t monotonic_nanoseconds() noexcept { return nanoseconds_of(CLOCK_MONOTONIC); }

std::uint64_t time_of_day() noexcept {
  const std::int64_t now = nanoseconds_of(CLOCK_REALTIME);
  constexpr std::int64_t kMillisecond = 1'000'000;
  return now > 0 ? static_cast<std::uint64_t>(now / kMillisecond) : 0;
}

ClockSource set_clock_source(ClockSource source) noexcept { return clock_source.exchange(source); }

Clock::time_point Clock::now() noexcept {
  return time_point(duration(clock_source.load(std::memory_order_relaxed)()));
}

}  // namespace coterie
