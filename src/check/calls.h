// A model of calls for owners: holds that belong to a name, asked for by clients that move between members, whose calls may
// take effect late, or at a member that their client has left. docs/checking.md, "Calls", tells its rules.
//
// Three arbiters with majority quorums; the first two are also the members that act for clients. One owner has one or two
// client processes; rivals take the name for other owners. Not modelled, but assumed: the leased entry that precedes a
// lasting hold. It is one step that takes the votes of a quorum and a token greater than all before (Shares and Census are
// checked for that); votes are lost when a lease lapses.
//
// An attempt is asked for at one member, and gets one token at most: so the model names a hold by its attempt.
//
// Messages: a PIN and what settles an attempt are on their way until their arbiter handles them, and each answer is kept as it
// was given. A decision may rest on any quorum of the answers given so far, so that an answer that is still on its way needs no
// step. That an attempt is over, and that it was given, are said for good: such a message may reach any arbiter at any time from
// then on.
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
  no_tombstone,      // what ends is erased
  forgets_at_once,   // a tombstone is forgotten when all have it, although a copy is left
  releases_owner,    // a release ends what its owner has when it arrives
  looks_at_written,  // a look takes what is written for what is given
  looks_at_given,    // a look takes what is given for what holds, and has nobody vouch for it
  new_attempt,       // a client that moves draws a new attempt, and settles nothing
  no_barrier,        // PIN is not asked what ends its member knew
  no_inquiry,  // it is put to the vote at once, and nobody is asked whether the hold was given
  withdraws_at_once,  // a client has its attempt withdrawn, and asks nobody whether the hold was given
  refuses_given,      // an arbiter that knows an attempt as given refuses to withdraw it
  withdraws_vouched,  // an arbiter agrees that nothing comes of what it has vouched for
  denies_written,     // an arbiter that has it written agrees to DENY
  confirms_denied,    // an arbiter that has denied it vouches for it
  knows_no_attempt,   // so does one that has denied the attempt, and has not written the token
  vouches_ungiven,  // an arbiter vouches for what it has not written, although nobody knows it as given
  told_early,       // a client is told "not granted" when one arbiter agrees
  spreads_denials,     // an arbiter that denies an attempt tells others that it is over
  doubt_is_written,    // what a member without its disk was told counts as written by it
  doubt_is_unwritten,  // DENY takes what is in doubt for something that was not written
  learns_no_denials,   // a member without its disk is not told what others have denied
  learns_no_vouching,  // nor what they vouch for
  votes_torn,  // a member without its disk, which has heard both votes, answers by one of them
  seen_on_arrival,  // the member says which ends were seen when the call came, not the client when it called
  refuses_at_once,  // a client whose PIN is refused is told so, and nothing is withdrawn
  counts_lapsed,    // an answer counts although the lease has lapsed since
  forgets_barrier,  // with a tombstone the barrier is forgotten, whatever calls are left
  // Left out, these are missed by nobody: the other rules are enough.
  keeps_waiting,  // a member that hears of an end goes on with what waits there for the owner
  takes_all,      // a member takes a call whose attempt has a tombstone there
  gives_denied,   // an arbiter that has denied it takes it as given
  pins_vouched,   // an arbiter writes what it has vouched for unwritten
};

// An arbiter's stage of an attempt.
enum class Stage : Byte {
  none,
  written,   // by PIN
  given,     // and known as given: a quorum had written it
  doubtful,  // heard from others after its disk was lost: it may have written it, or not
  over,      // ended, for good: the tombstone
};

enum class Pin : Byte { none, sent, written, refused };

struct CallsArbiter {
  std::array<Stage, kAttempts> stage{};
  // Its votes, as bits by attempt, whether it has the attempt written or not.
  Byte denied = 0;   // it will not write it, nor vouch for it
  Byte vouched = 0;  // it will not agree that nothing comes of it
  Byte barrier = 0;  // the greatest token of the owner that ended
  Byte votes = 0;    // attempts that rest on it by a lease, as bits
  Byte unheard = 0;  // its disk was lost: the others that it has not heard, as bits
  Byte rivals = 0;   // whose holds are written here, as bits
};

