#include "protocol/maekawa.h"

#include "protocol/band.h"
#include "protocol/catalogue.h"
#include "protocol/printed/maekawa.h"

namespace coterie::protocol {
namespace maekawa {

Requester::Requester(const Context<Message>& context)
    : Part(context),
      locked_(setting().none()),
      failed_(setting().none()),
      inquiries_(setting().none()) {}

void Requester::enter(const Demand&) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  phase_ = Phase::waiting;
  current_ = clock().next(self());
  send(setting().home(self()), Request{current_});
}

void Requester::on(NodeId from, const Locked& message) {
  COTERIE_ASSERT(!is_stale(message.stamp));
  locked_.insert(from);
  failed_.erase(from);
  if (!setting().home(self()).is_subset_of(locked_)) return;
  phase_ = Phase::inside;
  inquiries_.clear();
  entered(0);
}

void Requester::on(NodeId from, const Failed& message) {
  if (is_stale(message.stamp)) return;  // it crossed our RELEASED
  failed_.insert(from);
  const NodeSet waiting = inquiries_;
  for (const NodeId arbiter : waiting) relinquish(arbiter);
}

void Requester::on(NodeId from, const Inquire& message) {
  if (is_stale(message.stamp)) return;  // we are inside, or left: RELEASED is the answer
  inquiries_.insert(from);
  if (!failed_.empty()) relinquish(from);
}

void Requester::relinquish(NodeId arbiter) {
  COTERIE_ASSERT(locked_.contains(arbiter));
  locked_.erase(arbiter);
  inquiries_.erase(arbiter);
  failed_.insert(arbiter);
  send(arbiter, Relinquish{current_});
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  phase_ = Phase::idle;
  locked_.clear();
  failed_.clear();
  send(setting().home(self()), Released{current_});
  exited();
}

void Arbiter::on(NodeId, const Request& message) {
  clock().see(message.stamp);
  if (vote_.is_free()) {
    vote_.add(message);
    return grant();
  }
  const Stamp best = vote_.best().stamp;
  vote_.add(message);
  if (best < message.stamp) return fail(message.stamp);
  if (!vote_.holds(best)) displace(best);
  if (vote_.ask_back()) send(vote_.holder().stamp.process, Inquire{vote_.holder().stamp});
}

void Arbiter::on(NodeId, const Relinquish& message) {
  COTERIE_ASSERT(vote_.holds(message.stamp));
  vote_.take_back();
  told_.insert(message.stamp);  // it knows
  grant();
}

void Arbiter::on(NodeId, const Released& message) {
  COTERIE_ASSERT(vote_.holds(message.stamp));
  vote_.drop(message.stamp);
  if (!vote_.empty()) grant();
}

void Arbiter::fail(const Stamp& stamp) {
  if (told_.insert(stamp).second) send(stamp.process, Failed{stamp});
}

void Arbiter::grant() {
  const Stamp next = vote_.lend().stamp;
  told_.erase(next);
  send(next.process, Locked{next});
}

}  // namespace maekawa

Entry maekawa_entry() {
  using namespace maekawa;
  return {
      .name = "maekawa",
      .problem = Problem::mutex,
      .title = "Maekawa 1985, with Sanders' correction",
      .mutants = {{"S1", "an INQUIRE that comes before a FAILED is dropped",
                   make_process<Node<printed::DropsInquire, Arbiter>>},
                  {"S2", "a waiting request that a better one displaces is not told FAILED",
                   make_process<Node<Requester, printed::TellsNewcomersOnly>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .refuse = refuse_unless_coterie,
  };
}

}  // namespace coterie::protocol
