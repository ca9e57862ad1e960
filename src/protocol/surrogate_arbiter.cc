#include <algorithm>

#include "protocol/surrogate.h"

namespace coterie::protocol::surrogate {

Arbiter::Arbiter(const Context<Message>& context)
    : Part(context),
      entry_(setting().version.has("entry")),
      no_failed_(setting().version.has("no-failed")),
      leave_(setting().version.has("leave")),
      stale_invites_(leave_ || setting().version.has("direct")) {}

void Arbiter::on(NodeId, const Request& message) {
  clock().see(message.stamp);
  if (is_free()) {
    vote_.add(message);
    return grant();
  }
  rank(message);
  if (entry_ && !vote_.is_free()) tell_holder(message);
}

void Arbiter::rank(const Request& request) {
  if (vote_.empty()) return vote_.add(request);  // the leader has gone, followers are inside
  const Stamp best = vote_.best().stamp;
  vote_.add(request);
  if (best < request.stamp) return fail(request.stamp);
  vote_.holds(best) ? inquire() : fail(best);
}

void Arbiter::fail(const Stamp& stamp) {
  if (no_failed_) return;
  if (told_.insert(stamp).second) send(stamp.process, Failed{stamp});
}

void Arbiter::inquire() {
  if (vote_.ask_back()) send(vote_.holder().stamp.process, Inquire{vote_.holder().stamp});
}

void Arbiter::on(NodeId, const Cancel& message) {
  forget(message.stamp);
  if (is_free()) return grant();
  if (!deferred_.empty() && !vote_.is_free() && conflicting().empty()) forward_deferred();
}

void Arbiter::on(NodeId, const Released& message) {
  if (!stale_invites_) stale_.add(message.stamp);
  if (message.stamp == message.leader) {
    COTERIE_ASSERT(vote_.holds(message.leader));
    forget(message.leader);
    const Set<Stamp> served = listed_;
    for (const Stamp& stamp : served) forget(stamp);
    invited_ = message.invited;
  } else {
    ++returned_;
  }
  if (is_free()) grant();
}

void Arbiter::on(NodeId, const Relinquish& message) {
  COTERIE_ASSERT(vote_.holds(message.stamp));
  vote_.take_back();
  grant();
}

void Arbiter::grant() {
  invited_ = returned_ = 0;
  deferred_.clear();
  listed_.clear();
  if (vote_.empty()) return;
  const Stamp next = vote_.lend().stamp;
  Locked locked{next, compatible(), entry_ ? conflicting() : std::vector<Stamp>(), stale_};
  if (leave_) {
    for (const Request& other : locked.compatible) listed_.insert(other.stamp);
  }
  send(next.process, std::move(locked));
}

std::vector<Request> Arbiter::compatible() const {
  std::vector<Request> others;
  others.reserve(vote_.queue().size());
  const Request& holder = vote_.holder();
  for (const Request& other : vote_.queue()) {
    if (&other != &holder && other.groups.meets(holder.groups)) others.push_back(other);
  }
  return others;
}

std::vector<Stamp> Arbiter::conflicting() const {
  std::vector<Stamp> others;
  const Request& holder = vote_.holder();
  for (const Request& other : vote_.queue()) {
    if (!other.groups.meets(holder.groups)) others.push_back(other.stamp);
  }
  return others;
}

void Arbiter::tell_holder(const Request& request) {
  const Request& holder = vote_.holder();
  if (!request.groups.meets(holder.groups)) {
    send(holder.stamp.process, Stepdown{holder.stamp, request.stamp});
  } else if (conflicting().empty()) {
    forward(request);
  } else {
    deferred_.insert(request.stamp);
  }
}

void Arbiter::forward(const Request& request) {
  const Stamp holder = vote_.holder().stamp;
  send(holder.process, Forward{holder, request});
}

void Arbiter::forward_deferred() {
  for (const Stamp& stamp : deferred_) forward(*vote_.find(stamp));
  deferred_.clear();
}

void Arbiter::forget(const Stamp& stamp) {
  vote_.drop(stamp);
  told_.erase(stamp);
  deferred_.erase(stamp);
}

}  // namespace coterie::protocol::surrogate
