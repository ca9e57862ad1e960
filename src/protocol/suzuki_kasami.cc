#include "protocol/suzuki_kasami.h"

#include <algorithm>

#include "protocol/catalogue.h"
#include "protocol/printed/suzuki_kasami.h"

namespace coterie::protocol {
namespace suzuki_kasami {

Site::Site(const Context<Message>& context) : Part(context), requested_(setting().processes) {
  if (self() == 0) token_ = Token{.queue = {}, .served = requested_};
}

void Site::enter(const Demand&) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  if (token_) {
    phase_ = Phase::inside;
    return entered(0);
  }
  phase_ = Phase::waiting;
  const Stamp stamp = clock().next(self());
  requested_[self()] = stamp.time;
  NodeSet others = setting().everyone();
  others.erase(self());
  send(others, Request{stamp});
}

void Site::on(NodeId from, const Request& message) {
  requested_[from] = std::max(requested_[from], message.stamp.time);
  if (token_ && phase_ == Phase::idle && is_unserved(from)) pass_on(from);
}

void Site::on(NodeId /*from*/, const Token& message) {
  COTERIE_ASSERT(!token_);
  COTERIE_ASSERT(message.served.size() == setting().processes);
  COTERIE_ASSERT(phase_ == Phase::waiting);
  token_ = message;
  phase_ = Phase::inside;
  entered(0);
}

void Site::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  COTERIE_ASSERT(token_.has_value());
  phase_ = Phase::idle;
  token_->served[self()] = requested_[self()];
  for (NodeId process = 0; process < setting().processes; ++process) {
    if (is_unserved(process) && !is_queued(process)) token_->queue.push_back(process);
  }
  exited();
  if (token_->queue.empty()) return;
  const NodeId next = token_->queue.front();
  token_->queue.erase(token_->queue.begin());
  pass_on(next);
}

bool Site::is_queued(NodeId process) const {
  return std::ranges::find(token_->queue, process) != token_->queue.end();
}

void Site::pass_on(NodeId process) {
  send(process, *token_);
  token_.reset();
}

}  // namespace suzuki_kasami

Entry suzuki_kasami_entry() {
  using namespace suzuki_kasami;
  return {
      .name = "suzuki-kasami",
      .problem = Problem::mutex,
      .title = "Suzuki and Kasami 1985: a token, asked for everywhere",
      .mutants = {{"serves-again", "a REQUEST that comes after it was served gets the token",
                   make_process<Peer<printed::ServesAgain>>},
                  {"queues-again", "a request that is in the token's queue is put there again",
                   make_process<Peer<printed::QueuesAgain>>}},
      .make = make_process<Peer<Site>>,
      .needs_system = false,
  };
}

}  // namespace coterie::protocol
