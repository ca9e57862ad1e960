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

  // Pays for `steps` of work; false when the budget is used up, and from then on.
  bool spend(std::uint64_t steps = 1) {
    if (left_ < steps) left_ = 0;
    if (left_ == 0) return false;
    left_ -= steps;
    if (stop_ && (++calls_ % kCallsPerStopCheck) == 0 && stop_()) left_ = 0;
    return left_ != 0;
  }
  bool exhausted() const { return left_ == 0; }

 private:
  static constexpr std::uint64_t kCallsPerStopCheck = 1024;

  std::uint64_t left_;
  std::uint64_t calls_ = 0;
  std::function<bool()> stop_;
};

}  // namespace coterie
