#include <algorithm>
#include <utility>
#include <vector>

#include "protocol/group_k.h"

namespace coterie::protocol::group_k {
namespace {

// The quorum and a read quorum, together as few as can be. Where the system has no read quorums, those who
// hit every write quorum take their place.
NodeSet registrars_of(const NodeSet& quorum, const quorum::System& system) {
  const NodeSet everyone = NodeSet::all(system.n());
  if (system.kind() == quorum::Kind::write_read) {
    std::vector<quorum::Cost> costs(system.n(), 1);
    for (const NodeId member : quorum) costs[member] = 0;
    return quorum | system.read().find_quorum(everyone, costs).value();
  }
  NodeSet spared(system.n());  // contains no write quorum
  for (const NodeId member : everyone - quorum) {
    spared.insert(member);
    if (system.write().contains_quorum(spared)) spared.erase(member);
  }
  return everyone - spared;
}

// A quorum that was not asked, with as few as can be of those who were; nobody if all who are of any use were.
NodeSet another_quorum(const NodeSet& asked, const quorum::Family& family, const NodeSet& among) {
  std::vector<quorum::Cost> costs(family.n(), 0);
  for (const NodeId member : asked) costs[member] = 1;
  const auto quorum = family.find_quorum(among, costs);
  if (!quorum) return NodeSet(family.n());
  if (!quorum->is_subset_of(asked)) return *quorum;
  // One of the same size with a new member would have fewer who were asked.
  if (asked.size() == family.n() || family.min_size() == family.max_size())
    return NodeSet(family.n());
  // No quorum contains another, so any that was not asked lacks one of this one's members.
  for (const NodeId member : *quorum) {
    NodeSet others = among;
    others.erase(member);
    if (NodeSet found = another_quorum(asked, family, others); !found.empty()) return found;
  }
  return NodeSet(family.n());
}

}  // namespace

Requester::Requester(const Context<Message>& context)
    : Part(context),
      asked_(setting().none()),
      votes_(setting().none()),
      registrars_(setting().none()),
      registered_(setting().none()),
      parallel_(setting().version.has("parallel")) {}

void Requester::enter(const Demand& demand) {
  COTERIE_ASSERT(phase_ == Phase::ncs);
  phase_ = Phase::es;
  current_ = clock().next(self());
  group_ = demand.groups.front();
  ask(setting().choose(self(), demand.prefer));
}

void Requester::ask(const NodeSet& quorum) {
  const NodeSet newly = quorum - asked_;
  asked_ |= quorum;
  send(newly, Request{current_, group_});
  if (!next_quorum().empty()) set_alarm();
}

void Requester::alarm(const NodeSet& prefer) {
  if (phase_ != Phase::es) return;  // we have a quorum since
  const NodeSet wish = prefer.universe() == 0 ? asked_ : setting().choose(self(), prefer);
  ask(wish.is_subset_of(asked_) ? next_quorum() : wish);
}

NodeSet Requester::next_quorum() const {
  return another_quorum(asked_, setting().system().write(), setting().everyone());
}

void Requester::on(NodeId from, const Grant& message) {
  if (!is_asking(message.stamp)) return;  // it crossed our RELEASE
  COTERIE_ASSERT(asked_.contains(from));
  votes_.insert(from);
  const auto quorum = setting().system().write().find_quorum(votes_);
  if (!quorum) return;
  send(asked_ - *quorum, Release{current_, false});
  asked_ = *quorum;
  votes_.clear();
  compete();
}

void Requester::on(NodeId from, const Preempt& message) {
  if (!is_asking(message.stamp)) return;  // we have a quorum, or want none: RELEASE is the answer
  COTERIE_ASSERT(votes_.contains(from));
  votes_.erase(from);
  send(from, Yield{current_});
}

void Requester::compete() {
  phase_ = Phase::ws;
  registrars_ = registrars_of(asked_, setting().system());
  if (parallel_) return send(registrars_, Compete{current_, group_, setting().none(), {}});
  send(*registrars_.begin(), Compete{current_, group_, registrars_, {}});
}

void Requester::on(NodeId from, const Success& message) {
  if (!is_competing(message.stamp)) return;  // we follow somebody: CANCEL is on its way
  pending_.insert(message.met.begin(), message.met.end());
  registered_.insert(from);
  if (!parallel_ || registrars_ == registered_) lead();
}

void Requester::on(NodeId from, const Challenge& message) {
  if (!is_competing(message.stamp)) return;  // we lead: CLEAR will come; or follow: CANCEL
  COTERIE_ASSERT(registered_.contains(from));
  registered_.erase(from);
  send(from, Concede{current_});
}

void Requester::lead() {
  Leading::value_type& led = *leading_.try_emplace(current_).first;
  led.second.quorum = asked_;
  led.second.registrars = registrars_;
  for (const Stamp& follower : pending_) admit(led, follower);
  stop_asking();
  phase_ = Phase::cs;
  entered(group_);
}

void Requester::on(NodeId, const Follow& message) {
  if (is_competing(message.leader)) {
    pending_.insert(message.follower);
    return;
  }
  const auto led = leading_.find(message.leader);
  if (led == leading_.end()) return;  // closed: the request is queued, and counts from then on
  Forum& forum = led->second;
  const auto last = forum.admitted.find(message.follower.process);
  if (last != forum.admitted.end() && last->second >= message.follower.time) return;  // again
  if (may_admit(*led, message.follower)) return admit(*led, message.follower);
  forum.refused.insert(message.follower);
}

bool Requester::may_admit(const Leading::value_type& led, const Stamp& follower) const {
  if (is_inside(led.first)) return true;
  const auto& wanted = led.second.wanted;
  return std::none_of(wanted.begin(), wanted.end(),
                      [&](const auto& want) { return want.second < follower; });
}

void Requester::admit(Leading::value_type& led, const Stamp& follower) {
  led.second.followers.insert(follower);
  led.second.admitted[follower.process] = follower.time;
  send(follower.process, RGrant{follower, led.first});
}

void Requester::on(NodeId, const RGrant& message) {
  if (!is_asking(message.follower) && !is_competing(message.follower)) {
    // it was told of us before, and we have been inside since
    return send(message.leader.process, RRelease{message.follower, message.leader});
  }
  send(asked_, Release{current_, false});
  if (phase_ == Phase::ws) cancel();
  stop_asking();
  phase_ = Phase::cs;
  reference_ = message.leader;
  entered(group_);
}

void Requester::cancel() {
  if (parallel_) return send(registrars_, Cancel{current_, setting().none()});
  send(*registrars_.begin(), Cancel{current_, registrars_});
}

void Requester::stop_asking() {
  asked_.clear();
  votes_.clear();
  registrars_.clear();
  registered_.clear();
  pending_.clear();
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::cs);
  const Stamp left = current_;
  const auto reference = reference_;
  forget();
  if (reference) {
    send(reference->process, RRelease{left, *reference});
  } else {
    leave_forum(*leading_.find(left));
  }
  exited();
}

