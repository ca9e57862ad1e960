#include "member/pinning.h"

#include "base/assert.h"

namespace coterie::member {

Pinning::Pinning(Resource& home, Slot slot)
    : home_(home),
      slot_(slot),
      asked_(home.host().setting().none()),
      done_(home.host().setting().none()) {}

void Pinning::begin(Claim& claim) {
  COTERIE_ASSERT(!is_on());
  claim_ = &claim;
  claim.given_at = home_.host().time_of_day();
  asked_.clear();
  done_.clear();
}

void Pinning::ask(const NodeSet& voters) {
  if (!is_on()) return;
  for (const NodeId arbiter : voters - asked_) {
    asked_.insert(arbiter);
    say(arbiter, false);
  }
}

void Pinning::say(NodeId arbiter, bool is_given) {
  home_.host().ask(arbiter, {home_.name(), home_.kind(), slot_,
                             Pin{claim_->owner, claim_->token, claim_->group, is_given,
                                 claim_->attempt, claim_->seen, claim_->given_at}});
}

void Pinning::lapse(NodeId arbiter) {
  asked_.erase(arbiter);
  done_.erase(arbiter);
}

bool Pinning::is_about(const Pinned& pinned) const {
  return is_on() && pinned.owner == claim_->owner && pinned.number == claim_->token;
}

bool Pinning::is_done_by(NodeId arbiter) {
  done_.insert(arbiter);
  if (!home_.host().setting().system().write().contains_quorum(done_)) return false;
  for (const NodeId asked : asked_& home_.host().reachable()) say(asked, true);
  return true;
}

}  // namespace coterie::member
