// A client's side of a hold: until when, on its own clock, it may believe that it is inside.
//
// A member says how long a hold is good after it *received* a keep-alive; the client counts from when it *sent*
// that keep-alive, and takes off what the two clocks may drift apart. So whatever the delay, the client stops
// first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "api/events.h"
#include "api/time.h"

namespace coterie::api {

class Belief {
 public:
  // `first` is the number of the first keep-alive.
  explicit Belief(Drift drift, std::uint64_t first = 1) : drift_(drift), first_(first) {}

  // Before the next keep-alive is sent: its number. The opening of the session is one too.
  std::uint64_t beat(Instant now) {
    if (sent_.size() == kRemembered) {
      sent_.pop_front();
      ++first_;
    }
    sent_.push_back(now);
    return first_ + sent_.size() - 1;
  }
  // Until when the hold is good; in the past if the beat is too old to be remembered, or none of ours.
  Instant until(const Good& good) const {
    if (good.beat < first_ || good.beat - first_ >= sent_.size()) return Instant{};
    return sent_[good.beat - first_] + std::max(Duration{}, drift_.at_most(good.lasts));
  }

 private:
  static constexpr std::size_t kRemembered = 64;
  Drift drift_;
  std::uint64_t first_;  // the number of the first that is remembered
  std::deque<Instant> sent_;
};

}  // namespace coterie::api
