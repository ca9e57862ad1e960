#include "sim/torture_owned.h"

#include <utility>

namespace coterie::sim::torture {

using session::Ticket;

void OwnedCall::ask(const api::Wish& wish) {
  asked_ = outside_.session.acquire(wish, end_, outside_.now);
}

void OwnedCall::look() { looked_ = outside_.session.show(name_, outside_.now + outside_.patience); }

void OwnedCall::settle(const api::Burial& burial) {
  settled_ = outside_.session.bury(burial, outside_.now + outside_.patience, outside_.now);
}

bool OwnedCall::takes(Ticket ticket, const HoldOutcome& outcome) {
  if (ticket == asked_) {
    asked_ = 0;
    aside_.emplace_back([this, outcome] { call_->asked(outcome, outside_.now); });
  } else if (ticket == settled_) {
    settled_ = 0;
    aside_.emplace_back([this, outcome] { call_->settled(outcome, outside_.now); });
  } else if (ticket == looked_) {
    looked_ = 0;
    aside_.emplace_back([this, why = outcome.error()] { call_->seen(why, outside_.now); });
  } else {
    return false;
  }
  return true;
}

bool OwnedCall::takes(const member::Shown& shown) {
  if (shown.request != looked_) return false;
  looked_ = 0;
  aside_.emplace_back([this, picture = shown.picture] { call_->seen(picture, outside_.now); });
  return true;
}

void OwnedCall::go_on() {
  while (!aside_.empty() && !outcome_) {
    const auto next = std::move(aside_.front());
    aside_.pop_front();
    next();
  }
}

}  // namespace coterie::sim::torture
