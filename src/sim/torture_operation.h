// An operation of a client (session/operation.h): to hold for an owner, to end that, to change settings. It is the state machine
// that ships, over the client's session.
//
// A session tells what it has to say from within its own steps, in which it must not be asked for anything: so what concerns
// the operation is put aside, and given to it when the session's step is over.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "session/operation.h"
#include "session/session.h"
#include "sim/torture_plan.h"

namespace coterie::sim::torture {

// sim has an Outcome of its own.
using HoldOutcome = coterie::Outcome<LastingHold>;

class ClientOperation final : private session::Operation::Driver {
 public:
  struct Outside {
    session::Session& session;
    const member::Instant& now;
    std::function<api::Attempt()> draw;
    member::Duration patience;  // with what is looked at, and with what is settled
  };
  using Maker = std::function<std::unique_ptr<session::Operation>(session::Operation::Driver&)>;
  ClientOperation(Outside outside, std::string name, member::Instant end, const Maker& make)
      : outside_(std::move(outside)), name_(std::move(name)), end_(end), operation_(make(*this)) {}

  void start() { operation_->start(outside_.now); }
  void cancel() { operation_->cancel(outside_.now); }
  void tick() { operation_->tick(outside_.now); }
  member::Instant next_tick() const { return operation_->next_tick(); }

  // Whether the operation has asked for that: then the answer is put aside.
  bool takes(session::Ticket ticket, const HoldOutcome& outcome);
  bool takes(const member::Shown& shown);
  void go_on();  // with what was put aside
  // How it came out, when it has.
  const std::optional<HoldOutcome>& outcome() const { return outcome_; }

 private:
  void ask(const api::Wish& wish) override;
  void end(const api::Burial& burial) override;
  void settle(const api::Burial& burial) override;
  void change(const api::Change& change) override;
  void give_up() override { outside_.session.abandon(latest_, outside_.now); }
  void look() override;
  api::Attempt draw_attempt() override { return outside_.draw(); }
  void done(HoldOutcome outcome) override { outcome_ = std::move(outcome); }

  Outside outside_;
  std::string name_;
  member::Instant end_;
  // Each is 0 when there is none.
  session::Ticket asked_ = 0;
  session::Ticket looked_ = 0;
  session::Ticket settled_ = 0;
  session::Ticket latest_ = 0;  // of what can be given up
  std::deque<std::function<void()>> aside_;
  std::optional<HoldOutcome> outcome_;
  std::unique_ptr<session::Operation> operation_;
};

}  // namespace coterie::sim::torture
