// The versions of group k-exclusion; the algorithm is in group_k_requester.cc and group_k_arbiter.cc.
#include "protocol/group_k.h"

#include "protocol/catalogue.h"
#include "protocol/entries.h"
#include "protocol/printed/group_k.h"

namespace coterie::protocol {
namespace group_k {
namespace {

std::string refuse(const Setting& setting) {
  const quorum::System& system = setting.system();
  if (system.kind() == quorum::Kind::groups) {
    return "group-k needs a k-coterie or a write-read system, and " + system.spec() +
           " has quorums per group";
  }
  if (setting.max != system.k()) {
    return "group-k lets as many groups inside as the system has disjoint write quorums: " +
           system.spec() + " needs max = " + std::to_string(system.k()) + ", not " +
           std::to_string(setting.max);
  }
  return "";
}

}  // namespace
}  // namespace group_k

Entry group_k_entry() {
  using namespace group_k;
  return {
      .name = "group-k",
      .problem = Problem::rooms,
      .title = "Jiang's group k-exclusion by k-write-read coteries",
      .variants = {{"parallel", "competes at all registrars at once, not at one after another"}},
      .mutants =
          {{"C1", "YIELD grants the request that caused the PREEMPT, though a better one has come",
            make_process<Node<Requester, printed::GrantsTheCause>>},
           {"C2", "RELEASE grants the next although another holds the vote",
            make_process<Node<Requester, printed::GrantsAtEveryRelease>>},
           {"C3", "a request of a group with a leader is told to the leader and not queued",
            make_process<Node<Requester, printed::QueuesNoFollower>>},
           {"C4", "FOLLOW does not say which request leads",
            make_process<Node<printed::TakesAnyFollow, Arbiter>>},
           {"C5", "COMPETE does not wait at a registrar that has a leader, who is told instead",
            make_process<Node<Requester, printed::FailsCompetitors>>},
           {"C6", "followers are known by their processes, not by their requests",
            make_process<Node<printed::CountsProcesses, Arbiter>>},
           {"C7", "a competitor that is let in before it hears of its failure clears no registrar",
            make_process<Node<printed::CancelsNothing, Arbiter>>},
           {"C8", "a competitor that is told of another leader releases its quorum",
            make_process<Node<printed::HeedsNotice, printed::SendsNotice>>},
           {"C9", "a follower lets others in, and is out for its leader when they are",
            make_process<Node<printed::LeadsAsFollower, Arbiter>>},
           {"C10", "COMPETE overlooks the granted request",
            make_process<Node<Requester, printed::OverlooksGranted>>},
           {"C11", "the leader is registered no more when it leaves before its followers",
            make_process<Node<printed::ClearsAtExit, Arbiter>>},
           {"C12", "a vote is given back after the quorum is complete, until inside",
            make_process<Node<printed::YieldsInWaitSection, Arbiter>>},
           {"costs", "C3, and CLEAR apart from RELEASE: what alone or joining it costs as printed",
            make_process<Node<printed::ClearsApart, printed::QueuesNoFollower>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .chooses_quorums = true,
      .claims = [](const Version&) { return Claims{.free_slot = true, .concurrent_entry = true}; },
      .refuse = refuse,
  };
}

}  // namespace coterie::protocol
