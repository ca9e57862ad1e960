#include "protocol/shares.h"

#include "protocol/catalogue.h"
#include "protocol/mutants/shares.h"
#include "protocol/surviving.h"

namespace coterie::protocol {
namespace shares {
namespace {

std::string refuse(const Setting& setting) {
  if (setting.system().kind() != quorum::Kind::coterie || setting.system().k() != 1)
    return "it needs an ordinary coterie, such as majority:n=3: any two quorums must meet";
  return "";
}

Claims claims(const Version& /*version*/) { return {.free_slot = true, .concurrent_entry = true}; }

template <class WrongRequester>
constexpr Make kRequester = make_surviving<WrongRequester, Arbiter>;
template <class WrongArbiter>
constexpr Make kArbiter = make_surviving<Requester, WrongArbiter>;

}  // namespace
}  // namespace shares

Entry shares_entry() {
  using namespace shares;
  return {
      .name = "shares",
      .problem = Problem::room,
      .title = "Shares: many locks per node, with leases and fencing; for members that fail",
      .variants = {{"keep", "who leaves keeps its shares until another group waits"},
                   {"tight", "numbers of fencing may lag by 1 only, so that lags are met soon"}},
      .mutants = {{"keeps-vote", "counts a vote that it has yielded",
                   kRequester<mutants::KeepsYieldedVote>},
                  {"yields-inside", "yields while inside", kRequester<mutants::YieldsInside>},
                  {"releases-votes", "RELEASEs only those that granted",
                   kRequester<mutants::ReleasesVotesOnly>},
                  {"lost-silently", "RELEASEs nothing when its hold is lost",
                   kRequester<mutants::LosesSilently>},
                  {"drops-suspects", "forgets whom it suspects",
                   kRequester<mutants::DropsSuspects>},
                  {"asks-once", "does not ask when a member comes up",
                   kRequester<mutants::AsksNobodyNew>},
                  {"no-silence", "grants at once after a restart", kArbiter<mutants::NotSilent>},
                  {"new-life", "a new incarnation drops the shares of the former one",
                   kArbiter<mutants::DropsFormerLife>},
                  {"inquires-once", "INQUIREs once per request instead of once per LOCK",
                   kArbiter<mutants::InquiresOnce>},
                  {"no-preemption", "never INQUIREs", kArbiter<mutants::NeverInquires>},
                  {"admits-all", "admits newcomers although a better request waits",
                   kArbiter<mutants::AdmitsAll>}},
      .make = make_surviving<Requester, Arbiter>,
      .takes_groups_together = true,
      .survives =
          {.crashes = true, .restarts = true, .lapses = true, .suspicions = true, .cancels = true},
      .claims = claims,
      .refuse = refuse,
  };
}

}  // namespace coterie::protocol
