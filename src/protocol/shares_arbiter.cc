#include <algorithm>

#include "protocol/believed.h"
#include "protocol/shares.h"

namespace coterie::protocol::shares {

void Arbiter::on(NodeId from, const Request& message) {
  follow(clock(), {message.tag, from});
  Entry* const known = find(from, message.tag);
  if (known == nullptr) {
    const auto [place, is_new] =
        entries_.insert({{from, Life::present}, {message.tag, message.priority, message.groups}});
    COTERIE_ASSERT(is_new);
    return pump();
  }
  known->priority = message.priority;
  known->groups = message.groups;
  if (!known->groups.accepts(group_)) known->has_share = false;  // it settled for another group
  pump();
}

void Arbiter::on(NodeId from, const Yield& message) {
  raise(message.number);
  Entry* const known = find(from, message.tag);
  if (known == nullptr) return;
  known->has_share = false;
  pump();
}

void Arbiter::on(NodeId from, const Release& message) {
  raise(message.number);
  if (find(from, message.tag) == nullptr) return;
  entries_.erase({from, Life::present});
  pump();
}

// Whoever had a share may have entered with a token that we do not know: less than a stride above us.
void Arbiter::expire(NodeId requester, Life life) {
  owed_.erase(requester);
  const auto known = entries_.find({requester, life});
  if (known != entries_.end()) {
    if (known->second.has_share) number_ += stride_of(setting());
    entries_.erase(known);
  }
  pump();
}

// What is left of an earlier link is a former life's, whose clients may still believe.
void Arbiter::up(NodeId requester) {
  const auto known = entries_.find({requester, Life::present});
  if (known == entries_.end()) return;
  if (known->second.has_share) entries_.insert({{requester, Life::former}, known->second});
  entries_.erase({requester, Life::present});
  pump();
}

void Arbiter::pin(NodeId who, Group group) {
  Entry entry;
  entry.priority.rank = Rank::holding;
  entry.groups = {group};
  entry.has_share = true;
  entries_.insert_or_assign({who, Life::former}, entry);
  regroup();
}

void Arbiter::unpin(NodeId who) {
  entries_.erase({who, Life::former});
  regroup();
  pump();
}

// Of two that were pinned one may be over, and this arbiter not know it. While they disagree nobody may join.
void Arbiter::regroup() {
  constexpr Group kNobodys = std::numeric_limits<Group>::max();
  std::optional<Group> group;
  for (const auto& [key, entry] : entries_) {
    if (!entry.has_share) continue;
    const Group of_entry = entry.groups.size() == 1 ? entry.groups.front() : group_;
    group = !group || *group == of_entry ? of_entry : kNobodys;
  }
  group_ = group.value_or(0);
}

void Arbiter::forget(NodeId requester, Life life, Number number) {
  raise(number);
  if (entries_.erase({requester, life}) > 0) pump();
}

bool Arbiter::at_rest() const {
  if (!setting().version.has("keep")) return entries_.empty();
  return std::all_of(entries_.begin(), entries_.end(),
                     [](const auto& known) { return known.second.has_share; });
}

void Arbiter::pump() {
  if (is_silent()) return;
  if (!is_open()) open_session();
  const Entry* const rival = best_outside();
  for (auto& [key, entry] : entries_) {
    if (!entry.has_share && entry.groups.accepts(group_) && may_join(entry, rival))
      lock(key.first, entry, rival != nullptr);
  }
  if (rival != nullptr) tell(*rival);
}

// The group of the best request enters, all of it.
void Arbiter::open_session() {
  group_ = 0;
  const auto best = std::min_element(
      entries_.begin(), entries_.end(),
      [](const auto& a, const auto& b) { return a.second.priority < b.second.priority; });
  if (best == entries_.end()) return;
  group_ = most_accepted(best->second.groups);
  ++number_;
  const bool is_wanted = best_outside() != nullptr;
  for (auto& [key, entry] : entries_) {
    if (entry.groups.accepts(group_)) lock(key.first, entry, is_wanted);
  }
}

// A newcomer joins unless a better request of another group waits: else that one might wait for ever.
bool Arbiter::may_join(const Entry& entry, const Entry* rival) const {
  return rival == nullptr || entry.priority < rival->priority;
}

// A request that is better than every share gets them back, from those that can do without.
void Arbiter::tell(const Entry& rival) {
  const bool is_best = std::all_of(entries_.begin(), entries_.end(), [&](const auto& known) {
    return !known.second.has_share || rival.priority < known.second.priority;
  });
  for (auto& [key, entry] : entries_) {
    if (!entry.has_share || key.second == Life::former) continue;
    if (is_best && should_inquire(entry)) {
      entry.is_inquired = true;
      entry.is_told = true;
      send(key.first, Inquire{entry.tag});
    } else if (!entry.is_told && setting().version.has("keep")) {
      entry.is_told = true;
      send(key.first, Wanted{entry.tag});
    }
  }
}

void Arbiter::lock(NodeId requester, Entry& entry, bool is_wanted) {
  entry.has_share = true;
  entry.is_inquired = false;
  entry.is_told = is_wanted;
  send(requester, Lock{entry.tag, group_, number_, is_wanted});
}

Arbiter::Entry* Arbiter::find(NodeId requester, Time tag) {
  const auto known = entries_.find({requester, Life::present});
  return known != entries_.end() && known->second.tag == tag ? &known->second : nullptr;
}

const Arbiter::Entry* Arbiter::find(NodeId requester) const {
  const auto known = entries_.find({requester, Life::present});
  return known != entries_.end() ? &known->second : nullptr;
}

bool Arbiter::is_open() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const auto& known) { return known.second.has_share; });
}

const Arbiter::Entry* Arbiter::best_outside() const {
  const Entry* best = nullptr;
  for (const auto& [key, entry] : entries_) {
    if (entry.has_share || entry.groups.accepts(group_)) continue;
    if (best == nullptr || entry.priority < best->priority) best = &entry;
  }
  return best;
}

Group Arbiter::most_accepted(const Groups& groups) const {
  const auto accept = [&](Group group) {
    return std::count_if(entries_.begin(), entries_.end(),
                         [&](const auto& known) { return known.second.groups.accepts(group); });
  };
  return *std::max_element(groups.begin(), groups.end(),
                           [&](Group a, Group b) { return accept(a) < accept(b); });
}

}  // namespace coterie::protocol::shares
