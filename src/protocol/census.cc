#include "protocol/census.h"

#include "protocol/band.h"
#include "protocol/catalogue.h"
#include "protocol/mutants/census.h"
#include "protocol/surviving.h"

namespace coterie::protocol {
namespace census {

using spec::Problem;

Problem problem_of(const Version& version) {
  if (version.has("rooms")) return Problem::rooms;
  if (version.has("floor")) return Problem::floor;
  return version.has("band") ? Problem::band : Problem::semaphore;
}

bool has_floor(const Setting& setting) {
  const Problem problem = problem_of(setting.version);
  return problem == Problem::floor || problem == Problem::band;
}

bool has_ceiling(const Setting& setting) { return problem_of(setting.version) != Problem::floor; }

NodeSet first_quorum(const Setting& setting) { return *Arbiters(setting, 0).nearest_quorum(); }

namespace {

std::string refuse(const Setting& setting) {
  const auto several = [&](const char* one, const char* other) {
    return setting.version.has(one) && setting.version.has(other);
  };
  if (several("rooms", "floor") || several("rooms", "band") || several("floor", "band"))
    return "it counts one thing: rooms, floor or band, or without these a semaphore";
  if (const std::string fault = refuse_unless_coterie(setting); !fault.empty()) return fault;
  if (!has_floor(setting)) return setting.max >= 1 ? "" : "at most 0 inside: nobody could enter";
  return refuse_band(setting, setting.min, has_ceiling(setting) ? setting.max : setting.processes);
}

Claims claims(const Version& version) {
  const bool has_tokens = problem_of(version) != Problem::floor;
  return {.free_slot = true,
          .concurrent_entry = problem_of(version) == Problem::rooms,
          .tokens = has_tokens ? Tokens::grow_always : Tokens::none};
}

template <class WrongRequester>
constexpr Make kRequester = make_surviving<WrongRequester, Arbiter>;
template <class WrongArbiter>
constexpr Make kArbiter = make_surviving<Requester, WrongArbiter>;

}  // namespace
}  // namespace census

Entry census_entry() {
  using namespace census;
  return {
      .name = "census",
      .problem = Problem::semaphore,
      .title = "Census: semaphores, rooms, floors and bands by counting; for members that fail",
      .variants = {{"rooms", "at most k groups inside"},
                   {"floor", "at least l inside"},
                   {"band", "at least l and at most k inside"},
                   {"tight", "numbers of fencing may lag by 1 only, so that lags are met soon"}},
      .mutants =
          {{"friends", "enters because a friend is recorded", kRequester<mutants::TrustsFriends>},
           {"records-repair", "repairs its hold without a vote",
            kRequester<mutants::RecordsRepair>},
           {"counts-lapsed", "counts a hold whose lease has lapsed",
            kRequester<mutants::CountsLapsedHolds>},
           {"any-quorum", "leaves by any quorum, whoever has it recorded",
            kRequester<mutants::LeavesByAnyQuorum>},
           {"forgets-lapsed", "leaves without those whose lease has lapsed",
            kRequester<mutants::ForgetsAtLapse>},
           {"forgets-lost", "forgets where it was recorded when its hold is lost",
            kRequester<mutants::ForgetsWhenLost>},
           {"keeps-view", "counts whom an arbiter named whose vote it has yielded",
            kRequester<mutants::KeepsView>},
           {"keeps-votes", "yields nothing while it has the votes of a quorum",
            kRequester<mutants::KeepsVotes>},
           {"waits-on", "does not look again when one that named others has gone",
            kRequester<mutants::TriesNotAtLapse>},
           {"lost-silently", "erases nothing when its hold is lost",
            kRequester<mutants::LosesSilently>},
           {"no-withdraw", "withdraws nothing that it has asked for",
            kRequester<mutants::NeverWithdraws>},
           {"asks-once", "does not ask when a member comes up",
            kRequester<leasing::mutants::AsksNobodyNew<Requester>>},
           {"no-tags", "does not ask what request a message answers",
            kRequester<leasing::mutants::IgnoresTags<Requester>>},
           {"gap", "enters whatever the numbers of its quorum",
            kRequester<leasing::mutants::EntersOverGap<Requester>>},
           {"repairs-in-turn", "repairs its hold without priority",
            kRequester<leasing::mutants::RepairsInTurn<Requester>>},
           {"no-repair", "does not repair its hold",
            kRequester<leasing::mutants::NeverRepairs<Requester>>},
           {"no-spare", "holds without a spare",
            kRequester<leasing::mutants::HasNoSpare<Requester>>},
           {"one-vote", "has one vote for both ways", kArbiter<mutants::OneVote>},
           {"no-update", "tells who has its vote nothing more", kArbiter<mutants::NeverUpdates>},
           {"former-untold", "tells nobody when a former life is forgotten",
            kArbiter<mutants::TellsNotOfFormerLives>},
           {"no-preemption", "never asks for its vote back", kArbiter<mutants::NeverPreempts>},
           {"keeps-records", "records outlive their lease", kArbiter<mutants::KeepsRecords>},
           {"no-stride", "does not raise its number when a lease runs out",
            kArbiter<mutants::ExpiresWithoutStride>},
           {"restart-from-0", "begins its numbers anew after a restart",
            kArbiter<leasing::mutants::RestartsFromZero<Arbiter>>},
           {"restart-no-stride", "does not raise its number at a restart",
            kArbiter<leasing::mutants::RestartsWithoutStride<Arbiter>>},
           {"no-silence", "grants at once after a restart",
            kArbiter<leasing::mutants::NotSilent<Arbiter>>},
           {"new-life", "a new incarnation drops what the former one had",
            kArbiter<mutants::DropsFormerLife>}},
      .make = make_surviving<Requester, Arbiter>,
      .starts_inside = true,
      .survives =
          {.crashes = true, .restarts = true, .lapses = true, .suspicions = true, .cancels = true},
      .is_told_forget = true,
      .problem_of = problem_of,
      .claims = claims,
      .refuse = refuse,
  };
}

}  // namespace coterie::protocol
