#include "protocol/fused.h"

#include "protocol/band.h"
#include "protocol/entries.h"
#include "protocol/printed/fused.h"

namespace coterie::protocol {
namespace fused {

void Requester::enter(const Demand&) {
  COTERIE_ASSERT(!leaving_);
  send(setting().home(self()), Entered{});
  entered(0);
}

void Requester::exit() {
  COTERIE_ASSERT(!leaving_);
  leaving_ = true;
  send(setting().home(self()), Request{clock().next(self())});
}

void Requester::on(NodeId from, const Grant& message) {
  COTERIE_ASSERT(leaving_);
  view_[from] = message.inside;
  leave_if_enough();
}

void Requester::on(NodeId from, const Update& message) {
  if (!view_.contains(from)) return;  // we gave the vote back, and will be told with the next
  view_[from] = message.inside;
  leave_if_enough();
}

void Requester::on(NodeId from, const Preempt&) {
  if (!view_.contains(from)) return;  // we left: RELEASED is the answer
  if (has_all_votes()) return;        // we are the next to leave
  view_.erase(from);
  send(from, Yield{});
}

void Requester::leave_if_enough() {
  if (!has_all_votes()) return;
  NodeSet inside = setting().none();
  for (const auto& [arbiter, known] : view_) inside |= known;
  if (inside.size() <= setting().min) return;
  leaving_ = false;
  view_.clear();
  send(setting().home(self()), Released{});
  exited();
}

Arbiter::Arbiter(const Context<Message>& context) : Part(context), inside_(setting().none()) {
  for (const NodeId process : setting().inside) {
    if (setting().home(process).contains(self())) inside_.insert(process);
  }
}

void Arbiter::on(NodeId, const Request& message) {
  clock().see(message.stamp);
  vote_.add(message);
  if (vote_.is_free()) return grant();
  if (vote_.ask_back()) send(vote_.holder().stamp.process, Preempt{});
}

void Arbiter::on(NodeId from, const Yield&) {
  COTERIE_ASSERT(is_lent_to(from));
  vote_.take_back();
  grant();
}

void Arbiter::on(NodeId from, const Released&) {
  COTERIE_ASSERT(is_lent_to(from));
  inside_.erase(from);
  vote_.drop(Stamp(vote_.holder().stamp));
  if (!vote_.empty()) grant();
}

void Arbiter::on(NodeId from, const Entered&) {
  inside_.insert(from);
  if (!vote_.is_free()) send(vote_.holder().stamp.process, Update{inside_});
}

void Arbiter::grant() { send(vote_.lend().stamp.process, Grant{inside_}); }

}  // namespace fused

Entry mutin_fused_entry() {
  using namespace fused;
  return {
      .name = "mutin-fused",
      .problem = Problem::floor,
      .title = "MUTIN(l) with the count carried by the votes: ours",
      .mutants = {{"no-update", "who holds a vote is not told who enters",
                   make_process<Node<Requester, printed::TellsGranteesOnce>>},
                  {"never-yields", "gives no vote back",
                   make_process<Node<printed::NeverYields, Arbiter>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .starts_inside = true,
      .refuse = [](const Setting& setting) -> std::string {
        const std::string fault = refuse_unless_coterie(setting);
        return fault.empty() ? refuse_band(setting, setting.min, setting.processes) : fault;
      },
  };
}

}  // namespace coterie::protocol
