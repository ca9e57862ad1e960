// A mutex that the brain has lent to a resident (Member::lend): its threads enter and leave it without a word to
// the brain's thread, until that recalls it.
//
// Why nobody enters on doubt:
//   - To the cluster this member is inside from before the loan begins until after it has ended, by a claim like
//     any other: what follows is only about threads of this process.
//   - The state goes from idle to used by one exchange, so one thread at a time is inside.
//   - The brain gives the claim back only if it was idle when it was recalled, which is one exchange too: after
//     it, no thread can make it used. If it was used, the brain waits for whoever gives it back.
//   - Who has taken it looks at the clock, and then at the end of the leases as the brain last published it. The
//     brain never moves that further than the arbiters have promised, and need not be awake for it to end.
//   - Each entry has a token of its own, of those that the brain has reserved: greater than all before, and than
//     none of those that come after the claim is given back or lost.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "member/api.h"
#include "member/events.h"

namespace coterie::client {

class Loan {
 public:
  // Entries have the tokens from `first` to `last`.
  Loan(member::RequestId request, member::Number first, member::Number last, member::Instant until)
      : request_(request), next_(first), last_(last), until_ns_(until.ns) {}

  member::RequestId request() const { return request_; }
  member::Instant until() const { return {until_ns_.load(std::memory_order_acquire)}; }
  member::Number token() const { return token_.load(std::memory_order_relaxed); }  // the last used

  // ---- any thread

  bool take() {
    State idle = State::idle;
    return state_.compare_exchange_strong(idle, State::used, std::memory_order_acquire);
  }
  // REQUIRES: taken. None: it cannot be used any more, and is to be given back.
  std::optional<member::Number> enter(member::Instant now) {
    if (now >= until() || next_ > last_) return std::nullopt;
    token_.store(next_, std::memory_order_relaxed);
    return next_++;
  }
  // REQUIRES: taken. False: it was recalled, and the brain waits for it.
  bool give_back() {
    State used = State::used;
    return state_.compare_exchange_strong(used, State::idle, std::memory_order_release,
                                          std::memory_order_relaxed);
  }

  // ---- the brain's thread

  // Whether it was idle; nobody takes it any more.
  bool recall() {
    State seen = state_.load(std::memory_order_relaxed);
    while (seen == State::idle || seen == State::used) {
      const State next = seen == State::idle ? State::over : State::recalled;
      if (state_.compare_exchange_weak(seen, next, std::memory_order_acq_rel))
        return seen == State::idle;
    }
    return seen == State::over;
  }
  // REQUIRES: it was recalled, and idle.
  bool is_used_up() const { return next_ > last_; }
  void extend(member::Instant until) {
    if (until > this->until()) until_ns_.store(until.ns, std::memory_order_release);
  }
  // It is lost: nobody is to believe any more.
  void end(member::Instant now) {
    until_ns_.store(std::min(until(), now).ns, std::memory_order_release);
  }

 private:
  enum class State : std::uint8_t {
    idle,
    used,
    recalled,  // while it is used
    over,
  };
  const member::RequestId request_;
  std::atomic<State> state_ = State::idle;
  member::Number next_;  // touched by who has taken it
  const member::Number last_;
  std::atomic<member::Number> token_ = 0;
  std::atomic<std::int64_t> until_ns_;
};

}  // namespace coterie::client
