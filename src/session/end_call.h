// One call that ends the lasting hold of an owner (`coterie release`).
//
// An end names the token of the hold that it ends, so that a copy of it that arrives late ends nothing younger. The call
// therefore looks first. If the look shows no hold, members are asked to find one: they answer that there is none, or that the
// call must look again.
//
// A member may go away before it has said how an end came out. The call then asks for the same end again. From then on two
// answers have another meaning, because the first member may have ended the hold before it went away: "no such hold" says that
// the end has happened, and "it must stay" (of a band) says nothing.
#pragma once

#include <string>

#include "session/operation.h"

namespace coterie::session {

class EndCall : public Operation {
 public:
  struct Goal {
    std::string name;
    std::string owner;
    std::uint64_t token = 0;  // 0: the hold that the owner has
    bool is_forced = false;   // of a band: whoever minds
    bool is_try = false;      // of a band: refused if the owner must stay
  };
  // `end` is that of the caller's patience. REQUIRES: the goal has an owner, and the driver outlives the call.
  EndCall(Goal goal, api::Instant end, Driver& driver);

  void start(api::Instant now) override;
  void seen(const Outcome<api::Picture>& outcome, api::Instant now) override;
  void settled(const Outcome<LastingHold>& outcome, api::Instant now) override;
  void cancel(api::Instant now) override;
  void tick(api::Instant now) override;
  api::Instant next_tick() const override { return wake_; }

 protected:  // for mutants (mutants/end_call.h), which get the virtual ones wrong
  enum class Phase : std::uint8_t { looking, ending, pausing, over };

  virtual api::Burial burial_of(const api::Picture& picture,
                                const api::Picture::Holder& holder) const;
  // Whether a member that was asked for this end, and did not answer, may have ended the hold.
  virtual bool may_be_over() const { return is_unheard_; }
  void find_or_refuse(const api::Picture& picture);
  void ask(const api::Burial& burial);
  void unheard(api::Instant now);
  void finish(Outcome<LastingHold> outcome);

  Goal goal_;
  api::Instant end_;
  Driver& driver_;
  Phase phase_ = Phase::looking;
  api::Burial burial_;         // ending: what was asked for
  bool is_unheard_ = false;    // a member that was asked for `burial_` has not answered
  bool has_searched_ = false;  // members were asked to find a hold
  bool is_cancelled_ = false;
  api::Instant wake_ = api::Instant::never();  // pausing: of the next look
};

}  // namespace coterie::session
