#include <algorithm>

#include "protocol/shares.h"

namespace coterie::protocol::shares {

Requester::Requester(const Context<Message>& context, NodeId first)
    : Part(context), arbiters_(setting(), first), raised_(setting().none()) {}

void Requester::enter(const Demand& demand, const Stamp& stamp) {
  const bool is_kept = phase_ == Phase::keeping && demand.groups.accepts(group_);
  if (is_kept && (!setting().version.has("renew") || renew())) {
    settle();  // while it was kept, nobody looked after it
    return come_in();
  }
  if (phase_ == Phase::keeping) release();
  COTERIE_ASSERT(phase_ == Phase::idle);
  phase_ = Phase::waiting;
  stamp_ = stamp == Stamp{} ? clock().next(self()) : stamp;
  wishes_ = demand.groups;
  groups_ = wishes_;
  ask();
}

void Requester::adopt(Group group, const Stamp& stamp, Number token) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  phase_ = Phase::adopting;
  stamp_ = stamp;
  wishes_ = {group};
  groups_ = wishes_;
  token_ = token;
  ask();
}

void Requester::ask() {
  const auto quorum = arbiters_.nearest_quorum();
  if (!quorum) return;  // until somebody is up or trusted again
  for (const NodeId arbiter : *quorum) {
    if (!arbiters_.has_asked(arbiter)) ask_afresh(arbiter);
  }
}

void Requester::ask_afresh(NodeId arbiter) {
  const Time tag = clock().next(self()).time;
  arbiters_.ask(arbiter, tag);
  send(arbiter, Request{tag, priority(), groups_});
}

void Requester::on(NodeId from, const Lock& message) {
  if (is_stale(from, message.tag)) return;      // of a request that we gave up
  if (!groups_.accepts(message.group)) return;  // it crossed our choice of another group
  if (votes_.empty()) group_ = message.group;
  if (message.group != group_) return settle_for({group_});
  // Were we lost without a word, this arbiter would not know that our token was so high.
  if (has_token() && lags(message.number)) return yield(from, token_);
  votes_.insert_or_assign(from, message.number);
  if (message.is_wanted && phase_ == Phase::keeping) return release();  // asked for while inside
  if (message.is_wanted) is_wanted_ = true;
  if (is_waiting()) attempt();
  if (phase_ == Phase::inside) settle();
}

// Shares of different groups do not add up. Who has given none, or one of another group, is told.
void Requester::settle_for(const Groups& groups) {
  groups_ = groups;
  for (const auto& [arbiter, tag] : arbiters_.asked()) {
    if (!votes_.contains(arbiter)) send(arbiter, Request{tag, priority(), groups_});
  }
}

// A token within the stride of all numbers of a quorum exceeds every token of another group before it.
void Requester::attempt() {
  if (!setting().system().write().contains_quorum(voters())) return;
  if (phase_ == Phase::adopting) return come_in();
  Number highest = 0;
  for (const auto& [arbiter, number] : votes_) highest = std::max(highest, number);
  if (setting().system().write().contains_quorum(fresh_voters(highest))) {
    if (groups_.size() > 1) settle_for({group_});
    token_ = highest;
    return come_in();
  }
  raise_to(highest);
}

// All that are below, not only those too far: or one after the other would be too far behind the next.
void Requester::raise_to(Number highest) {
  const Map<NodeId, Number> lent = votes_;
  for (const auto& [arbiter, number] : lent) {
    if (number < highest) yield(arbiter, highest);
  }
}

// The alarm is set last: whoever enters has no use for one that was set before.
void Requester::come_in() {
  phase_ = Phase::inside;
  fenced(token_);
  entered(group_);
  set_alarm();
}

// What is true of a token at the entry is true of the next one: it exceeds every one of another group before
// it, and the numbers of a quorum lie within the stride of it, so that they will reach it when we are gone.
bool Requester::renew(Number users) {
  COTERIE_ASSERT(holds());
  if (!setting().system().write().contains_quorum(fresh_voters(token_ + users))) return false;
  token_ += users;
  return true;
}

void Requester::give_back() {
  COTERIE_ASSERT(phase_ == Phase::keeping);
  release();
}

NodeSet Requester::fresh_voters(Number token) const {
  NodeSet fresh = setting().none();
  for (const auto& [arbiter, number] : votes_) {
    if (number + stride_of(setting()) >= token) fresh.insert(arbiter);
  }
  return fresh;
}

bool Requester::lags(Number number) const { return number + stride_of(setting()) < token_; }

// An arbiter whose vote we had knows of all our wishes. If we have settled for one meanwhile, it must hear that,
// or its next share may be for another group, and of no use.
void Requester::yield(NodeId arbiter, Number number) {
  const bool has_other_votes = votes_.size() > 1;  // without, the choice is open again
  if (votes_.contains(arbiter) && (holds() || has_other_votes) && groups_ != wishes_)
    send(arbiter, Request{arbiters_.tag_of(arbiter), priority(), groups_});
  send(arbiter, Yield{arbiters_.tag_of(arbiter), number});
  drop_vote(arbiter);
}

