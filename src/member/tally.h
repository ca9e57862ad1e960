// What has happened to a member, counted. A run that has not been everywhere says so by these; an operator sees
// in them what his network does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coterie::member {

enum class Happened : std::uint8_t {
  frame_for_former_life,    // of ours
  frame_of_former_life,     // of the peer's
  frame_of_former_session,  // in asking
  answer_of_former_session,
  packet_doubled,
  packet_missing,  // before one that came
  resent,
  peer_reborn,
  peer_reborn_twice,  // within a lease: it must wait
  peer_left,          // with a farewell
  session_renewed,    // by the peer, whose lease had lapsed
  session_vain,       // asked for a lease, and none came
  lapsed,             // a lease that we had
  expired,            // a lease that we gave
  expired_former,     // to a former life
  suspected,
  trusted,
  silence_ended,
  ceiling_learned,  // after the loss of the disk
  locked,           // a LOCK came
  lock_stale,
  inquired,
  inquired_stale,
  wanted,
  wanted_stale,
  voted,  // a GRANT came
  vote_stale,
  updated,
  update_stale,
  preempted,
  preempt_stale,
  answer_to_nobody,  // to a bundle that is gone
  queued,
  queued_stale,
  probed,  // an arbiter asks for whatever is on its way to it
  mismatched,
  mismatched_stale,
  requested,
  request_raised,  // changed, with the same tag
  request_mismatched,
  yielded,
  yielded_stale,
  released,
  released_stale,
  polled,
  committed,
  withdrawn,
  recorded,
  erased,
  disowned,
  keyed,          // an arbiter was told the secrets of a hold
  vouched,        // for a hold that a client shows to another member
  vouch_refused,  // the secret is not known here
  entered,
  pinned,  // a hold that lasts
  pin_stale,
  pin_refused,
  pin_late,  // it was asked for before the owner's last hold ended
  unpinned,
  entered_kept,    // without a message
  entered_joined,  // those of its group at the same member
  entered_next,    // after another client of the same member
  adopted,         // with a ticket of another member
  left,
  lost,
  lost_kept,  // that nobody used
  repaired,   // a vote for a holder
  reformed,   // a name is to become something else
  turned,     // and it has
  refused,
  timed_out,
  stayed,  // since it was not let out in time
  cancelled,
  session_lapsed,
  forgotten,   // a resource
  impossible,  // a packet that no right member sends
  outdated,    // by what another member knows of us: this life is over
  kCount,
};
std::string_view text_of(Happened what);

class Tally {
 public:
  void count(Happened what) { ++counts_[static_cast<std::size_t>(what)]; }
  std::uint64_t of(Happened what) const { return counts_[static_cast<std::size_t>(what)]; }
  void add(const Tally& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }

 private:
  std::array<std::uint64_t, static_cast<std::size_t>(Happened::kCount)> counts_{};
};

}  // namespace coterie::member
