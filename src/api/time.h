// Times on one process's own clock, and how far two clocks may drift apart.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace coterie::api {

struct Duration {
  std::int64_t ns = 0;

  static constexpr Duration milliseconds(std::int64_t count) { return {count * 1'000'000}; }
  static constexpr Duration seconds(std::int64_t count) { return milliseconds(count * 1'000); }

  constexpr auto operator<=>(const Duration&) const = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
  friend constexpr Duration operator*(Duration a, std::int64_t times) { return {a.ns * times}; }
  friend constexpr Duration operator/(Duration a, std::int64_t parts) { return {a.ns / parts}; }
};

// Since an origin that only its own process knows: instants of two processes cannot be compared.
struct Instant {
  std::int64_t ns = 0;

  static constexpr Instant never() { return {std::numeric_limits<std::int64_t>::max()}; }

  constexpr auto operator<=>(const Instant&) const = default;
  friend constexpr Instant operator+(Instant at, Duration after) { return {at.ns + after.ns}; }
  friend constexpr Instant operator-(Instant at, Duration before) { return {at.ns - before.ns}; }
  friend constexpr Duration operator-(Instant a, Instant b) { return {a.ns - b.ns}; }
};

// The promise about clocks: while a real second passes, each shows a second give or take `ppm` millionths.
struct Drift {
  std::int64_t ppm = 1'000;

  // What a clock must count to be sure that another one has counted `other`, both started together.
  constexpr Duration at_least(Duration other) const {
    return {other.ns + (other.ns / (kMillion - ppm) + 1) * 2 * ppm};
  }
  // What a clock may count to be sure that another one has not counted `other` yet.
  constexpr Duration at_most(Duration other) const {
    return {other.ns - (other.ns / (kMillion + ppm) + 1) * 2 * ppm};
  }

 private:
  static constexpr std::int64_t kMillion = 1'000'000;
};

}  // namespace coterie::api