// What is to become of one attempt, asked of all arbiters.
struct Settling {
  enum class How : Byte { none, withdraw, deny, confirm, confirm_given };
  enum class Answer : Byte { none, sent, agreed, refused, denied, unable };
  How how =
      How::none;  // what is put to the vote; while it is inquired: if nobody knows it as given
  bool is_inquiry = false;  // whether somebody knows it as given
  PerArbiter<Answer> answer{};
};
constexpr std::size_t kHows = 5;

// A hold call at its member.
struct CallsCopy {
  enum class Mode : Byte { none, coming, waiting, pinning, given, withdrawing, done };
  Mode mode = Mode::none;
  Byte member = 0;
  Byte token = 0;  // 0: it has not entered
  Byte seen = 0;   // the greatest token of an ended hold that was known when it was called
  PerArbiter<Pin> pin{};
  Settling settling{};  // the member withdraws what it does not give
};

struct CallsClient {
  enum class Mode : Byte { idle, holding, settling, releasing, looking, resolving, killed };
  Mode mode = Mode::idle;
  Byte next = 0;     // in its script
  Byte drawn = 0;    // attempts
  Byte member = 0;   // that it is at
  Byte attempt = 0;  // of the call; of a look: what is resolved
  Byte held = 0;     // 1 + the attempt that it was told of last
  Byte token = 0;    // that it was told last
  Byte ended = 0;    // the greatest token that it knows as ended
  // A look's answers: 1 + the attempt that is live there, 0 for none; whether it was answered.
  PerArbiter<Byte> live{};
  PerArbiter<Stage> live_stage{};
  PerArbiter<bool> is_answered{};
  Settling settling{};  // settling: its own attempt; resolving: what it found
};

enum class Rival : Byte { waits, holds, has_released };

// What went wrong: told by fault().
enum class CallsFault : Byte { none, exclusion, refused, released, tokens };

enum class Chance : Byte { move, give_up, kill, lapse, lose_disk, crash, stop_giver, stop_member };
constexpr std::size_t kChances = 8;

struct CallsState {
  PerArbiter<CallsArbiter> arbiters{};
  std::array<CallsCopy, kAttempts> copies{};
  std::array<CallsClient, kClients> clients{};
  // A release of the attempt, at a member: 0 none, 1 on its way to the member, 2 arrived.
  std::array<std::array<Byte, kMembers>, kAttempts> releases{};
  // Of what is put to the vote, by Settling::How and attempt: the arbiters, as bits, that it is still on its way to, although
  // nobody waits for their answers.
  std::array<std::array<Byte, kAttempts>, kHows> late{};
  Byte left = 0;    // attempts, as bits: a member goes on to withdraw it for a client that has left
  Byte tokens = 0;  // the last one
  Byte said_over = 0;   // attempts, as bits: that it is over may reach any arbiter
  Byte said_given = 0;  // the same
  Byte given = 0;       // attempts, as bits, that a quorum had written
  std::array<Rival, kRivals> rivals{};
  Byte dead = 0;  // arbiters that stopped for good, as bits
  // What was, for the properties: attempts, as bits.
  Byte called = 0;    // its call was made
  Byte told = 0;      // a client was told of it as granted
  Byte believed = 0;  // and no release of it was called
  Byte refused = 0;   // it was answered "not granted", or settled so that nothing comes of it
  Byte released = 0;  // its release was called
  Byte doubted = 0;   // it was answered "in doubt"
  Byte outlived = 0;  // called before a release of another one was, and that is answered
  std::array<Byte, kAttempts> before{};  // of a release: those called before it
  std::array<Byte, kChances> chances{};  // left, by Chance
  CallsFault fault = CallsFault::none;
};

// What a client does, one after another. A release is of what the client was told of last, if anything.
enum class CallsOp : Byte { hold, release, look };

struct CallsConfig {
  std::string_view name;
  std::array<std::vector<CallsOp>, kClients> scripts;
  std::array<Byte, kChances> chances{};  // how many of each at most, by Chance
  Byte capacity = 1;       // how many owners may hold the name; so many rivals there are
  bool asks_anew = false;  // with a new attempt, when nothing comes of one that its client has left
  bool is_rash = false;    // a process that looks has confirmed whatever it finds
  bool is_decided =
      false;  // nobody must be told "in doubt", and a look waits for the stop of a member
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
