#include <algorithm>
#include <optional>

#include "protocol/group_k.h"

namespace coterie::protocol::group_k {
namespace {

// The member of the set that comes after this one.
std::optional<NodeId> next_of(NodeId member, const NodeSet& set) {
  for (const NodeId other : set) {
    if (other > member) return other;
  }
  return {};
}

}  // namespace

Arbiter::Arbiter(const Context<Message>& context)
    : Part(context), parallel_(setting().version.has("parallel")) {}

void Arbiter::on(NodeId, const Request& message) {
  clock().see(message.stamp);
  vote_.add(message);
  tell_leader(message);
  pump();
}

void Arbiter::tell_leader(const Request& request) {
  const auto competitors = registers_.find(request.group);
  if (competitors == registers_.end()) return;
  const Stamp leader = competitors->second.holder().stamp;
  send(leader.process, Follow{request.stamp, leader});
}

void Arbiter::on(NodeId, const Yield& message) {
  COTERIE_ASSERT(vote_.holds(message.stamp));
  vote_.take_back();
  pump();
}

void Arbiter::on(NodeId, const Release& message) {
  const bool was_here = vote_.drop(message.stamp);
  COTERIE_ASSERT(was_here);
  if (message.closing) unregister(message.stamp);
  pump();
}

// A group whose leader is known here is told to the leader instead of being granted.
const Request* Arbiter::best_candidate() const {
  for (const Request& request : vote_.queue()) {
    if (!vote_.holds(request.stamp) && !registers_.contains(request.group)) return &request;
  }
  return nullptr;
}

void Arbiter::pump() {
  const Request* best = best_candidate();
  if (vote_.is_free()) {
    lingering_ = false;
    wanted_.reset();
    if (best != nullptr) grant(best->stamp);
    return;
  }
  if (best != nullptr) preempt(best->stamp);
  if (lingering_) tell_wanted(best != nullptr ? std::optional(best->stamp) : std::nullopt);
}

void Arbiter::grant(const Stamp& stamp) {
  vote_.lend(stamp);
  send(stamp.process, Grant{stamp});
}

void Arbiter::preempt(const Stamp& better) {
  if (!vote_.ask_back(better)) return;
  const Stamp holder = vote_.holder().stamp;
  send(holder.process, Preempt{holder});
}

void Arbiter::on(NodeId, const Linger& message) {
  COTERIE_ASSERT(vote_.holds(message.stamp));
  lingering_ = true;
  pump();
}

void Arbiter::tell_wanted(const std::optional<Stamp>& best) {
  if (wanted_ == best) return;
  wanted_ = best;
  const Stamp leader = vote_.holder().stamp;
  send(leader.process, Wanted{leader, best});
}

void Arbiter::on(NodeId, const Compete& message) {
  Vote<Compete>& competitors = registers_[message.group];
  competitors.add(message);
  register_best(message.group);
  if (parallel_ && competitors.ask_back()) {
    const Stamp leader = competitors.holder().stamp;
    send(leader.process, Challenge{leader});
  }
  pump();
}

// Has no effect while another is registered.
void Arbiter::register_best(Group group) {
  COTERIE_ASSERT(registers_.contains(group));
  Vote<Compete>& competitors = registers_.at(group);
  if (competitors.empty()) {
    registers_.erase(group);
    return;
  }
  if (!competitors.is_free()) return;
  Compete next = competitors.best();
  competitors.drop(next.stamp);  // and comes back without what is of use only on its way
  competitors.add(Compete{next.stamp, group, setting().none(), {}});
  competitors.lend(next.stamp);
  for (const Request& request : vote_.queue()) {
    if (is_met(request, next)) next.met.insert(request.stamp);
  }
  if (const auto registrar = next_of(self(), next.registrars)) return send(*registrar, next);
  send(next.stamp.process, Success{next.stamp, next.met});
}

bool Arbiter::is_met(const Request& request, const Compete& by) const {
  return request.group == by.group && request.stamp.process != by.stamp.process;
}

void Arbiter::on(NodeId, const Concede& message) {
  const auto competitors = find_register(message.stamp);
  COTERIE_ASSERT(competitors->second.holds(message.stamp));
  competitors->second.take_back();
  register_best(competitors->first);
  pump();
}

void Arbiter::on(NodeId, const Cancel& message) {
  const bool was_registered = unregister(message.stamp);
  const auto registrar = next_of(self(), message.registrars);
  if (was_registered && registrar) send(*registrar, message);  // where its COMPETE has gone
  pump();
}

void Arbiter::on(NodeId, const Clear& message) {
  unregister(message.stamp);
  pump();
}

Arbiter::Registers::iterator Arbiter::find_register(const Stamp& stamp) {
  const auto found = std::find_if(registers_.begin(), registers_.end(), [&](const auto& entry) {
    return entry.second.find(stamp) != nullptr;
  });
  COTERIE_ASSERT(found != registers_.end());
  return found;
}

// Answers whether it was registered, not just waiting to be.
bool Arbiter::unregister(const Stamp& stamp) {
  const auto competitors = find_register(stamp);
  const bool was_registered = competitors->second.holds(stamp);
  competitors->second.drop(stamp);
  register_best(competitors->first);
  return was_registered;
}

}  // namespace coterie::protocol::group_k
