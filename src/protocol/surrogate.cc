// Surrogate's versions; the algorithm is in surrogate_requester.cc and surrogate_arbiter.cc.
#include "protocol/surrogate.h"

#include "protocol/band.h"
#include "protocol/catalogue.h"
#include "protocol/entries.h"
#include "protocol/printed/surrogate.h"

namespace coterie::protocol {
namespace surrogate {
namespace {

Claims claims(const Version& version) {
  return {.free_slot = true, .concurrent_entry = version.has("entry")};
}

std::string refuse(const Setting& setting) {
  const Version& version = setting.version;
  const bool is_stage = version.has("leave") || version.has("direct");
  if (version.has("leave") && version.has("direct")) {
    return "+leave and +direct are two stages of Surrogate: take one of them";
  }
  if (is_stage && (version.has("entry") || version.has("multi"))) {
    return "+entry and +multi extend the final Surrogate, not its stages +leave and +direct";
  }
  return refuse_unless_coterie(setting);
}

}  // namespace
}  // namespace surrogate

Entry surrogate_entry() {
  using namespace surrogate;
  using namespace surrogate::printed;
  return {
      .name = "surrogate",
      .problem = Problem::room,
      .title = "Atreya, Mittal, Peri 2007",
      .variants = {{"entry", "concurrent entry (8.1)"},
                   {"multi", "requests that name several groups (8.2)"},
                   {"no-failed", "no FAILED: who is INQUIREd relinquishes at once"},
                   {"leave", "the stage of 4.1: followers LEAVE at their leader"},
                   {"direct", "the stage of 4.2: direct release, stale INVITEs"}},
      .mutants =
          {{"E1", "LOCKED lists the request that it locks for, which then invites itself",
            make_process<Node<FollowsItself, ListsItself>>},
           {"E2", "an INQUIRE that comes before a FAILED is dropped",
            make_process<Node<DropsInquire, Arbiter>>},
           {"E3", "a node that was relinquished still counts as locked",
            make_process<Node<CountsRelinquished, TrustsReleased>>},
           {"E4", "a request is INQUIREd once, though it may lock the node again",
            make_process<Node<Requester, InquiresOnce>>},
           {"E5", "only the latest request of a process is known to be stale, not those before",
            make_process<Node<ComparesByEquality, Arbiter>>},
           {"E6", "a node compares a newcomer with the best of an empty queue, and gets no further",
            make_process<Node<Requester, TakesBestOfNothing>>},
           {"C1", "+entry: a leader that invited somebody waits for a STEPDOWN",
            make_process<Node<WaitsForStepdown, Arbiter>>},
           {"C2", "+entry: a leader releases when it leaves",
            make_process<Node<ReleasesAtExit, Arbiter>>},
           {"C3", "+entry: what a fulfilled conflict held back is never forwarded",
            make_process<Node<Requester, NeverForwardsLater>>},
           {"C4", "+entry: a STEPDOWN because of a fulfilled request closes the forum",
            make_process<Node<HeedsEveryStepdown, Arbiter>>},
           {"C5", "+entry: LOCKED names one conflicting request, which may be fulfilled",
            make_process<Node<Requester, NamesOneConflict>>},
           {"C6", "+entry: a request that two nodes forward is invited twice",
            make_process<Node<InvitesTwice, Arbiter>>},
           {"M1", "+entry+multi: a forwarded request of other groups leaves the forum open",
            make_process<Node<IgnoresOtherGroups, Arbiter>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .takes_groups_together = true,
      .claims = surrogate::claims,
      .refuse = surrogate::refuse,
  };
}

}  // namespace coterie::protocol