void Requester::drop_vote(NodeId arbiter) {
  votes_.erase(arbiter);
  if (!votes_.empty() || phase_ != Phase::waiting) return;
  group_ = 0;
  if (groups_ != wishes_) reopen();
}

// A share for a group that we gave up may be under way, and taken back by its arbiter since: it must not count
// now that we accept the group again. So all are asked afresh, with the stamp that we have.
void Requester::reopen() {
  groups_ = wishes_;
  const Map<NodeId, Time> former = arbiters_.asked();
  arbiters_.drop_all();
  for (const auto& [arbiter, tag] : former) {
    send(arbiter, Release{tag, 0});
    ask_afresh(arbiter);
  }
}

// Inside: enough arbiters that we do not doubt, or others asked in their place, before all who wait.
// If these are too few, those that we doubt too: we may be wrong.
void Requester::settle() {
  if (is_enough(voters() - arbiters_.suspects())) return;
  if (!raise_among(arbiters_.askable())) raise_among(arbiters_.reachable());
}

// Whether there will be enough, if all that we do not doubt answer.
bool Requester::raise_among(const NodeSet& candidates) {
  for (const auto& [arbiter, tag] : arbiters_.asked()) {
    if (votes_.contains(arbiter) || raised_.contains(arbiter) || !candidates.contains(arbiter))
      continue;
    raised_.insert(arbiter);
    send(arbiter, Request{tag, priority(), groups_});
  }
  for (std::size_t place = 0; place < setting().processes; ++place) {
    const NodeId arbiter = arbiters_.in_order(place);
    if (is_enough((voters() | raised_) - arbiters_.suspects())) return true;
    if (!candidates.contains(arbiter) || arbiters_.has_asked(arbiter)) continue;
    raised_.insert(arbiter);
    ask_afresh(arbiter);
  }
  return is_enough((voters() | raised_) - arbiters_.suspects());
}

bool Requester::is_enough(const NodeSet& arbiters) const {
  return suffices(setting(), arbiters, lasts_);
}

void Requester::on(NodeId from, const Inquire& message) {
  if (is_stale(from, message.tag)) return;
  if (phase_ == Phase::keeping) return release();
  is_wanted_ = true;
  // Inside: RELEASE is the answer. No share: it crossed our YIELD.
  if (is_waiting() && votes_.contains(from)) yield(from, 0);
}

void Requester::on(NodeId from, const Wanted& message) {
  if (is_stale(from, message.tag)) return;
  if (phase_ == Phase::keeping) return release();
  is_wanted_ = true;
}

void Requester::alarm(const NodeSet& /*prefer*/) {
  if (phase_ != Phase::inside) return;
  lasts_ = true;
  settle();
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  if (setting().version.has("keep") && !is_wanted_) {
    phase_ = Phase::keeping;
    lasts_ = false;
  } else {
    release();
  }
  exited();
}

void Requester::cancel() {
  COTERIE_ASSERT(is_waiting());
  release();
  exited();
}

// To all that were asked, whether they granted or not, suspected or not.
void Requester::release() {
  for (const auto& [arbiter, tag] : arbiters_.asked()) send(arbiter, Release{tag, token_});
  phase_ = Phase::idle;
  stamp_ = {};
  wishes_ = {};
  groups_ = {};
  group_ = 0;
  arbiters_.drop_all();
  raised_.clear();
  votes_.clear();
  token_ = 0;
  lasts_ = false;
  is_wanted_ = false;
}

void Requester::suspect(NodeId arbiter) {
  arbiters_.suspect(arbiter);
  arbiters_changed();
}

void Requester::trust(NodeId arbiter) {
  arbiters_.trust(arbiter);
  arbiters_changed();
}

void Requester::up(NodeId arbiter) {
  arbiters_.up(arbiter);
  arbiters_changed();
}

void Requester::lapse(NodeId arbiter) {
  arbiters_.lapse(arbiter);
  raised_.erase(arbiter);
  drop_vote(arbiter);
  if (holds() && !setting().system().write().contains_quorum(voters())) {
    const bool was_inside = phase_ == Phase::inside;
    release();
    if (was_inside) lost();
    return;
  }
  arbiters_changed();
}

// It may have served what we changed since, so it is told.
void Requester::declined(NodeId arbiter) {
  send(arbiter, Release{arbiters_.tag_of(arbiter), token_});
  arbiters_.drop(arbiter);
  raised_.erase(arbiter);
}

void Requester::restart() { arbiters_.restart(self()); }

void Requester::meet(const NodeSet& reachable, const NodeSet& suspects) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  arbiters_.meet(reachable, suspects);
}

void Requester::arbiters_changed() {
  if (is_waiting()) return ask();
  if (phase_ == Phase::inside) settle();
}

bool Requester::is_stale(NodeId from, Time tag) const { return arbiters_.is_stale(from, tag); }

Priority Requester::priority() const {
  return {has_token() ? Rank::holding : Rank::waiting, stamp_};
}

NodeSet Requester::voters() const {
  NodeSet set = setting().none();
  for (const auto& [arbiter, number] : votes_) set.insert(arbiter);
  return set;
}

}  // namespace coterie::protocol::shares
