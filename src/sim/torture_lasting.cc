// Holds of an owner, which outlive its client, the client's session, and every life of every member.
//
// What a call for an owner comes to is said by session::HoldCall and session::EndCall, and believed: if one says that nothing was
// granted, or that a hold must stay, its owner looks no more. Only of what an earlier life of the client asked for, or when no member can say, its owner looks for it until
// it is sure, and ends what it finds.
#include <algorithm>
#include <utility>

#include "sim/torture_client.h"

namespace coterie::sim::torture {

using member::Duration;
using member::Instant;
using member::Type;
using Phase = Errand::Phase;

void Client::remember(const std::vector<Errand>& former, Instant now) {
  for (std::size_t i = 0; i < former.size(); ++i) {
    if (former[i].owner.empty()) continue;
    Errand& errand = errands_[i] = former[i];
    errand.ticket = 0;
    errand.is_of_former_life = true;
    errand.next = now;
    errand.owes = false;
    if (errand.phase == Phase::lasting) errand.next = now + draw_hold();
    const bool is_unknown = !errand.is_durable() || errand.phase == Phase::seeking;
    if (!is_unknown) continue;
    seek_owned(errand);
    // As a command that is run again.
    if (!errand.is_unwanted && random_.chance(0.5)) {
      errand.phase = Phase::waiting;
      errand.next = Instant::never();
      errand.asked = now;
      errand.is_of_former_life = false;
      errand.is_sought = true;
      member::Wish wish;
      wish.name = plan_.resources[errand.resource].name;
      wish.kind = errand.kind;
      wish.owner = errand.owner;
      wish.groups = groups_of(errand);
      hold_for_owner(i, wish, Instant::never());
    }
  }
}

// A client asks once at a time for one name.
bool Client::is_owned(std::size_t resource, const Errand& but) const {
  return std::any_of(errands_.begin(), errands_.end(), [&](const Errand& errand) {
    return &errand != &but && errand.resource == resource && !errand.owner.empty();
  });
}

void Client::seek_owned(Errand& errand) {
  errand.is_unwanted = errand.phase == Phase::leaving;
  errand.phase = Phase::seeking;
  errand.ticket = 0;
  errand.sought = errand.next = now_;
  errand.without.clear();
}

// A member that was away may have shown what is over long since, and another what is not.
void Client::seek_on(Errand& errand) {
  const bool is_unwanted = errand.is_unwanted;
  seek_owned(errand);
  errand.is_unwanted = is_unwanted;
}

void Client::operate(std::size_t index, Instant end, const ClientOperation::Maker& make) {
  const auto draw = [this] { return api::Attempt{random_.next(), random_.next()}; };
  operations_[index] = std::make_unique<ClientOperation>(
      ClientOperation::Outside{*session_, now_, draw, patience(plan_)},
      plan_.resources[errands_[index].resource].name, end, make);
  operations_[index]->start();
}

void Client::hold_for_owner(std::size_t index, const member::Wish& wish, Instant end) {
  member::Wish knowing = wish;
  knowing.seen = ends_.token_of(wish.name, wish.owner);
  operate(index, end, [&](Plan::Driver& driver) { return plan_.make_hold(knowing, end, driver); });
}

void Client::go_on_with_operations() {
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    if (!operations_[i]) continue;
    operations_[i]->go_on();
    if (!operations_[i]->outcome()) continue;
    const HoldOutcome outcome = *operations_[i]->outcome();
    operations_[i].reset();
    if (errands_[i].phase == Phase::ending) {
      end_done(i, outcome);
    } else if (errands_[i].phase == Phase::changing) {
      change_done(errands_[i], outcome);
    } else {
      hold_done(i, outcome);
    }
  }
}

void Client::change_done(Errand& errand, const HoldOutcome& outcome) {
  const auto& other = plan_.resources[errand.resource].other;
  if (!outcome && outcome.error().reason == Reason::mismatch && other)
    is_other_[errand.resource] = errand.kind != *other;
  rest(errand);
}

void Client::hold_done(std::size_t index, const HoldOutcome& outcome) {
  Errand& errand = errands_[index];
  if (outcome) {
    const bool is_unwanted = errand.phase == Phase::leaving;  // it came before that
    errand.is_sought = false;
    it_lasts(index, outcome->group, outcome->token);
    if (is_unwanted) errand.next = now_;
    return;
  }
  const auto& other = plan_.resources[errand.resource].other;
  const Reason reason = outcome.error().reason;
  if (reason == Reason::mismatch && other) is_other_[errand.resource] = errand.kind != *other;
  // What an earlier life asked for may still be granted.
  const bool is_sure = reason != Reason::unreachable && !errand.is_sought;
  is_sure ? rest(errand) : seek_owned(errand);
}

