#include <algorithm>

#include "protocol/surrogate.h"

namespace coterie::protocol::surrogate {

Requester::Requester(const Context<Message>& context)
    : Part(context),
      entry_(setting().version.has("entry")),
      multi_(setting().version.has("multi")),
      no_failed_(setting().version.has("no-failed")),
      leave_(setting().version.has("leave")),
      stale_invites_(leave_ || setting().version.has("direct")),
      quorum_(setting().home(self())),
      locked_(setting().none()),
      inquiries_(setting().none()) {}

void Requester::enter(const Demand& demand) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  phase_ = Phase::waiting;
  current_ = {clock().next(self()), multi_ ? demand.groups : Groups{demand.groups.front()}};
  send(quorum_, current_);
}

void Requester::on(NodeId from, const Locked& message) {
  if (is_stale(message.stamp)) return;  // we follow somebody: it crossed our CANCEL
  locked_.insert(from);
  stale_.add(message.stale);
  for (const Request& other : message.compatible) invitable_.emplace(other.stamp, other.groups);
  conflicts_.insert(message.conflicting.begin(), message.conflicting.end());
  erase_where(invitable_, [&](const auto& other) { return !is_live(other.first, stale_); });
  erase_where(conflicts_, [&](const Stamp& other) { return !is_live(other, stale_); });
  if (quorum_.is_subset_of(locked_)) lead();
}

void Requester::on(NodeId, const Failed& message) {
  if (is_stale(message.stamp)) return;  // it crossed our CANCEL
  failed_ = true;
  const NodeSet unanswered = inquiries_;
  for (const NodeId arbiter : unanswered) relinquish(arbiter);
}

void Requester::on(NodeId from, const Inquire& message) {
  if (is_stale(message.stamp)) return;  // we are inside, or left: RELEASED or CANCEL is the answer
  inquiries_.insert(from);
  if (failed_ || no_failed_) relinquish(from);
}

void Requester::relinquish(NodeId arbiter) {
  COTERIE_ASSERT(locked_.contains(arbiter));
  locked_.erase(arbiter);
  inquiries_.erase(arbiter);
  send(arbiter, Relinquish{current_.stamp});
}

void Requester::lead() {
  COTERIE_ASSERT(!forum_);
  const Group group = most_accepted();
  const auto accepts = [&](const auto& other) { return other.second.accepts(group); };
  // A leader of 4.1 waits for its followers too, as one of an open forum does.
  const bool is_open =
      leave_ || (entry_ && conflicts_.empty() && std::ranges::all_of(invitable_, accepts));
  std::optional<Door> door;
  if (is_open) door = Door{.group = group, .followers = 0, .stale = stale_};
  forum_ = Forum{.leader = current_.stamp, .door = door, .invited = 0};
  for (const auto& other : invitable_) {
    if (accepts(other)) invite(other.first, group);
  }
  step_inside(group);
}

// Of the groups that the request accepts, the one that most of the others accept too.
Group Requester::most_accepted() const {
  const auto count = [&](Group group) {
    return std::ranges::count_if(invitable_,
                                 [&](const auto& other) { return other.second.accepts(group); });
  };
  return *std::ranges::max_element(current_.groups, {}, count);
}

void Requester::invite(const Stamp& request, Group group) {
  const bool is_tracked = forum_->door.has_value();
  if (is_tracked) {
    ++forum_->door->followers;
    forum_->door->stale.add(request);
  }
  if (!leave_) ++forum_->invited;
  send(request.process, Invite{request, forum_->leader, group, is_tracked});
}

void Requester::on(NodeId, const Invite& message) {
  const Following following{message.leader, message.tracked};
  if (is_stale(message.stamp)) {
    COTERIE_ASSERT(stale_invites_);  // Lemma 3
    return depart(message.stamp, following);
  }
  send(quorum_, Cancel{message.stamp});
  following_ = following;
  step_inside(message.group);
}

void Requester::step_inside(Group group) {
  phase_ = Phase::inside;
  current_.groups = {};
  locked_.clear();
  failed_ = false;
  inquiries_.clear();
  invitable_.clear();
  conflicts_.clear();
  stale_ = {};
  entered(group);
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  phase_ = Phase::idle;
  if (following_) {
    depart(current_.stamp, *following_);
    following_.reset();
  } else {
    leave_forum();
  }
  current_ = {};
  exited();
}

void Requester::depart(const Stamp& request, const Following& following) const {
  const NodeId leader = following.leader.process;
  if (!leave_) send(setting().home(leader), Released{request, following.leader, 0});
  if (following.tracked) send(leader, Leave{following.leader});
}

void Requester::leave_forum() {
  if (!forum_->door || forum_->door->followers == 0) close();
}

Door* Requester::open_door(const Stamp& leader) {
  const bool is_open = forum_ && forum_->leader == leader && forum_->door;
  return is_open ? &*forum_->door : nullptr;
}

void Requester::on(NodeId, const Leave& message) {
  Door* const door = open_door(message.leader);
  if (door == nullptr) return;  // closed: the arbiters wait for the followers
  --door->followers;
  if (door->followers == 0 && is_outside()) close();
}

// Whoever is not invited stays in the queue of its nodes, and is granted in time.
void Requester::on(NodeId, const Forward& message) {
  const auto& [stamp, groups] = message.request;
  if (!is_stale(message.leader)) invitable_.emplace(stamp, groups);
  const Door* const door = open_door(message.leader);
  if (door == nullptr || !is_live(stamp, door->stale)) return;
  groups.accepts(door->group) ? invite(stamp, door->group) : step_down();
}

void Requester::on(NodeId, const Stepdown& message) {
  if (!is_stale(message.leader)) conflicts_.insert(message.conflicting);
  const Door* const door = open_door(message.leader);
  if (door != nullptr && is_live(message.conflicting, door->stale)) step_down();
}

void Requester::step_down() {
  forum_->door.reset();
  if (is_outside()) close();
}

void Requester::close() {
  send(quorum_, Released{forum_->leader, forum_->leader, forum_->invited});
  forum_.reset();
}

}  // namespace coterie::protocol::surrogate
