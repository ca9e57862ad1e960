// Calls for owners that get one thing wrong. Torture must see each of them (sim/torture_mutants.cc).
#pragma once

#include "session/hold_call.h"

namespace coterie::session::mutants {

// What is seen while the request waits may have come of it, and be over with it.
class AnswersByALook : public HoldCall {
 public:
  using HoldCall::HoldCall;

 protected:
  void look_while_waiting(const api::Picture& picture, api::Instant now) override {
    HoldCall::look_while_waiting(picture, now);
    const api::Picture::Holder* const holder = find(picture);
    if (holder != nullptr && holder->certainty == api::Picture::Certainty::sure)
      finish(LastingHold{wish_.owner, holder->group, holder->token});
  }
};

// A member that was left may still grant what was asked there.
class WithdrawsNothing : public HoldCall {
 public:
  using HoldCall::HoldCall;

 protected:
  void withdraw(api::Instant now) override {
    phase_ = Phase::withdrawing;
    settled(LastingHold{}, now);
  }
};

}  // namespace coterie::session::mutants
