// Real time, which nobody in a run can read, and the clocks that everybody reads instead.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/assert.h"
#include "base/random.h"
#include "member/api.h"

namespace coterie::sim::torture {

// Nanoseconds since the run began.
using Real = std::int64_t;
inline constexpr Real kNever = std::numeric_limits<Real>::max();
inline constexpr Real kLongAgo = -kNever / 2;
inline constexpr Real kSecond = 1'000'000'000;

inline double seconds(Real time) { return static_cast<double>(time) / kSecond; }
inline Real real_of(double seconds) { return static_cast<Real>(seconds * kSecond); }

// A clock that is off by no more than `ppm` millionths, now this way and now that: mostly as far as it may be,
// since that is where mistakes show. Its origin is anywhere.
class DriftingClock {
 public:
  DriftingClock(Random random, Real born, std::int64_t ppm, Real steady_for)
      : random_(random), ppm_(ppm), steady_for_(steady_for) {
    constexpr std::uint64_t kLatestOrigin = 1'000'000ULL * kSecond;
    const auto origin = static_cast<std::int64_t>(random_.below(kLatestOrigin));
    stretches_.push_back({born, origin, draw_rate()});
  }

  // REQUIRES: not before it was born
  member::Instant at(Real real) {
    while (real >= stretches_.back().from + steady_for_) extend();
    std::size_t i = stretches_.size() - 1;
    while (stretches_[i].from > real) {
      COTERIE_ASSERT(i > 0);
      --i;
    }
    return {stretches_[i].shows(real)};
  }

  // The first moment at which it shows so much.
  Real when(member::Instant shown) {
    constexpr std::int64_t kTooFar = 100'000 * kSecond;  // nothing in a run waits for that
    if (shown.ns >= stretches_.back().origin + kTooFar) return kNever;
    while (stretches_.back().shows(stretches_.back().from + steady_for_) < shown.ns) extend();
    std::size_t i = stretches_.size() - 1;
    while (i > 0 && stretches_[i].origin >= shown.ns) --i;
    return stretches_[i].when(shown.ns);
  }

 private:
  static constexpr std::int64_t kMillion = 1'000'000;

  struct Stretch {  // of one rate
    Real from;
    std::int64_t origin;  // what it shows then
    std::int64_t ppm;

    std::int64_t shows(Real real) const {
      const std::int64_t passed = real - from;
      return origin + passed + passed * ppm / kMillion;
    }
    Real when(std::int64_t shown) const {
      if (shown <= origin) return from;
      Real real = from + (shown - origin) * kMillion / (kMillion + ppm);
      while (shows(real) >= shown && real > from) --real;
      while (shows(real) < shown) ++real;
      return real;
    }
  };

  void extend() {
    const Stretch& last = stretches_.back();
    const Real end = last.from + steady_for_;
    const std::int64_t origin = last.shows(end);
    stretches_.push_back({end, origin, draw_rate()});
  }
  std::int64_t draw_rate() {
    constexpr double kFarOff = 0.7;
    if (random_.chance(kFarOff)) return random_.chance(0.5) ? ppm_ : -ppm_;
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(2 * ppm_ + 1))) -
           ppm_;
  }

  Random random_;
  std::int64_t ppm_;
  Real steady_for_;
  std::vector<Stretch> stretches_;
};

}  // namespace coterie::sim::torture
