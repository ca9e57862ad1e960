// Holds of an owner, which outlive its client, the client's session, and every life of every member.
//
// Who was not told how its request came out looks for it, until it is sure: then it has what it finds, if a quorum has it,
// or clears away what is left of it.
#include <algorithm>

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
    errand.session = 0;
    errand.is_of_former_life = true;
    errand.next = now;
    errand.owes = false;
    if (errand.phase == Phase::lasting) errand.next = now + draw_hold();
    if (!errand.is_durable() || errand.phase == Phase::seeking) seek(errand, now);
  }
}

// A client asks once at a time for one name.
bool Client::is_owned(std::size_t resource, const Errand& but) const {
  return std::any_of(errands_.begin(), errands_.end(), [&](const Errand& errand) {
    return &errand != &but && errand.resource == resource && !errand.owner.empty();
  });
}

void Client::seek(Errand& errand, Instant now) {
  errand.is_unwanted = errand.phase == Phase::leaving;
  errand.phase = Phase::seeking;
  errand.session = 0;
  errand.sought = errand.next = now;
  errand.without.clear();
}

// A member that was away may have shown what is over long since, and another what is not.
void Client::seek_on(Errand& errand, Instant now) {
  const bool is_unwanted = errand.is_unwanted;
  seek(errand, now);
  errand.is_unwanted = is_unwanted;
}

void Client::it_lasts(std::size_t index, const std::string& group, member::Number token,
                      Instant now) {
  Errand& errand = errands_[index];
  errand.phase = Phase::lasting;
  if (errand.kind.type != Type::band) errand.group = group;
  errand.token = token;
  errand.until = Instant::never();
  errand.session = 0;
  errand.owes = false;
  errand.next = is_finishing_ ? now : now + draw_hold();
  out_.begins(index);
}

void Client::on(const member::Lasts& lasts, Instant now) {
  const std::size_t index = find(lasts.request);
  if (index == errands_.size()) return;
  const bool is_unwanted = errands_[index].phase == Phase::leaving;  // it came before that
  if (!is_unwanted && errands_[index].phase != Phase::waiting) return;
  it_lasts(index, lasts.group, lasts.token, now);
  if (is_unwanted) errands_[index].next = now;
}

void Client::step_lasting(std::size_t index, Instant now) {
  Errand& errand = errands_[index];
  if (!is_connected_ || now < errand.next) return;
  if (errand.phase != Phase::seeking) return end_lasting(index);
  errand.session = session_;
  errand.request = ++last_request_;
  errand.next = now + patience(plan_);
  out_.call(Look{errand.request, plan_.resources[errand.resource].name});
}

// In a band it may have to stay; but not if it has asked before, without an answer: it may be over.
void Client::end_lasting(std::size_t index) {
  Errand& errand = errands_[index];
  const bool is_first = errand.phase == Phase::lasting;
  const bool is_forced = !is_first || is_finishing_ || random_.chance(plan_.habits.forces);
  const bool may_have_to_stay = errand.kind.type == Type::band && !is_forced;
  errand.phase = Phase::ending;
  errand.session = session_;
  errand.request = ++last_request_;
  errand.next = Instant::never();
  may_have_to_stay ? out_.parts(index) : out_.ends(index, Ending::left);
  member::Burial burial{.request = errand.request,
                        .name = plan_.resources[errand.resource].name,
                        .kind = errand.kind,
                        .owner = errand.owner,
                        .token = errand.token,
                        .is_forced = is_forced,
                        .wait = {}};
  if (may_have_to_stay && random_.chance(plan_.habits.leaves_only_soon))
    burial.wait = draw(plan_.habits.long_hold);
  if (is_first && errand.kind.type != Type::band && random_.chance(0.5))
    burial.token = 0;  // whatever it is
  out_.call(burial);
}

bool Client::on_refused_end(std::size_t index, const member::Refused& refused, Instant now) {
  Errand& errand = errands_[index];
  if (errand.phase != Phase::ending) return false;
  if (refused.why == member::Refusal::must_stay) {
    errand.phase = Phase::lasting;
    errand.session = 0;
    errand.next = now + draw_hold();
    out_.stays(index);
  } else {
    errand.next = now + beat_every(plan_) / 4;
  }
  return true;
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
void Client::on(const member::Shown& shown, Instant now) {
  const std::size_t index = find(shown.request);
  if (index == errands_.size() || errands_[index].phase != Phase::seeking) return;
  Errand& errand = errands_[index];
  for (const member::Picture::Holder& holder : shown.picture.holders) {
    if (!holder.is_lasting || holder.client != errand.owner) continue;
    if (holder.certainty == member::Picture::Certainty::sure && !errand.is_unwanted)
      return it_lasts(index, holder.group, holder.token, now);
    errand.token = holder.token;
    errand.phase = Phase::ending;
    errand.is_sought = true;
    return end_lasting(index);
  }
  // What it has asked for may have been on its way for as long as anything was cut off or paused.
  Real held_up = 0;
  if (!promised_) {
    for (const Fault& fault : plan_.faults) held_up += fault.lasts;
  }
  const Duration enough = plan_.config.drift.at_least(plan_.config.lease * 3 +
                                                      plan_.config.session + Duration{held_up});
  const Instant since = promised_ ? std::max(errand.sought, *promised_) : errand.sought;
  if (now >= since + enough && is_nowhere(errand, shown.picture.dark)) return rest(errand, now);
  errand.next = now + beat_every(plan_);
}

}  // namespace coterie::sim::torture
