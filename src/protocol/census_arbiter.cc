#include <algorithm>

#include "protocol/believed.h"
#include "protocol/census.h"

namespace coterie::protocol::census {

Arbiter::Arbiter(const Context<Message>& context, Number number)
    : Lender(context, number),
      terms_{0, setting().min, setting().max, setting().inside.universe() > 0} {
  if (setting().inside.universe() == 0 || !first_quorum(setting()).contains(self())) return;
  for (const NodeId process : setting().inside) census_.insert({{process, Life::present}, {}});
}

void Arbiter::on(NodeId from, const Request& message) {
  follow(clock(), {message.tag, from});
  const auto [place, is_new] =
      entries_.insert({{from, Life::present}, {message.tag, message.priority, message.way}});
  COTERIE_ASSERT(is_new);
  pump();
}

void Arbiter::on(NodeId from, const Yield& message) {
  raise(message.number);
  Entry* const known = find(from, message.tag);
  if (known == nullptr) return;
  known->has_vote = false;
  pump();
}

void Arbiter::on(NodeId from, const Commit& message) {
  raise(message.number);
  const Entry* const known = find(from, message.tag);
  COTERIE_ASSERT(known != nullptr);
  const Way way = known->way;
  terms_.is_armed = terms_.is_armed || message.arms;
  entries_.erase({from, Life::present});
  way == Way::in ? add(from, {message.group, message.is_shown}) : remove({from, Life::present});
  pump();
}

void Arbiter::on(NodeId from, const Withdraw& message) {
  if (find(from, message.tag) == nullptr) return;
  entries_.erase({from, Life::present});
  pump();
}

void Arbiter::on(NodeId from, const Record& message) { add(from, {message.group, false}); }

void Arbiter::on(NodeId from, const Erase& message) {
  raise(message.number);
  remove({from, Life::present});
}

// Whoever had the vote to enter may have done so with a token that we do not know: at most a stride above us.
void Arbiter::expire(NodeId requester, Life life) {
  owed_.erase(requester);
  const auto known = entries_.find({requester, life});
  if (known != entries_.end()) {
    if (known->second.has_vote && known->second.way == Way::in) number_ += stride_of(setting());
    entries_.erase(known);
  }
  remove({requester, life});
  pump();
}

// What is left of an earlier link is a former life's, whose clients may still believe.
void Arbiter::up(NodeId requester) {
  const Key present{requester, Life::present};
  const Key former{requester, Life::former};
  if (const auto known = entries_.find(present); known != entries_.end()) {
    const Entry entry = known->second;
    entries_.erase(known);
    if (entry.has_vote) entries_.insert({former, entry});
  }
  if (const auto record = census_.find(present); record != census_.end()) {
    const Guest guest = record->second;
    census_.erase(record);
    census_.insert({former, guest});
  }
  pump();
}

// Who has a vote counts by the terms that it was told.
void Arbiter::agree_on(const Terms& terms) {
  constexpr Key kNobody{std::numeric_limits<NodeId>::max(), Life::former};
  terms_ = terms;
  tell(kNobody, true);
}

void Arbiter::pin(NodeId who, Group group) {
  census_.insert_or_assign({who, Life::former}, Guest{group, false});
  tell({who, Life::former}, false);
}

void Arbiter::unpin(NodeId who) {
  census_.insert_or_assign({who, Life::former}, Guest{kGone, false});
  tell({who, Life::former}, true);
}

void Arbiter::save_durable(Writer& to) const {
  Lender::save_durable(to);
  pack(to, terms_);
}

void Arbiter::restart(Reader& durable) {
  Lender::restart(durable);
  unpack(durable, terms_);
  census_.clear();
}

// Who is inside in the end where one may stay there is recorded.
bool Arbiter::at_rest() const {
  return entries_.empty() && (has_floor(setting()) || census_.empty());
}

void Arbiter::pump() {
  if (is_silent()) return;
  lend(Way::in);
  lend(Way::out);
}

void Arbiter::lend(Way way) {
  Entries::iterator holder = entries_.end();
  Entries::iterator best = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (vote_for(entry->second.way) != way) continue;
    if (entry->second.has_vote) {
      holder = entry;
    } else if (best == entries_.end() || entry->second.priority < best->second.priority) {
      best = entry;
    }
  }
  if (best == entries_.end()) return;
  if (holder == entries_.end()) {
    best->second.has_vote = true;
    best->second.is_preempted = false;
    return send(best->first.first, Grant{best->second.tag, number_, census_, terms_});
  }
  if (holder->first.second == Life::former || !should_preempt(holder->second, best->second)) return;
  holder->second.is_preempted = true;
  send(holder->first.first, Preempt{holder->second.tag});
}

bool Arbiter::should_preempt(const Entry& holder, const Entry& rival) const {
  return !holder.is_preempted && rival.priority < holder.priority;
}

// Who waits for others to be inside is told of all, who waits for room of those who are gone. Nobody enters while
// another has the vote.
void Arbiter::tell(const Key& about, bool is_gone) {
  for (const auto& [key, entry] : entries_) {
    const bool is_concerned = entry.way == Way::out || is_gone;
    if (!entry.has_vote || !is_concerned || key == about) continue;
    if (key.second == Life::present) send(key.first, Update{entry.tag, census_, terms_});
  }
}

void Arbiter::add(NodeId requester, const Guest& guest) {
  const Key key{requester, Life::present};
  const auto [known, is_new] = census_.insert({key, guest});
  const bool is_confirmed = known->second.is_shown && !guest.is_shown;
  known->second.is_shown = known->second.is_shown && guest.is_shown;
  if (is_new || is_confirmed) tell(key, false);
}

void Arbiter::remove(const Key& key) {
  if (census_.erase(key) > 0) tell(key, true);
}

Arbiter::Entry* Arbiter::find(NodeId requester, Time tag) {
  const auto known = entries_.find({requester, Life::present});
  return known != entries_.end() && known->second.tag == tag ? &known->second : nullptr;
}

}  // namespace coterie::protocol::census
