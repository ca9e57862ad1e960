#include "protocol/ricart_agrawala.h"

#include "protocol/catalogue.h"
#include "protocol/printed/ricart_agrawala.h"

namespace coterie::protocol {
namespace ricart_agrawala {

Site::Site(const Context<Message>& context) : Part(context), awaited_(setting().none()) {}

void Site::enter(const Demand&) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  phase_ = Phase::waiting;
  current_ = clock().next(self());
  awaited_ = setting().everyone();
  awaited_.erase(self());
  send(awaited_, Request{current_});
  enter_if_all_agree();
}

void Site::on(NodeId /*from*/, const Request& message) {
  clock().see(message.stamp);
  answer(message.stamp);
}

void Site::answer(const Stamp& stamp) {
  const bool is_ours_first =
      phase_ == Phase::inside || (phase_ == Phase::waiting && is_before(stamp));
  if (is_ours_first) {
    deferred_.insert({stamp.process, stamp});
  } else {
    send(stamp.process, Reply{stamp});
  }
}

void Site::on(NodeId from, const Reply& message) {
  COTERIE_ASSERT(phase_ == Phase::waiting);
  COTERIE_ASSERT(message.stamp == current_);
  awaited_.erase(from);
  enter_if_all_agree();
}

void Site::enter_if_all_agree() {
  if (!awaited_.empty()) return;
  phase_ = Phase::inside;
  entered(0);
}

void Site::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  phase_ = Phase::idle;
  current_ = {};
  for (const auto& [process, stamp] : deferred_) send(process, Reply{stamp});
  deferred_.clear();
  exited();
}

}  // namespace ricart_agrawala

Entry ricart_agrawala_entry() {
  using namespace ricart_agrawala;
  return {
      .name = "ricart-agrawala",
      .problem = Problem::mutex,
      .title = "Ricart and Agrawala 1981: everybody is asked",
      .mutants = {{"no-tie-break", "two requests of one time agree to each other",
                   make_process<Peer<printed::NoTieBreak>>},
                  {"no-clock", "a process does not advance its clock by the requests that it sees",
                   make_process<Peer<printed::NoClock>>}},
      .make = make_process<Peer<Site>>,
      .needs_system = false,
  };
}

}  // namespace coterie::protocol
