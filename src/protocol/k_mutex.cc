#include "protocol/k_mutex.h"

#include "protocol/catalogue.h"
#include "protocol/entries.h"
#include "protocol/printed/k_mutex.h"

namespace coterie::protocol {
namespace k_mutex {

Requester::Requester(const Context<Message>& context)
    : Part(context), asked_(setting().none()), votes_(setting().none()) {}

void Requester::enter(const Demand& demand) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  phase_ = Phase::waiting;
  current_ = clock().next(self());
  ask(setting().choose(self(), demand.prefer));
}

void Requester::ask(const NodeSet& members) {
  const NodeSet newly = members - asked_;
  asked_ |= members;
  send(newly, Request{current_});
  if (asked_ != setting().everyone()) set_alarm();
}

void Requester::alarm(const NodeSet& prefer) {
  if (phase_ != Phase::waiting) return;  // set for a request that was served since
  const NodeSet next = another_quorum(prefer);
  ask(next.is_subset_of(asked_) ? setting().everyone() : next);
}

NodeSet Requester::another_quorum(const NodeSet& prefer) const {
  if (prefer.universe() != 0) return setting().choose(self(), prefer);
  // As few as can be of those who were asked and gave nothing, then as few new ones as can be.
  const quorum::Cost busy = setting().processes + 1;
  std::vector<quorum::Cost> costs(setting().processes, 1);
  for (const NodeId member : asked_) costs[member] = votes_.contains(member) ? 0 : busy;
  const auto quorum = setting().system().write().find_quorum(setting().everyone(), costs);
  COTERIE_ASSERT(quorum.has_value());
  return *quorum;
}

void Requester::on(NodeId from, const Grant& message) {
  if (is_stale(message.stamp)) return;  // it crossed our RELEASE
  COTERIE_ASSERT(asked_.contains(from));
  votes_.insert(from);
  if (!setting().system().write().contains_quorum(votes_)) return;
  phase_ = Phase::inside;
  const NodeSet kept = votes_to_keep();
  send(asked_ - kept, Release{current_});
  asked_ = kept;
  votes_.clear();
  entered(0);
}

NodeSet Requester::votes_to_keep() const {
  const auto quorum = setting().system().write().find_quorum(votes_);
  COTERIE_ASSERT(quorum.has_value());
  return *quorum;
}

void Requester::on(NodeId from, const Preempt& message) {
  if (is_stale(message.stamp)) return;  // we are inside, or left: RELEASE is the answer
  COTERIE_ASSERT(votes_.contains(from));
  votes_.erase(from);
  send(from, Yield{current_});
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  send(asked_, Release{current_});
  phase_ = Phase::idle;
  current_ = {};
  asked_.clear();
  exited();
}

void Arbiter::on(NodeId, const Request& message) {
  clock().see(message.stamp);
  vote_.add(message);
  if (vote_.is_free()) return grant();
  preempt();
}

void Arbiter::on(NodeId, const Yield& message) {
  COTERIE_ASSERT(vote_.holds(message.stamp));
  vote_.take_back();
  grant();
}

void Arbiter::on(NodeId, const Release& message) {
  const bool was_here = vote_.drop(message.stamp);
  COTERIE_ASSERT(was_here);
  if (vote_.is_free() && !vote_.empty()) grant();
}

void Arbiter::grant() {
  const Stamp next = vote_.lend().stamp;
  send(next.process, Grant{next});
}

void Arbiter::preempt() {
  if (!vote_.ask_back()) return;
  const Stamp holder = vote_.holder().stamp;
  send(holder.process, Preempt{holder});
}

namespace {

std::string refuse(const Setting& setting) {
  const quorum::System& system = setting.system();
  if (system.kind() == quorum::Kind::groups) {
    return "k-mutex needs a k-coterie, and " + system.spec() + " has quorums per group";
  }
  if (setting.max != system.k()) {
    return "k-mutex lets as many inside as the system has disjoint quorums: " + system.spec() +
           " needs max = " + std::to_string(system.k()) + ", not " + std::to_string(setting.max);
  }
  return "";
}

}  // namespace
}  // namespace k_mutex

Entry k_mutex_entry() {
  using namespace k_mutex;
  return {
      .name = "k-mutex",
      .problem = Problem::semaphore,
      .title = "k-mutual exclusion over a k-coterie, which Jiang and Huang leave to the reader",
      .mutants = {{"fixed-quorum", "a request asks one quorum only (K1)",
                   make_process<Node<printed::StaysWithOneQuorum, Arbiter>>},
                  {"no-preempt", "a vote is never taken back (K2)",
                   make_process<Node<Requester, printed::NeverPreempts>>},
                  {"keeps-surplus",
                   "who enters keeps what it asked beyond its quorum, too, until it leaves (K3)",
                   make_process<Node<printed::KeepsSurplus, Arbiter>>},
                  {"untagged", "a GRANT does not say for which request (K4)",
                   make_process<Node<printed::TakesAnyGrant, Arbiter>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .chooses_quorums = true,
      .refuse = refuse,
  };
}

}  // namespace coterie::protocol
