// What a member must not forget, and how one that has lost it learns of it.
#include <algorithm>
#include <utility>

#include "member/member.h"

namespace coterie::member {

// The disk is lost. A token that we took part in had the vote of another member of its quorum, whose ceiling
// is less than a stride below it; and every quorum of others has one of these. So has every lasting hold that we had
// written down, and every end of one.
void Member::learn(NodeId peer, const Frame& frame) {
  if (is_sure_ || frame.ceiling == 0 || !frame.keepsakes || told_.contains(peer)) return;
  if (!learn_keepsakes(*frame.keepsakes)) return tally_.count(Happened::impossible);
  told_.insert(peer);
  floor_ = std::max(floor_, frame.ceiling);
  if (!setting_.system().write().contains_quorum(told_)) return;
  is_sure_ = true;
  tally_.count(Happened::ceiling_learned);
  floor_ += kUnknown;
  use(floor_ + 1);
  tick_silence();
  for (const auto& [from, packet] : std::exchange(unanswered_, {})) on_ask(from, packet);
}

bool Member::learn_keepsakes(const Bytes& bytes) {
  NamedKeepsakes all;
  Reader reader(bytes);
  unpack(reader, all);
  const auto is_wrong = [](const auto& named) { return !fault_of(named.second.kind).empty(); };
  if (!reader.good() || !reader.at_end() || std::any_of(all.begin(), all.end(), is_wrong))
    return false;
  for (const auto& [name, keepsake] : all) restore(name, keepsake);
  return true;
}

Bytes Member::all_keepsakes() const {
  NamedKeepsakes all;
  for (const auto& [name, place] : places_) {
    Keepsake keepsake = place.resource->keepsake();
    if (keepsake.is_needed()) all.emplace_back(name, std::move(keepsake));
  }
  add_forgotten(all);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return packed(all);
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
  ceiling_ = number + kAhead;
  // Twice: a disk that loses the last write loses a copy.
  for (int copy = 0; copy < 2; ++copy) out_.save({incarnation_, ceiling_});
}

}  // namespace coterie::member