void Client::it_lasts(std::size_t index, const std::string& group, member::Number token) {
  Errand& errand = errands_[index];
  errand.phase = Phase::lasting;
  if (errand.kind.type != Type::band) errand.group = group;
  errand.token = token;
  errand.until = Instant::never();
  errand.ticket = 0;
  errand.owes = false;
  errand.next = is_finishing_ ? now_ : now_ + draw_hold();
  out_.begins(index);
}

void Client::step_lasting(std::size_t index) {
  Errand& errand = errands_[index];
  if (errand.phase != Phase::seeking) return end_lasting(index);
  errand.next = Instant::never();
  errand.ticket = session_->show(plan_.resources[errand.resource].name, now_ + patience(plan_));
}

// In a band it may have to stay; but not if it has asked before, without an answer: it may be over.
void Client::end_lasting(std::size_t index) {
  Errand& errand = errands_[index];
  const bool is_first = errand.phase == Phase::lasting;
  const bool is_forced = !is_first || is_finishing_ || random_.chance(plan_.habits.forces);
  const bool may_have_to_stay = errand.kind.type == Type::band && !is_forced;
  errand.phase = Phase::ending;
  errand.may_be_over = !is_first;
  errand.next = Instant::never();
  may_have_to_stay ? out_.parts(index) : out_.ends(index, Ending::left);
  session::EndCall::Goal goal;
  goal.name = plan_.resources[errand.resource].name;
  goal.owner = errand.owner;
  goal.token = is_forced ? errand.token : 0;
  goal.is_forced = is_forced;
  Instant end = Instant::never();
  if (may_have_to_stay && random_.chance(plan_.habits.leaves_only_soon))
    end = now_ + draw(plan_.habits.long_hold);
  operate(index, end, [&](Plan::Driver& driver) { return plan_.make_end(goal, end, driver); });
}

void Client::ended(std::size_t index, member::Number token) {
  out_.ends(index, Ending::left);
  Errand& errand = errands_[index];
  ends_.add(plan_.resources[errand.resource].name, errand.owner, token);
  std::exchange(errand.is_sought, false) ? seek_on(errand) : rest(errand);
}

// Nobody else ends what this owner holds: if members say that it has nothing, an end that was asked for before has happened, or
// the hold has vanished.
void Client::end_done(std::size_t index, const HoldOutcome& outcome) {
  Errand& errand = errands_[index];
  if (outcome) return ended(index, outcome->token);
  const Reason reason = outcome.error().reason;
  if (reason == Reason::invalid) {
    if (!errand.may_be_over) out_.misses(index);
    return ended(index, errand.token);
  }
  if (reason == Reason::must_stay) {
    errand.phase = Phase::lasting;
    errand.next = now_ + draw_hold();
    out_.stays(index);
  } else {
    errand.next = now_ + beat_every(plan_) / 4;
  }
}

// Slow members need not answer all at once.
bool Client::is_nowhere(Errand& errand, const std::vector<NodeId>& dark) const {
  const auto is_among = [](const std::vector<NodeId>& some, NodeId member) {
    return std::find(some.begin(), some.end(), member) != some.end();
  };
  bool is_nowhere = true;
  for (NodeId member = 0; member < plan_.config.names.size(); ++member) {
    if (!is_among(dark, member)) errand.without.insert(member);
    const bool is_gone = promised_ && is_among(plan_.stay_dead, member);
    is_nowhere = is_nowhere && (is_gone || errand.without.contains(member));
  }
  return is_nowhere;
}

// What is written down somewhere, but not at a quorum, was never granted. Where nothing is found, a member that was asked
// may still be about to write it down, until its client's session is over there.
void Client::shown(const member::Shown& shown) {
  for (const auto& operation : operations_) {
    if (operation && operation->takes(shown)) return;
  }
  const std::size_t index = find(shown.request);
  if (index == errands_.size() || errands_[index].phase != Phase::seeking) return;
  Errand& errand = errands_[index];
  errand.ticket = 0;
  for (const member::Picture::Holder& holder : shown.picture.holders) {
    if (!holder.is_lasting || holder.client != errand.owner) continue;
    errand.token = holder.token;
    errand.phase = Phase::ending;
    errand.is_sought = true;
    return end_lasting(index);
  }
  // What it has asked for may have been on its way for as long as anything was cut off or paused.
  Real held_up = 0;
  if (!promised_) {
    for (const Fault& fault : plan_.faults) held_up += fault.lasts;
    held_up += plan_.latest;
  }
  const Duration enough = plan_.config.drift.at_least(plan_.config.lease * 3 +
                                                      plan_.config.session + Duration{held_up});
  const Instant since = promised_ ? std::max(errand.sought, *promised_) : errand.sought;
  if (now_ >= since + enough && is_nowhere(errand, shown.picture.dark)) return rest(errand);
  errand.next = now_ + beat_every(plan_);
}

}  // namespace coterie::sim::torture
