#include "protocol/central.h"

#include "protocol/catalogue.h"

namespace coterie::protocol {
namespace central {
namespace {

constexpr NodeId kCoordinator = 0;

}  // namespace

void Requester::enter(const Demand&) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  phase_ = Phase::waiting;
  send(kCoordinator, Request{});
}

void Requester::on(NodeId /*from*/, const Grant&) {
  COTERIE_ASSERT(phase_ == Phase::waiting);
  phase_ = Phase::inside;
  entered(0);
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  phase_ = Phase::idle;
  send(kCoordinator, Release{});
  exited();
}

void Coordinator::on(NodeId from, const Request&) {
  queue_.push_back(from);
  if (queue_.size() == 1) send(from, Grant{});
}

void Coordinator::on(NodeId from, const Release&) {
  COTERIE_ASSERT(!queue_.empty());
  COTERIE_ASSERT(queue_.front() == from);
  queue_.erase(queue_.begin());
  if (!queue_.empty()) send(queue_.front(), Grant{});
}

}  // namespace central

Entry central_entry() {
  using namespace central;
  return {
      .name = "central",
      .problem = Problem::mutex,
      .title = "A plain coordinator: process 0",
      .make = make_process<Node<Requester, Coordinator>>,
      .needs_system = false,
  };
}

}  // namespace coterie::protocol