void Requester::forget() {
  phase_ = Phase::ncs;
  current_ = {};
  group_ = 0;
  reference_.reset();
}

void Requester::leave_forum(Leading::value_type& led) {
  if (led.second.followers.empty()) return close(led.first);
  send(led.second.quorum, Linger{led.first});
}

void Requester::on(NodeId, const RRelease& message) {
  const auto led = leading_.find(message.leader);
  COTERIE_ASSERT(led != leading_.end());
  const bool followed = led->second.followers.erase(message.follower) > 0;
  COTERIE_ASSERT(followed);
  if (led->second.followers.empty() && !is_inside(message.leader)) close(message.leader);
}

void Requester::on(NodeId from, const Wanted& message) {
  const auto led = leading_.find(message.leader);
  if (led == leading_.end()) return;  // closed
  Forum& forum = led->second;
  forum.wanted.erase(from);
  if (message.best) forum.wanted.emplace(from, *message.best);
  const Stamps refused = std::exchange(forum.refused, {});
  for (const Stamp& follower : refused) {
    if (may_admit(*led, follower)) {
      admit(*led, follower);
    } else {
      forum.refused.insert(follower);
    }
  }
}

void Requester::close(const Stamp& leader) {
  const auto led = leading_.find(leader);
  const Forum forum = std::move(led->second);
  leading_.erase(led);
  send(forum.quorum, Release{leader, true});
  send(forum.registrars - forum.quorum, Clear{leader});
}

}  // namespace coterie::protocol::group_k
