#include <algorithm>

#include "protocol/census.h"

namespace coterie::protocol::census {

Requester::Requester(const Context<Message>& context, NodeId first)
    : Part(context),
      arbiters_(setting(), first),
      holds_(setting().none()),
      echoes_(setting().none()) {
  const NodeSet& inside = setting().inside;
  if (inside.universe() == 0 || !inside.contains(self())) return;
  phase_ = Phase::inside;
  wishes_ = {0};
  holds_ = first_quorum(setting());
}

void Requester::enter(const Demand& demand, const Stamp& stamp) {
  COTERIE_ASSERT(phase_ == Phase::outside);
  wishes_ = demand.groups;
  if (!asks_to_enter()) {
    group_ = wishes_.front();
    phase_ = Phase::inside;
    settle();
    return entered(group_);
  }
  phase_ = Phase::entering;
  stamp_ = stamp;
  ask();
}

void Requester::adopt(Group group, const Stamp& stamp, Number token) {
  COTERIE_ASSERT(phase_ == Phase::outside);
  phase_ = Phase::adopting;
  stamp_ = stamp;
  wishes_ = {group};
  group_ = group;
  token_ = token;
  is_shown_ = asks_to_leave();
  settle();
}

void Requester::confirm() {
  if (std::exchange(is_shown_, false)) send(holds_, Record{group_});
}

// A quorum; to leave also everybody who may have told others of us, doubted or not.
void Requester::ask() {
  const Way way = gathers_.value_or(phase_ == Phase::leaving ? Way::out : Way::in);
  if (phase_ == Phase::leaving) {
    for (const NodeId arbiter : must_agree() & arbiters_.reachable()) {
      if (!arbiters_.has_asked(arbiter)) ask_afresh(arbiter, way);
    }
  }
  const auto quorum = arbiters_.nearest_quorum();
  if (!quorum) return;  // until somebody is up or trusted again
  for (const NodeId arbiter : *quorum) {
    if (!arbiters_.has_asked(arbiter)) ask_afresh(arbiter, way);
  }
}

void Requester::ask_afresh(NodeId arbiter, Way way) {
  const Time tag = clock().next(self()).time;
  arbiters_.ask(arbiter, tag);
  send(arbiter, Request{tag, priority(), way});
}

void Requester::on(NodeId from, const Grant& message) {
  if (is_stale(from, message.tag)) return;  // of a request that we gave up
  if (phase_ == Phase::inside) {            // repaired: it knows our token, so it does not lag
    send(from, Commit{message.tag, token_, group_, false, is_shown_});
    arbiters_.drop(from);
    holds_.insert(from);
    return settle();
  }
  votes_.insert_or_assign(from, Vote{message.number, message.census, message.terms});
  attempt();
}

void Requester::on(NodeId from, const Update& message) {
  if (is_stale(from, message.tag)) return;
  const auto vote = votes_.find(from);
  if (vote == votes_.end()) return;  // it crossed our YIELD
  vote->second.census = message.census;
  vote->second.terms = message.terms;
  attempt();
}

void Requester::on(NodeId from, const Preempt& message) {
  if (is_stale(from, message.tag)) return;  // it crossed our COMMIT
  if (votes_.contains(from)) yield(from, 0);
}

void Requester::attempt() {
  if (!has_quorum(voters()) || gathers_) return;
  if (phase_ == Phase::leaving) {
    if (can_leave()) leave();
    return;
  }
  if (!has_room()) return;
  if (phase_ == Phase::adopting) return take_over();
  Number highest = 0;
  for (const auto& [arbiter, vote] : votes_) highest = std::max(highest, vote.number);
  token_ = highest + 1;
  if (has_quorum(fresh_voters(token_))) return come_in();
  raise_below(std::exchange(token_, 0));
}

// All that are below, not only those too far: or one after the other would be too far behind the next.
void Requester::raise_below(Number token) {
  const Map<NodeId, Vote> lent = votes_;
  for (const auto& [arbiter, vote] : lent) {
    if (vote.number + 1 < token) yield(arbiter, token - 1);
  }
}

// Who lags is not told our token, and so must not count.
void Requester::come_in() {
  Party party{count(), fresh_voters(token_), token_};
  group_ = party.count.room_for(wishes_).value_or(wishes_.front());
  party.count.add(group_);
  if (company_) company_(party);
  const std::uint32_t min = asks_to_leave() ? terms().min : 0;
  const bool arms = min > 0 && count_others() + party.size >= min;
  for (const NodeId arbiter : party.arbiters) {
    send(arbiter, Commit{arbiters_.tag_of(arbiter), party.token, group_, arms});
    arbiters_.drop(arbiter);
    holds_.insert(arbiter);
  }
  withdraw();
  be_inside();
}

// With the token that it has: who is told of it does not lag.
void Requester::take_over() {
  for (const NodeId arbiter : voters()) {
    send(arbiter, Commit{arbiters_.tag_of(arbiter), token_, group_, false, is_shown_});
    arbiters_.drop(arbiter);
    holds_.insert(arbiter);
  }
  withdraw();
  be_inside();
}

void Requester::be_inside() {
  phase_ = Phase::inside;
  fenced(token_);
  entered(group_);
  set_alarm();
}

// Recorded while another has these arbiters' votes, so nobody else is counting; what it sends them after this says
// how far tokens have come. What echoes of it there are remain: they matter when it leaves.
void Requester::come_along(const Demand& demand, Party& party) {
  COTERIE_ASSERT(phase_ == Phase::outside);
  wishes_ = demand.groups;
  const std::optional<Group> room = room_beside(party);
  if (!room) return clear();
  group_ = *room;
  party.count.add(group_);
  ++party.size;
  token_ = ++party.token;
  for (const NodeId arbiter : party.arbiters) record(arbiter);
  be_inside();
}

void Requester::yield(NodeId arbiter, Number number) {
  votes_.erase(arbiter);
  send(arbiter, Yield{arbiters_.tag_of(arbiter), number});
}

// What was asked for and is not needed any more.
void Requester::withdraw() {
  for (const auto& [arbiter, tag] : arbiters_.asked()) send(arbiter, Withdraw{tag});
  arbiters_.drop_all();
  votes_.clear();
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  COTERIE_ASSERT(!is_shown_);
  withdraw();
  if (asks_to_leave()) {
    phase_ = Phase::leaving;
    stamp_ = clock().next(self());
    return ask();
  }
  send(holds_, Erase{token_});
  clear();
  exited();
}

void Requester::leave() {
  for (const NodeId arbiter : voters()) {
    send(arbiter, Commit{arbiters_.tag_of(arbiter), token_, group_});
    arbiters_.drop(arbiter);
  }
  withdraw();
  echoes_.clear();
  clear();
  exited();
}

void Requester::cancel() {
  COTERIE_ASSERT(phase_ == Phase::entering || phase_ == Phase::adopting);
  abandon();
}

void Requester::gather(Way way, const Stamp& stamp) {
  COTERIE_ASSERT(phase_ == Phase::outside);
  phase_ = Phase::entering;
  gathers_ = way;
  stamp_ = stamp;
  ask();
}

void Requester::stand_in(Group group, Number token) {
  COTERIE_ASSERT(phase_ == Phase::outside);
  phase_ = Phase::inside;
  wishes_ = {group};
  group_ = group;
  token_ = token;
  stands_in_ = true;
}

void Requester::stay() {
  COTERIE_ASSERT(phase_ == Phase::leaving);
  withdraw();
  phase_ = Phase::inside;
  settle();
}

void Requester::abandon() {
  vanish();
  exited();
}

// Too many leases have lapsed.
void Requester::lose() {
  vanish();
  lost();
}

// Where we are still recorded, others may go on counting us for a while.
void Requester::vanish() {
  withdraw();
  send(holds_, Erase{token_});
  if (asks_to_leave()) echoes_ |= holds_;
  clear();
}

void Requester::clear() {
  phase_ = Phase::outside;
  stamp_ = {};
  wishes_ = {};
  group_ = 0;
  holds_.clear();
  token_ = 0;
  lasts_ = false;
  stands_in_ = false;
  is_shown_ = false;
  gathers_ = std::nullopt;
}

Priority Requester::priority() const {
  const bool holds = phase_ == Phase::inside || phase_ == Phase::adopting;
  return {holds || gathers_ ? Rank::holding : Rank::waiting, stamp_};
}

}  // namespace coterie::protocol::census
