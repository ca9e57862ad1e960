// What becomes of a client's errands, as its session tells.
#include <algorithm>

#include "sim/torture_client.h"

namespace coterie::sim::torture {

using member::Instant;
using member::Type;
using session::Ticket;
using Phase = Errand::Phase;

std::size_t Client::find(Ticket ticket) const {
  const auto place = std::find_if(errands_.begin(), errands_.end(),
                                  [&](const Errand& errand) { return errand.ticket == ticket; });
  return static_cast<std::size_t>(place - errands_.begin());
}

void Client::granted(Ticket ticket, const session::Grant& grant) {
  const std::size_t index = find(ticket);
  if (index == errands_.size()) return;
  Errand& errand = errands_[index];
  errand.phase = Phase::inside;
  errand.until = grant.until;
  if (errand.kind.type != Type::band) errand.group = grant.group;
  errand.token = grant.token;
  errand.session = sessions_;
  errand.is_doomed = false;
  errand.owes = false;
  errand.next = now_ + draw_hold();
  out_.begins(index);
}

void Client::renewed(Ticket ticket, Instant until) {
  const std::size_t index = find(ticket);
  if (index == errands_.size()) return;
  Errand& errand = errands_[index];
  errand.until = until;
  const bool has_moved = errand.session != sessions_ && session_->is_here(ticket);
  if (!has_moved) return out_.extends(index);
  errand.session = sessions_;
  out_.moves(index);
}

// It is good until then all the same: some leave at once, others stay for as long as they may.
void Client::lost(Ticket ticket, const std::string& /*why*/) {
  const std::size_t index = find(ticket);
  if (index == errands_.size()) return;
  errands_[index].is_doomed = true;
  if (errands_[index].phase == Phase::inside && random_.chance(0.5)) errands_[index].next = now_;
}

void Client::left(Ticket ticket) {
  const std::size_t index = find(ticket);
  if (index == errands_.size()) return;
  Errand& errand = errands_[index];
  const bool is_lost = errand.phase == Phase::inside || errand.is_doomed;
  if (errand.is_inside())
    out_.ends(index, !is_lost               ? Ending::left
                     : now_ >= errand.until ? Ending::ran_out
                                            : Ending::lost);
  rest(errand);
}

void Client::stays(Ticket ticket, const Refusal& /*refusal*/) {
  const std::size_t index = find(ticket);
  if (index == errands_.size()) return;
  errands_[index].phase = Phase::inside;
  errands_[index].next = now_ + draw_hold();
  out_.stays(index);
}

void Client::refused(Ticket ticket, const Refusal& refusal) {
  for (const auto& operation : operations_) {
    if (operation && operation->takes(ticket, HoldOutcome(refusal))) return;
  }
  const std::size_t index = find(ticket);
  if (index == errands_.size()) return;
  Errand& errand = errands_[index];
  errand.ticket = 0;
  const auto& other = plan_.resources[errand.resource].other;
  if (refusal.reason == Reason::mismatch && other)
    is_other_[errand.resource] = errand.kind != *other;
  if (errand.phase == Phase::seeking) {
    errand.next = now_ + beat_every(plan_);
  } else {
    rest(errand);
  }
}

void Client::lasts(Ticket ticket, const session::Grant& grant) {
  for (const auto& operation : operations_) {
    if (operation &&
        operation->takes(ticket, HoldOutcome(LastingHold{"", grant.group, grant.token})))
      return;
  }
}

void Client::hear(const member::Event& event, Instant now) {
  if (is_closed_) return;
  now_ = now;
  if (const auto* const answer = std::get_if<member::Shown>(&event)) {
    if (session_->answered(answer->request, now)) shown(*answer);
  } else {
    session_->receive(event, now);
  }
  go_on_with_operations();
}

}  // namespace coterie::sim::torture
