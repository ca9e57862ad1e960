// A model of calls for owners: holds that belong to a name, asked for by clients that move between members, whose calls may
// take effect late, twice, or at a member that their client has left. docs/checking.md, "Calls", tells its rules.
//
// Three arbiters with majority quorums; the first two are also the members that act for clients. One owner has one or two
// client processes; rivals take the name for other owners. Not modelled, but assumed: the leased entry that precedes a
// lasting hold. It is one step that takes the votes of a quorum and a token greater than all before (Shares and Census are
// checked for that); votes are lost when a lease lapses.
//
// Messages: a PIN and an END are on their way until their arbiter handles them, and each answer is kept as it was given. A
// decision may rest on any quorum of the answers given so far, so that an answer that is still on its way needs no step. That
// an attempt is over, and that it was given, are said for good: such a message may reach any arbiter at any time from then on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/model_search.h"

namespace coterie::check {

constexpr std::size_t kArbiters = 3;
constexpr std::size_t kMembers = 2;
constexpr std::size_t kClients = 2;  // of the owner
constexpr std::size_t kRivals = 2;
constexpr std::size_t kAttempts = 4;  // of the owner: X, Y, Z, W

using Byte = std::uint8_t;
template <class T>
using PerArbiter = std::array<T, kArbiters>;

// A rule left out or done wrong.
enum class CallsMutant : Byte {
  none,
  no_tombstone,        // what ends is erased
  forgets_at_once,     // a tombstone is forgotten when a quorum has it
  releases_owner,      // a release ends what its owner has when it arrives
  looks_at_written,    // a look takes what is written for what is given
  new_attempt,         // a client that moves draws a new attempt, and ends nothing
  no_barrier,          // PIN is not asked what ends its member knew
  ends_given,          // an arbiter that knows an attempt as given ends it all the same
  told_early,          // a client is told "not granted" when one arbiter has the tombstone
  doubt_is_written,    // what a member without its disk was told counts as written by it
  doubt_is_unwritten,  // END takes what is in doubt for something that was not written
  ends_written,        // END ends what is written and not known as given
  spreads_bars,        // an arbiter that bars an attempt tells others that it is over
  seen_on_arrival,  // the member says which ends were seen when the call came, not the client when it called
  refuses_at_once,  // a client whose PIN is refused is told so, and nothing is ended
  counts_lapsed,    // an answer counts although the lease has lapsed since
  learns_no_bars,   // a member without its disk is not told what others bar
  forgets_barrier,  // with a tombstone the barrier is forgotten, whatever calls are left
  // Left out, these are missed by nobody: the other rules are enough.
  keeps_waiting,      // a member that hears of an end goes on with what waits there for the owner
  takes_all,          // a member takes a call whose attempt has a tombstone there
  tells_unconfirmed,  // what a quorum has written is told before a quorum has it as given
};

// An arbiter's stage of an attempt.
enum class Stage : Byte {
  none,
  written,   // by PIN
  given,     // and known as given: a quorum had written it
  doubtful,  // heard from others after its disk was lost: it may have written it, or not
  barred,    // it has not written it, and never will
  over,      // ended, for good: the tombstone
};

enum class Pin : Byte { none, sent, written, refused };

// How an arbiter answered END.
enum class End : Byte { none, sent, barred, written, given, doubtful, over };

struct CallsArbiter {
  std::array<Stage, kAttempts> stage{};
  std::array<Byte, kAttempts> token{};  // of stage written, given, doubtful
  Byte barrier = 0;                     // the greatest token of the owner that ended
  Byte votes = 0;                       // copies that rest on it by a lease, as bits
  Byte unheard = 0;  // its disk was lost: the others that it has not heard, as bits
  Byte rivals = 0;   // whose holds are written here, as bits
};

// END of one attempt, asked of all arbiters.
struct Ending {
  PerArbiter<End> answer{};
  PerArbiter<Byte> token{};
};

// A hold call at one member.
struct CallsCopy {
  enum class Mode : Byte { none, coming, waiting, pinning, ending, confirming, done };
  Mode mode = Mode::none;
  Byte token = 0;
  Byte seen = 0;
  PerArbiter<Pin> pin{};
  Ending ending{};
};

struct CallsClient {
  enum class Mode : Byte { idle, holding, releasing, looking, resolving, confirming, killed };
  Mode mode = Mode::idle;
  Byte next = 0;     // in its script
  Byte member = 0;   // that it is at
  Byte attempt = 0;  // of the call; of a look: what is resolved
  Byte held = 0;     // 1 + the attempt that it was told of last
  Byte token = 0;    // that it was told last
  Byte ended = 0;    // the greatest token that it knows as ended
  // A look's answers: 1 + the attempt that is live there, 0 for none; whether it was answered.
  PerArbiter<Byte> live{};
  PerArbiter<Stage> live_stage{};
  PerArbiter<Byte> live_token{};
  PerArbiter<bool> is_answered{};
  Ending ending{};
};

enum class Rival : Byte { waits, holds, has_released };

// What went wrong: told by fault().
enum class CallsFault : Byte { none, exclusion, twice, refused, released, tokens };

struct CallsState {
  PerArbiter<CallsArbiter> arbiters{};
  std::array<std::array<CallsCopy, kMembers>, kAttempts> copies{};
  std::array<CallsClient, kClients> clients{};
  // A release of the attempt, at a member: 0 none, 1 on its way to the member, 2 arrived.
  std::array<std::array<Byte, kMembers>, kAttempts> releases{};
  Byte tokens = 0;                      // the last one
  Byte said_over = 0;                   // attempts, as bits: that it is over may reach any arbiter
  Byte said_given = 0;                  // the same
  std::array<Byte, kAttempts> given{};  // the token that it was given with
  std::array<Byte, kAttempts> seen{};   // drawn with the attempt
  std::array<Rival, kRivals> rivals{};
  Byte dead = 0;  // arbiters that stopped for good, as bits
  // What was, for the properties.
  Byte called = 0;  // attempts whose call was made
  Byte believed =
      0;  // attempts that a client was told of as granted, and of which no release was called
  Byte refused = 0;   // attempts answered "not granted"
  Byte released = 0;  // attempts whose release was called
  Byte doubted = 0;   // attempts answered "in doubt"
  Byte outlived = 0;  // called before a release of another one was, and that is answered
  std::array<Byte, kAttempts> before{};  // of a release: those called before it
  std::array<Byte, 6> chances{};         // left, by Chance
  CallsFault fault = CallsFault::none;
};

enum class Chance : Byte { move, give_up, kill, lapse, lose_disk, crash };

// What a client does, one after another.
struct CallsOp {
  enum class Kind : Byte { hold, release, look };
  Kind kind = Kind::hold;
  Byte attempt = 0;  // of a hold. A release is of what the client was told of last, if anything
};

struct CallsConfig {
  std::string_view name;
  std::array<std::vector<CallsOp>, kClients> scripts;
  std::array<Byte, 6> chances{};  // how many of each at most, by Chance
  Byte capacity = 1;              // how many owners may hold the name; so many rivals there are
};

class Calls {
 public:
  using State = CallsState;
  using Step = ModelStep<State>;

  Calls(CallsConfig config, CallsMutant mutant) : config_(std::move(config)), mutant_(mutant) {}

  State initial() const;
  void steps(const State& state, std::vector<Step>& to) const;
  std::optional<ModelFault> fault(const State& state) const;
  bool is_good_end(const State& state) const;
  std::string describe(const ModelLabel& label) const;

 private:
  class Mover;
  CallsConfig config_;
  CallsMutant mutant_;
};

}  // namespace coterie::check
