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

Claims claims(const Version& version) {
  const bool grow = !version.has("keep") || version.has("renew");
  return {.free_slot = true,
          .concurrent_entry = true,
          .tokens = grow ? Tokens::grow : Tokens::grow_between_groups};
}

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
                   {"renew",
                    "with keep: entering again takes a token of its own, as a mutex needs"},
                   {"tight", "numbers of fencing may lag by 1 only, so that lags are met soon"}},
      .mutants =
          {{"keeps-vote", "counts a vote that it has yielded",
            kRequester<mutants::KeepsYieldedVote>},
           {"yields-inside", "yields while inside", kRequester<mutants::YieldsInside>},
           {"releases-votes", "RELEASEs only those that granted",
            kRequester<mutants::ReleasesVotesOnly>},
           {"lost-silently", "RELEASEs nothing when its hold is lost",
            kRequester<mutants::LosesSilently>},
           {"drops-suspects", "forgets whom it suspects", kRequester<mutants::DropsSuspects>},
           {"asks-once", "does not ask when a member comes up", kRequester<mutants::AsksNobodyNew>},
           {"no-tags", "does not ask what request a message answers",
            kRequester<mutants::IgnoresTags>},
           {"reopens", "accepts all groups again without asking afresh",
            kRequester<mutants::ReopensInPlace>},
           {"no-token", "RELEASEs without its token", kRequester<mutants::ReleasesWithoutToken>},
           {"gap", "enters whatever the numbers of its quorum", kRequester<mutants::EntersOverGap>},
           {"no-lag", "enters only if the numbers of its quorum are equal",
            kRequester<mutants::AllowsNoLag>},
           {"raises-laggards", "raises only the numbers that lag too far",
            kRequester<mutants::RaisesLaggardsOnly>},
           {"repairs-in-turn", "repairs its hold without priority",
            kRequester<mutants::RepairsInTurn>},
           {"no-repair", "does not repair its hold", kRequester<mutants::NeverRepairs>},
           {"no-spare", "holds without a spare", kRequester<mutants::HasNoSpare>},
           {"no-stride", "does not raise its number when a lease runs out",
            kArbiter<mutants::ExpiresWithoutStride>},
           {"restart-from-0", "begins its numbers anew after a restart",
            kArbiter<mutants::RestartsFromZero>},
           {"restart-no-stride", "does not raise its number at a restart",
            kArbiter<mutants::RestartsWithoutStride>},
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
