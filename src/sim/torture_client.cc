#include "sim/torture_client.h"

#include <algorithm>
#include <utility>

namespace coterie::sim::torture {

using member::Duration;
using member::Instant;
using member::Type;
using Phase = Errand::Phase;

Duration Client::beat_every(const Plan& plan) {
  return std::min(plan.config.lease, plan.config.session) / 6;
}

Duration Client::patience(const Plan& plan) {
  // What it holds can move only while it is good; but where answers are slow, to go elsewhere does not help.
  if (plan.is_prompt && plan.habits.shows_tickets) return beat_every(plan) * 2;
  return std::max(plan.config.lease, plan.config.session);
}

Client::Client(const Plan& plan, std::uint32_t number, std::string label, Random random,
               ClientOutlet& out)
    : plan_(plan),
      number_(number),
      label_(std::move(label)),
      random_(random),
      out_(out),
      errands_(plan.habits.errands),
      is_other_(plan.resources.size()),
      belief_(plan.client_drift),
      member_(static_cast<NodeId>(random_.below(plan.members()))) {
  // Name i has clients at the members i, i + 1, ...
  const auto names = static_cast<std::uint32_t>(plan.resources.size());
  if (plan.habits.are_settled)
    member_ = (number % names + number / names) % static_cast<NodeId>(plan.members());
}

void Client::start(Instant now, const std::vector<Errand>& former) {
  for (Errand& errand : errands_) rest(errand, now);
  remember(former, now);
  connect(now);
}

void Client::connect(Instant now) {
  ++session_;
  is_connected_ = true;
  heard_ = now;
  belief_ = member::Belief(plan_.client_drift);
  out_.connect(member_);
  out_.call(Open{label_, belief_.beat(now)});
  next_beat_ = now + beat_every(plan_);
  go_on(now);
}

// What it holds it goes on believing for as long as it was told; what it waits for is over.
void Client::disconnect(Instant now, Duration for_so_long) {
  if (!is_connected_) return;
  out_.abandon();
  is_connected_ = false;
  member_ = static_cast<NodeId>((member_ + 1) % plan_.members());
  next_beat_ = now + for_so_long;
  for (Errand& errand : errands_) {
    errand.shown = 0;
    if (errand.phase == Phase::ending) errand.next = now;
    const bool is_asked = errand.phase == Phase::waiting || errand.phase == Phase::leaving;
    if (is_asked && !errand.owner.empty()) seek(errand, now);
    const bool is_over = errand.phase == Phase::waiting && !stays_in_line(errand);
    if (is_over || errand.phase == Phase::leaving || errand.phase == Phase::changing)
      rest(errand, now);
    if (errand.phase != Phase::parting) continue;  // nobody will tell it any more
    errand.next = Instant::never();
    errand.may_be_out = true;
    if (plan_.habits.shows_tickets) continue;
    errand.phase = Phase::inside;
    errand.next = now + draw_hold();
  }
}

void Client::broken(Instant now) { disconnect(now, beat_every(plan_) / 4); }

void Client::move(Instant now) { disconnect(now, {}); }

void Client::crash() {
  for (std::size_t i = 0; i < errands_.size(); ++i) {
    if (errands_[i].is_inside()) out_.ends(i, Ending::crashed);
    if (errands_[i].phase == Phase::ending)
      out_.ends(i, Ending::left);  // it does not wait for that
  }
  if (is_connected_) out_.abandon();
  is_connected_ = false;
  is_closed_ = true;
}

void Client::close() {
  for (std::size_t i = 0; i < errands_.size(); ++i) {
    if (errands_[i].is_inside()) out_.ends(i, Ending::abandoned);
  }
  if (is_connected_) out_.call(Close{});
  is_connected_ = false;
  is_closed_ = true;
}

void Client::promise(Instant now) {
  promised_ = now;
  for (Errand& errand : errands_) {
    errand.owes = errand.phase == Phase::resting || errand.phase == Phase::waiting;
    if (errand.phase == Phase::resting) errand.next = now;
    if (errand.phase == Phase::waiting) errand.next = Instant::never();  // it does not give up
    // What must be known to all may never be; but it may also be so already.
    if (errand.phase == Phase::changing && is_current(errand)) out_.call(Leave{errand.request, {}});
  }
}

bool Client::owes() const {
  return std::any_of(errands_.begin(), errands_.end(),
                     [](const Errand& errand) { return errand.owes; });
}

void Client::finish(Instant now) {
  is_finishing_ = true;
  for (Errand& errand : errands_) {
    if (errand.phase == Phase::resting) rest(errand, now);
    if (errand.phase == Phase::lasting) errand.next = now;
    if (errand.phase == Phase::ending && is_current(errand)) out_.call(Leave{errand.request, {}});
  }
}

bool Client::is_finished() const {
  return std::all_of(errands_.begin(), errands_.end(), [](const Errand& errand) {
    const bool may_stay = errand.kind.type == Type::band && errand.wants_out();
    return errand.phase == Phase::resting || may_stay;
  });
}

Instant Client::next_tick() const {
  if (is_closed_) return Instant::never();
  Instant next = next_beat_;
  if (is_connected_) next = std::min(next, heard_ + patience(plan_));
  for (const Errand& errand : errands_) {
    if ((errand.phase == Phase::resting || errand.is_durable()) && !is_connected_) continue;
    next = std::min(next, errand.next);
    if (errand.is_inside()) next = std::min(next, errand.until);
  }
  return next;
}

void Client::tick(Instant now) {
  if (is_closed_) return;
  if (is_connected_ && now >= heard_ + patience(plan_)) disconnect(now, {});
  if (now >= next_beat_) is_connected_ ? keep_alive(now) : connect(now);
  for (std::size_t i = 0; i < errands_.size(); ++i) step(i, now);
}

void Client::keep_alive(Instant now) {
  out_.call(KeepAlive{belief_.beat(now)});
  next_beat_ = now + beat_every(plan_);
}

void Client::step(std::size_t index, Instant now) {
  Errand& errand = errands_[index];
  if (errand.is_durable()) return step_lasting(index, now);
  if (errand.is_inside() && now >= errand.until) {
    leave(index, Ending::ran_out, now);
  } else if (now < errand.next) {
    return;
  } else if (errand.phase == Phase::inside) {
    errand.kind.type == Type::band ? part(index, now) : leave(index, Ending::left, now);
  } else if (errand.phase == Phase::parting) {
    out_.call(Stay{errand.request});
    errand.next = Instant::never();
  } else if (errand.phase == Phase::waiting) {
    is_current(errand) ? give_up(errand) : rest(errand, now);
  } else if (errand.phase == Phase::resting && is_connected_) {
    ask(errand, now);
  }
}

void Client::give_up(Errand& errand) {
  out_.call(Leave{errand.request, {}});
  errand.phase = Phase::leaving;
  errand.next = Instant::never();
}

// In time it wants to be out, without more ado.
void Client::part(std::size_t index, Instant now) {
  Errand& errand = errands_[index];
  const bool has_whims = !is_finishing_;
  if (!is_current(errand)) return end(index, Ending::abandoned, now);
  if (has_whims && random_.chance(plan_.habits.goes_without_word)) return leave_all(now);
  const bool is_short = has_whims && random_.chance(plan_.habits.leaves_only_soon);
  out_.call(Leave{errand.request, is_short ? draw(plan_.habits.long_hold) : Duration{}});
  errand.phase = Phase::parting;
  errand.next = Instant::never();
  if (has_whims && random_.chance(plan_.habits.stays_after_all))
    errand.next = now + draw(plan_.habits.long_hold);
  out_.parts(index);
}

// If it has moved meanwhile, it may have been let out before, and somebody else in.
void Client::stay(std::size_t index, Instant now) {
  if (errands_[index].may_be_out) return leave(index, Ending::lost, now);
  errands_[index].phase = Phase::inside;
  errands_[index].next = now + draw_hold();
  out_.stays(index);
}

void Client::leave(std::size_t index, Ending why, Instant now) {
  Errand& errand = errands_[index];
  if (!is_current(errand)) return end(index, why, now);
  out_.ends(index, why);
  give_up(errand);
}

void Client::end(std::size_t index, Ending why, Instant now) {
  if (is_moving(errands_[index])) out_.call(Leave{errands_[index].shown, {}});
  errands_[index].shown = 0;
  out_.ends(index, why);
  rest(errands_[index], now);
}

void Client::rest(Errand& errand, Instant now) {
  errand.phase = Phase::resting;
  errand.owner.clear();
  errand.next = now + draw(plan_.habits.rest);
  if (is_finishing_) errand.next = Instant::never();
  if (errand.owes) errand.next = now + beat_every(plan_) / 4;
}

void Client::ask(Errand& errand, Instant now) {
  errand.resource = choose_resource(errand);
  if (is_owned(errand.resource, errand)) return rest(errand, now);
  errand.asked = now;
  errand.is_of_former_life = false;
  errand.session = session_;
  errand.request = ++last_request_;
  if (!errand.owes && random_.chance(plan_.habits.changes) && change(errand)) return;
  if (!errand.owes && random_.chance(plan_.habits.reforms) && reform(errand)) return;
  const bool is_mistaken = !errand.owes && random_.chance(plan_.habits.is_mistaken);
  if (is_mistaken) out_.call(Look{++last_request_, plan_.resources[errand.resource].name});
  member::Wish wish = wish_of(errand);
  if (is_mistaken && random_.chance(0.5)) mistake(wish);
  errand.wish = wish;
  errand.owner = wish.owner;
  errand.kind = wish.kind;
  if (wish.kind.type == Type::band) errand.group = wish.groups.front();
  errand.phase = Phase::waiting;
  errand.next = Instant::never();
  if (!errand.owes && random_.chance(plan_.habits.changes_its_mind))
    errand.next = now + draw(plan_.habits.long_hold);
  out_.call(wish);
}

std::size_t Client::find(member::RequestId request) const {
  std::size_t i = 0;
  while (i < errands_.size() && (errands_[i].request != request || errands_[i].session != session_))
    ++i;
  return i;
}

Instant Client::believed(const member::Good& good, Instant now) const {
  if (plan_.trust.is_blind) return Instant::never();
  const Instant until = belief_.until(good);
  return until <= now ? until : now + (until - now) * plan_.trust.times;
}

Duration Client::draw(const Distribution& distribution) {
  return {std::min(real_of(distribution.draw(random_)), plan_.habits.longest_hold)};
}

Duration Client::draw_hold() {
  const bool is_long = random_.chance(plan_.habits.is_long);
  return draw(is_long ? plan_.habits.long_hold : plan_.habits.short_hold);
}

void Client::hear(const member::Event& event, Instant now) {
  if (is_closed_) return;
  heard_ = now;
  std::visit([&](const auto& one) { on(one, now); }, event);
}

void Client::on(const member::Granted& granted, Instant now) {
  if (const std::size_t moving = find_moving(granted.request); moving < errands_.size())
    return on_moved(moving, granted, now);
  const std::size_t index = find(granted.request);
  // It may have given up just before.
  if (index == errands_.size() || errands_[index].phase != Phase::waiting) return;
  Errand& errand = errands_[index];
  errand.until = believed(granted.good, now);
  if (errand.until <= now) {                                  // it has come too late to be believed
    if (errand.kind.type == Type::band) errand.owes = false;  // in which it may have to stay
    return give_up(errand);
  }
  errand.phase = Phase::inside;
  if (errand.kind.type != Type::band) errand.group = granted.group;
  errand.token = granted.token;
  errand.origin = granted.origin;
  errand.may_be_out = false;
  errand.owes = false;
  errand.next = now + draw_hold();
  out_.begins(index);
}

void Client::on(const member::Refused& refused, Instant now) {
  if (const std::size_t moving = find_moving(refused.request); moving < errands_.size())
    errands_[moving].shown = 0;
  const std::size_t index = find(refused.request);
  if (index == errands_.size() || on_refused_end(index, refused, now)) return;
  Errand& errand = errands_[index];
  const bool must_stay = refused.why == member::Refusal::must_stay;
  const auto& other = plan_.resources[errand.resource].other;
  if (refused.why == member::Refusal::mismatch && other)
    is_other_[errand.resource] = errand.kind != *other;
  if (refused.why == member::Refusal::look_first && !errand.owner.empty()) {
    seek(errand, now);
  } else if (errand.phase == Phase::parting) {
    if (must_stay) stay(index, now);
  } else if (must_stay) {  // but it did not believe that it was inside
    if (errand.phase == Phase::leaving) give_up(errand);
  } else if (errand.phase == Phase::waiting || errand.phase == Phase::leaving ||
             errand.phase == Phase::changing) {
    rest(errand, now);
  }
}

void Client::on(const member::Lost& lost, Instant now) {
  const std::size_t index = find(lost.request);
  if (index == errands_.size()) return;
  Errand& errand = errands_[index];
  if (errand.is_inside()) end(index, Ending::lost, now);
  const bool is_written_down = errand.phase == Phase::waiting || errand.phase == Phase::leaving;
  if (is_written_down && !errand.owner.empty()) return seek(errand, now);
  if (errand.phase == Phase::leaving) rest(errand, now);
}

void Client::on(const member::Left& left, Instant now) {
  const std::size_t index = find(left.request);
  if (index == errands_.size()) return;
  const Phase phase = errands_[index].phase;
  const bool is_other = phase == Phase::ending || phase == Phase::changing;
  if (!errands_[index].wants_out() && !is_other) return;
  if (phase == Phase::parting || phase == Phase::ending) out_.ends(index, Ending::left);
  if (std::exchange(errands_[index].is_sought, false)) return seek_on(errands_[index], now);
  rest(errands_[index], now);
}

void Client::on(const member::Kept& kept, Instant now) {
  for (const auto& [request, place] : kept.places) {
    if (const std::size_t index = find(request); index < errands_.size())
      errands_[index].wish.place = place;
  }
  for (std::size_t i = 0; i < errands_.size(); ++i) {
    Errand& errand = errands_[i];
    if (!errand.is_inside() || !is_current(errand)) continue;
    const auto own = std::find_if(kept.shorter.begin(), kept.shorter.end(),
                                  [&](const auto& one) { return one.first == errand.request; });
    const Instant until = believed(own == kept.shorter.end() ? kept.good : own->second, now);
    if (until <= errand.until) continue;  // what it was told before was true as well
    errand.until = until;
    out_.extends(i);
  }
}

void Client::on(const member::Ended& /*ended*/, Instant now) {
  for (std::size_t i = 0; i < errands_.size(); ++i) {
    if (errands_[i].is_inside() && is_current(errands_[i])) end(i, Ending::lost, now);
  }
  disconnect(now, {});
}

// A good client leaves what it holds and goes elsewhere; others stay until they are told to go.
void Client::on(const member::Stopping& /*stopping*/, Instant now) {
  if (random_.chance(0.5)) leave_all(now);
}

// Bands too, whether it may or not.
void Client::leave_all(Instant now) {
  for (std::size_t i = 0; i < errands_.size(); ++i) {
    const Errand& errand = errands_[i];
    if (!errand.is_inside() || (!is_current(errand) && !is_moving(errand))) continue;
    const bool is_free = errands_[i].kind.type != Type::band;
    is_free ? leave(i, Ending::left, now) : end(i, Ending::abandoned, now);
  }
  out_.call(Close{});
  disconnect(now, {});
}

}  // namespace coterie::sim::torture
