#include "protocol/raymond.h"

#include "protocol/catalogue.h"
#include "protocol/printed/raymond.h"

namespace coterie::protocol {
namespace raymond {

Site::Site(const Context<Message>& context)
    : Part(context), holder_(self() == 0 ? 0 : (self() - 1) / 2) {}

void Site::enter(const Demand&) { add(self()); }

void Site::on(NodeId from, const Request&) { add(from); }

void Site::add(NodeId process) {
  const bool is_first = queue_.empty();
  queue_.push_back(process);
  if (has_token()) {
    assign_privilege();
  } else if (is_first) {
    send(holder_, Request{});
  }
}

void Site::on(NodeId from, const Privilege&) {
  COTERIE_ASSERT(from == holder_);
  COTERIE_ASSERT(!queue_.empty());
  holder_ = self();
  assign_privilege();
}

void Site::exit() {
  COTERIE_ASSERT(using_);
  using_ = false;
  exited();
  assign_privilege();
}

void Site::assign_privilege() {
  if (using_ || queue_.empty()) return;
  holder_ = queue_.front();
  queue_.erase(queue_.begin());
  if (has_token()) {
    using_ = true;
    return entered(0);
  }
  send(holder_, Privilege{});
  if (!queue_.empty()) ask_again();
}

void Site::ask_again() { send(holder_, Request{}); }

}  // namespace raymond

Entry raymond_entry() {
  using namespace raymond;
  return {
      .name = "raymond",
      .problem = Problem::mutex,
      .title = "Raymond 1989: a token that moves along a tree",
      .mutants = {{"asks-once",
                   "who passes the token on does not ask it back for the others in its queue",
                   make_process<Peer<printed::AsksOnce>>}},
      .make = make_process<Peer<Site>>,
      .needs_system = false,
  };
}

}  // namespace coterie::protocol
