// One call of `hold` for an owner.
//
// A call takes effect at most once. The request carries an attempt, which is new for each member that is asked. A request
// whose member has said how it came out is done with. Otherwise (the member was left, or died) arbiters may have written it
// down, or may do so later: the attempt is withdrawn by a quorum before the call goes on, with a new one, or says that
// nothing was granted. If the arbiters find that others rely on what came of it, the call was granted that.
//
// An owner has one hold at most. One that it has already, by an earlier call or by another process, is found by looking: when
// an arbiter or a member says so, and now and then while the request waits, because it would wait for itself. What is
// found is relied on only when a quorum has confirmed it: its own client may be about to withdraw it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/operation.h"

namespace coterie::session {

class HoldCall : public Operation {
 public:
  // `end` is that of its patience; the driver sees that what is asked is refused then. REQUIRES: the wish has an owner, and the
  // driver outlives the call.
  HoldCall(api::Wish wish, api::Instant end, Driver& driver);

  void start(api::Instant now) override;
  void asked(const Outcome<LastingHold>& outcome, api::Instant now) override;
  void seen(const Outcome<api::Picture>& outcome, api::Instant now) override;
  // What was to be settled: with a token it is held, without one nothing comes of it.
  void settled(const Outcome<LastingHold>& outcome, api::Instant now) override;
  void cancel(api::Instant now) override;
  void tick(api::Instant now) override;
  api::Instant next_tick() const override { return is_looking_ ? api::Instant::never() : wake_; }

 protected:  // for mutants (mutants/hold_call.h), which get the virtual ones wrong
  enum class Phase : std::uint8_t {
    waiting,      // what was asked
    withdrawing,  // the attempt
    looking,      // at what the owner has
    confirming,
    denying,
    pausing,  // before it looks, asks or withdraws again
    over,
  };

  void ask_anew(api::Instant now);
  void look_now();
  void pause(api::Instant now, Phase then);
  virtual void look_while_waiting(const api::Picture& picture, api::Instant now);
  void decide(const api::Picture& picture, api::Instant now);
  void learn_of_ends(const api::Picture& picture);
  virtual void withdraw(api::Instant now);
  void settle(Phase phase, api::Burial::How how, std::uint64_t token);
  void finish(Outcome<LastingHold> outcome);
  const api::Picture::Holder* find(const api::Picture& picture) const;

  api::Wish wish_;
  api::Instant end_;
  Driver& driver_;
  Phase phase_ = Phase::waiting;
  api::Kind kind_;              // by which the name is known, as far as it was seen
  api::Number asked_with_ = 0;  // the last end that was known when it asked
  bool is_looking_ = false;     // a look is under way, in whatever phase
  bool is_given_up_ = false;    // waiting: something was seen that is in the way
  bool is_cancelled_ = false;   // by its caller
  bool is_last_look_ = false;   // looking: that is the answer, unless the owner has it already:
  Refusal refusal_;             // of what was asked
  api::Duration pause_;         // the next one
  Phase after_pause_ = Phase::looking;  // pausing: looking, waiting (it asks anew) or withdrawing
  api::Instant wake_ = api::Instant::never();  // waiting or pausing: of the next look
};

// What differs between what the owner has and what it asks for now; empty if nothing does.
std::string difference(const api::Picture& picture, const api::Picture::Holder& holder,
                       const api::Wish& wish);
// By which those inside are inside: while the name becomes something else, by what it was.
api::Kind kind_inside(const api::Picture& picture);
// The surest of the owner's holds; null: none is known.
const api::Picture::Holder* find_owner(const api::Picture& picture, const std::string& owner);

}  // namespace coterie::session
