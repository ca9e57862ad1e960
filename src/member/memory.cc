// What a member must not forget, and how one that has lost it learns of it.
#include <algorithm>
#include <utility>

#include "member/incarnation.h"
#include "member/member.h"
#include "member/sound.h"

namespace coterie::member {

// The disk is lost. A token that we took part in had the vote of another member of its quorum, whose ceiling
// is less than a stride below it; and every quorum of others has one of these. So has every lasting hold that we had
// written down, and every end of one, if that was written down by a quorum before this member asks. So it asks after
// its silence: whoever counted on an answer of a former life counts on it no longer, and what was not at a quorum until then
// never will be by that answer (Pinning::lapse, Lastings::lapse).
void Member::learn(NodeId peer, const Frame& frame) {
  if (!asks_others() || frame.ceiling == 0 || !frame.keepsakes || told_.contains(peer)) return;
  if (frame.keepsakes_after != learned_until_[peer])
    return;  // sent before it was asked for the next
  if (frame.ceiling > kMostBelieved ||
      frame.lent_ns > static_cast<std::uint64_t>(kLongestBelieved.ns))
    return tally_.count(Happened::impossible);
  // Leases were longer, perhaps, and our disk knew it. Whoever believes by one of ours has another of a member that is among
  // those that tell us; that member knows it too, unless that lease is over, and with it the belief. So the silence is
  // longer, and all are asked again after it.
  if (const Duration lent{static_cast<std::int64_t>(frame.lent_ns)}; lent > lent_) {
    lent_ = lent;
    silent_until_ = born_ + lent_;
    if (now_ < silent_until_) {
      told_ = setting_.none();
      for (std::string& name : learned_until_) name.clear();
      return;
    }
  }
  const auto last = learn_keepsakes(*frame.keepsakes);
  if (!last || (frame.has_more && *last <= learned_until_[peer]))
    return tally_.count(Happened::impossible);
  if (frame.has_more) {
    learned_until_[peer] = *last;
    return;
  }
  told_.insert(peer);
  floor_ = std::max(floor_, frame.ceiling);
  if (setting_.system().write().contains_quorum(told_)) become_sure();
}

bool Member::accept_loss(Instant now) {
  if (is_done() || is_sure_) return true;
  if (now < silent_until_) return false;
  begin(now);
  become_sure();
  finish();
  return true;
}

void Member::become_sure() {
  is_sure_ = true;
  tally_.count(Happened::ceiling_learned);
  floor_ += kUnknown;
  use(floor_ + 1);
  tick_silence();
  for (const auto& [from, packet] : std::exchange(unanswered_, {})) on_ask(from, packet);
}

std::optional<std::string> Member::learn_keepsakes(const Bytes& bytes) {
  NamedKeepsakes all;
  Reader reader(bytes);
  unpack(reader, all);
  const auto is_wrong = [](const auto& named) {
    return !is_readable(named.first) || !fault_of(named.second.kind).empty() ||
           !is_sound(named.second);
  };
  if (!reader.good() || !reader.at_end() || std::any_of(all.begin(), all.end(), is_wrong))
    return std::nullopt;
  for (const auto& [name, keepsake] : all) restore(name, keepsake, true);
  return all.empty() ? std::string() : all.back().first;
}

// In the order of their names, from after what the peer has: at least one, and then as many as go into a frame.
void Member::add_keepsakes(NodeId peer, Frame& frame) const {
  NamedKeepsakes all;
  const std::string& after = asked_after_[peer];
  for (const auto& [name, place] : places_) {
    if (name <= after) continue;
    Keepsake keepsake = place.resource->keepsake();
    if (keepsake.is_needed()) all.emplace_back(name, std::move(keepsake));
  }
  add_forgotten(all);
  std::erase_if(all, [&](const auto& named) { return named.first <= after; });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t bytes = 0;
  const auto end = std::find_if(all.begin(), all.end(), [&](const auto& named) {
    const bool is_full = bytes >= config_.keepsakes_page;
    bytes += named.first.size() + packed(named.second).size();
    return is_full;
  });
  frame.has_more = end != all.end();
  all.erase(end, all.end());
  frame.keepsakes = packed(all);
  frame.keepsakes_after = after;
}

// Twice, as below.
void Member::keep(const std::string& name, const Keepsake& keepsake) {
  const Bytes bytes = keepsake.is_needed() ? packed(keepsake) : Bytes();
  for (int copy = 0; copy < 2; ++copy) out_.keep(name, bytes);
}

void Member::note(const std::string& name, const Keepsake& keepsake) {
  out_.keep(name, keepsake.is_needed() ? packed(keepsake) : Bytes());
}

void Member::use(Number number) {
  if (!is_sure_ || number <= ceiling_) return;
  ceiling_ = std::min(number + kAhead, kMostNumber);  // a number above that never leaves
  save();
}

// Twice: a disk that loses the last write loses a copy.
void Member::save(int copies) {
  for (NodeId peer = 0; peer < links_.size(); ++peer) {
    if (links_[peer]) remembered_[peer] = links_[peer]->known();
  }
  remembered_at_ = now_;
  for (int copy = 0; copy < copies; ++copy)
    out_.save({incarnation_, ceiling_, static_cast<std::uint64_t>(lent_.ns), remembered_});
}

// A life that begins is rare, and written down at once; how far a peer's disk has come is written with the rest, or now and
// then. To write that down is a write itself: for no more than one of these nobody writes, or members would do so for ever.
void Member::remember_peers() {
  constexpr Duration kNowAndThen = Duration::seconds(10);
  if (!is_sure_) return;
  const bool is_time = now_ >= remembered_at_ + kNowAndThen;
  for (NodeId peer = 0; peer < links_.size(); ++peer) {
    if (!links_[peer]) continue;
    const Seen known = links_[peer]->known();
    const Seen& saved = remembered_[peer];
    if (known.incarnation != saved.incarnation || (is_time && known.durable > saved.durable + 1))
      return save(1);
  }
}

// All that an earlier life of ours has shown to anybody was on its disk before. So a peer that knows of more has seen what
// this disk does not have.
std::optional<Outdated> Member::outdated_by(NodeId peer, const Frame& frame) const {
  const Seen& seen = frame.seen;
  // Above the last incarnation there would be none for another life; and so far a member never counts.
  if (is_leap(incarnation_, std::max(frame.to, seen.incarnation))) return std::nullopt;
  if (frame.to > incarnation_) return Outdated{peer, {frame.to, 0}, true};
  if (seen.incarnation > incarnation_) return Outdated{peer, seen, true};
  const bool has_disk = birth_ != Birth::amnesia;
  const bool is_of_former = seen.incarnation != 0 && seen.incarnation != incarnation_;
  // Of a life before the last one that the disk knows nothing is asked: that one had its disk, or did without.
  const bool has_more = seen.incarnation > former_.incarnation ||
                        (seen.incarnation == former_.incarnation && seen.durable > former_.durable);
  if (has_disk && is_of_former && has_more) return Outdated{peer, seen, false};
  return std::nullopt;
}

}  // namespace coterie::member
