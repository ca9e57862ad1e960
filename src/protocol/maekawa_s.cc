#include "protocol/maekawa_s.h"

#include <algorithm>

#include "protocol/catalogue.h"
#include "protocol/entries.h"
#include "protocol/printed/maekawa_s.h"

namespace coterie::protocol {
namespace maekawa_s {

void Requester::enter(const Demand& demand) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  COTERIE_ASSERT(demand.groups.size() == 1);
  phase_ = Phase::waiting;
  current_ = clock().next(self());
  group_ = demand.groups.front();
  send(first_node(), Request{current_, group_});
}

void Requester::on(NodeId, const Locked& message) {
  COTERIE_ASSERT(phase_ == Phase::waiting);
  COTERIE_ASSERT(message.stamp == current_);
  phase_ = Phase::inside;
  entered(group_);
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  send(quorum(), Released{current_});
  phase_ = Phase::idle;
  current_ = {};
  group_ = 0;
  exited();
}

void Arbiter::on(NodeId, const Request& message) {
  clock().see(message.stamp);
  queue_.insert({message.stamp, Place{message.group}});
  settle();
}

void Arbiter::on(NodeId, const Released& message) {
  COTERIE_ASSERT(queue_.contains(message.stamp));
  COTERIE_ASSERT(queue_.at(message.stamp).is_locked);
  queue_.erase(message.stamp);
  if (reference_ == message.stamp) reference_.reset();
  settle();
}

void Arbiter::settle() {
  const std::optional<Group> group = open_group();
  if (!group) return;
  for (auto& [stamp, place] : queue_) {
    if (place.is_locked || place.group != *group) continue;
    place.is_locked = true;
    pass_on({stamp, place.group});
  }
}

// The group for which the node locks itself now, if for any.
std::optional<Group> Arbiter::open_group() {
  if (queue_.empty()) return std::nullopt;
  const auto holder = std::find_if(queue_.begin(), queue_.end(),
                                   [](const auto& item) { return item.second.is_locked; });
  if (holder == queue_.end()) reference_ = queue_.begin()->first;
  if (reference_) return queue_.at(*reference_).group;
  const Group group = holder->second.group;
  const bool no_other_waits = std::all_of(queue_.begin(), queue_.end(), [group](const auto& item) {
    return item.second.group == group;
  });
  if (no_other_waits) return group;
  return std::nullopt;
}

void Arbiter::pass_on(const Request& request) const {
  if (const auto next = next_node(request)) {
    send(*next, request);
  } else {
    send(request.stamp.process, Locked{request.stamp});
  }
}

// After this one, for this request.
std::optional<NodeId> Arbiter::next_node(const Request& request) const {
  for (const NodeId node : setting().home(request.stamp.process, request.group)) {
    if (node > self()) return node;
  }
  return std::nullopt;
}

namespace {

Claims claims(const Version&) { return {.concurrent_entry = true}; }

std::string refuse(const Setting& setting) {
  const quorum::System& system = setting.system();
  const bool has_groups = system.kind() == quorum::Kind::groups;
  if (!has_groups && system.k() != 1) {
    return "maekawa-s needs quorums per group, or a coterie any two quorums of which meet: " +
           system.spec() + " has " + std::to_string(system.k()) + " disjoint ones";
  }
  if (has_groups && !setting.homes.empty()) {
    return "the quorum of a process depends on the group, so none can be given per process";
  }
  return "";
}

}  // namespace
}  // namespace maekawa_s

Entry maekawa_s_entry() {
  using namespace maekawa_s;
  return {
      .name = "maekawa-s",
      .problem = Problem::room,
      .title = "Maekawa_S, Joung 2003: locks one after another, with a reference per node",
      .mutants = {{"R1", "a node whose reference has left locks for nobody until it is free",
                   make_process<Node<Requester, printed::ClosesWithReference>>},
                  {"R2", "RELEASED names the process only",
                   make_process<Node<Requester, printed::ReleasesByProcess>>},
                  {"own-order", "a request visits its quorum from the requester's own id upwards",
                   make_process<Node<printed::StartsAtItself, printed::GoesRound>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .claims = claims,
      .refuse = refuse,
  };
}

}  // namespace coterie::protocol
