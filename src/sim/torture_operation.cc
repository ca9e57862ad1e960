#include "sim/torture_operation.h"

#include <utility>

namespace coterie::sim::torture {

using session::Ticket;

void ClientOperation::ask(const api::Wish& wish) {
  asked_ = latest_ = outside_.session.acquire(wish, end_, outside_.now);
}

void ClientOperation::end(const api::Burial& burial) {
  settled_ = latest_ = outside_.session.bury(burial, end_, outside_.now);
}

void ClientOperation::settle(const api::Burial& burial) {
  settled_ = outside_.session.bury(burial, outside_.now + outside_.patience, outside_.now);
}

void ClientOperation::change(const api::Change& change) {
  settled_ = latest_ = outside_.session.change(change, outside_.now);
}

void ClientOperation::look() {
  looked_ = outside_.session.show(name_, outside_.now + outside_.patience);
}

bool ClientOperation::takes(Ticket ticket, const HoldOutcome& outcome) {
  if (ticket == asked_) {
    asked_ = 0;
    aside_.emplace_back([this, outcome] { operation_->asked(outcome, outside_.now); });
  } else if (ticket == settled_) {
    settled_ = 0;
    aside_.emplace_back([this, outcome] { operation_->settled(outcome, outside_.now); });
  } else if (ticket == looked_) {
    looked_ = 0;
    aside_.emplace_back([this, why = outcome.error()] { operation_->seen(why, outside_.now); });
  } else {
    return false;
  }
  return true;
}

bool ClientOperation::takes(const member::Shown& shown) {
  if (shown.request != looked_) return false;
  looked_ = 0;
  aside_.emplace_back([this, picture = shown.picture] { operation_->seen(picture, outside_.now); });
  return true;
}

void ClientOperation::go_on() {
  while (!aside_.empty() && !outcome_) {
    const auto next = std::move(aside_.front());
    aside_.pop_front();
    next();
  }
}

}  // namespace coterie::sim::torture
