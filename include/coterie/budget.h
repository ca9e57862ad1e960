// How much work an exact search may do. Counted in steps, not in seconds, so that the same question
// gets the same answer on every machine; a caller with a clock, or a user's Ctrl-C, adds `stop`.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace coterie {

class Budget {
 public:
  static constexpr std::uint64_t kDefaultSteps = 20'000'000;

  explicit Budget(std::uint64_t steps = kDefaultSteps, std::function<bool()> stop = {})
      : left_(steps), stop_(std::move(stop)) {}

  // Pays for `steps` of work; false when the budget does not reach, and from then on.
  bool spend(std::uint64_t steps = 1) {
    if (exhausted_ || left_ < steps) {
      exhausted_ = true;
      return false;
    }
    left_ -= steps;
    since_stop_check_ += steps;
    if (stop_ && since_stop_check_ >= kStepsPerStopCheck) {
      since_stop_check_ = 0;
      exhausted_ = stop_();
    }
    return !exhausted_;
  }
  bool exhausted() const { return exhausted_; }

 private:
  static constexpr std::uint64_t kStepsPerStopCheck = 1U << 14U;

  std::uint64_t left_;
  std::uint64_t since_stop_check_ = 0;
  bool exhausted_ = false;
  std::function<bool()> stop_;
};

}  // namespace coterie
