// Which member a client goes to next, of those that it knows. When a connection breaks, the member that gave the session is
// tried first, where the session can be resumed; then each of the others in turn.
#pragma once

#include <algorithm>
#include <cstddef>

#include "api/time.h"

namespace coterie::session {

class Road {
 public:
  struct Pauses {
    api::Duration shortest;
    api::Duration longest;
  };
  // REQUIRES: `members` is not 0.
  Road(std::size_t members, std::size_t first, const Pauses& pauses)
      : members_(members), at_(first), pauses_(pauses) {}

  std::size_t at() const { return at_; }
  bool has_others() const { return members_ > 1; }
  // The last session was given there.
  bool leads_back() const { return at_ == last_; }
  // All have been tried in vain, and all once more.
  bool has_failed_twice() const { return failures_ == 2 * members_; }
  bool has_failed_round() const { return failures_ % members_ == 0; }

  void welcomed() {
    failures_ = 0;
    last_ = at_;
  }
  void go_on() { at_ = (at_ + 1) % members_; }
  // This one cannot be reached, or does not want us.
  void failed() {
    ++failures_;
    go_on();
  }
  // Before the next is tried: only after a round of failures, and longer after each round.
  api::Duration pause() const {
    if (!has_failed_round()) return {};
    constexpr std::size_t kMostRounds = 6;
    const std::size_t rounds = std::min(failures_ / members_, kMostRounds);
    return std::min(pauses_.longest, pauses_.shortest * (std::int64_t{1} << rounds));
  }

 private:
  std::size_t members_;
  std::size_t at_;
  Pauses pauses_;
  std::size_t last_ = 0;      // the one that gave the session
  std::size_t failures_ = 0;  // in a row
};

}  // namespace coterie::session
