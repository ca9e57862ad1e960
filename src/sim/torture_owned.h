// A call of `hold` for an owner, by the state machine that ships (session/hold_call.h), over a client's session.
//
// A session tells what it has to say from within its own steps, in which it must not be asked for anything: so what concerns
// the call is put aside, and given to it when the session's step is over.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "session/hold_call.h"
#include "session/session.h"
#include "sim/torture_plan.h"

namespace coterie::sim::torture {

// sim has an Outcome of its own.
using HoldOutcome = coterie::Outcome<LastingHold>;

class OwnedCall final : private session::HoldCall::Driver {
 public:
  struct Outside {
    session::Session& session;
    const member::Instant& now;
    std::function<api::Attempt()> draw;
    member::Duration patience;  // with what is looked at, and with what is settled
    Plan::CallMaker make;
  };
  OwnedCall(Outside outside, const member::Wish& wish, member::Instant end)
      : outside_(std::move(outside)),
        name_(wish.name),
        end_(end),
        call_(outside_.make(wish, end, *this)) {}

  void start() { call_->start(outside_.now); }
  void cancel() { call_->cancel(outside_.now); }
  void tick() { call_->tick(outside_.now); }
  member::Instant next_tick() const { return call_->next_tick(); }

  // Whether it has asked for that: then it is put aside.
  bool takes(session::Ticket ticket, const HoldOutcome& outcome);
  bool takes(const member::Shown& shown);
  void go_on();  // with what was put aside
  // How it came out, when it has.
  const std::optional<HoldOutcome>& outcome() const { return outcome_; }

 private:
  void ask(const api::Wish& wish) override;
  void give_up() override { outside_.session.abandon(asked_, outside_.now); }
  void look() override;
  void settle(const api::Burial& burial) override;
  api::Attempt draw_attempt() override { return outside_.draw(); }
  void done(HoldOutcome outcome) override { outcome_ = std::move(outcome); }

  Outside outside_;
  std::string name_;
  member::Instant end_;
  // Each is 0 when there is none.
  session::Ticket asked_ = 0;
  session::Ticket looked_ = 0;
  session::Ticket settled_ = 0;
  std::deque<std::function<void()>> aside_;
  std::optional<HoldOutcome> outcome_;
  std::unique_ptr<session::HoldCall> call_;
};

}  // namespace coterie::sim::torture
