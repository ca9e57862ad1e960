#include "protocol/surrogate_k.h"

#include "protocol/catalogue.h"
#include "protocol/entries.h"
#include "protocol/printed/surrogate_k.h"

namespace coterie::protocol {
namespace surrogate_k {

void Requester::on(NodeId from, const surrogate::Invite& message) {
  if (is_stale(message.stamp)) return depart(message.stamp, {message.leader, message.tracked});
  surrogate::Requester::on(from, message);
}

namespace {

std::string refuse(const Setting& setting) {
  const quorum::System& system = setting.system();
  if (system.kind() == quorum::Kind::groups) {
    return "surrogate-k needs a k-coterie, and " + system.spec() + " has quorums per group";
  }
  if (setting.max != system.k()) {
    return "surrogate-k lets as many forums inside as the system has disjoint quorums: " +
           system.spec() + " needs max = " + std::to_string(system.k()) + ", not " +
           std::to_string(setting.max);
  }
  return "";
}

}  // namespace
}  // namespace surrogate_k

Entry surrogate_k_entry() {
  using namespace surrogate_k;
  using surrogate::Arbiter;
  return {
      .name = "surrogate-k",
      .problem = Problem::rooms,
      .title = "Surrogate over a k-coterie",
      .variants = {{"multi", "requests that name several groups (8.2)"},
                   {"no-failed", "no FAILED: who is INQUIREd relinquishes at once"}},
      .mutants = {{"stale-invite", "an INVITE that comes too late is not answered",
                   make_process<Node<printed::DropsStaleInvite, Arbiter>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .takes_groups_together = true,
      .claims =
          [](const Version&) { return Claims{.free_slot = false, .concurrent_entry = false}; },
      .refuse = refuse,
  };
}

}  // namespace coterie::protocol
