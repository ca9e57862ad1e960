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

namespace {

// Name i has clients at the members i, i + 1, ...
std::size_t first_member(const Plan& plan, std::uint32_t number, Random& random) {
  const auto names = static_cast<std::uint32_t>(plan.resources.size());
  const std::size_t any = random.below(plan.members());
  return plan.habits.are_settled ? (number % names + number / names) % plan.members() : any;
}

}  // namespace

Client::Client(const Plan& plan, std::uint32_t number, std::string label, Random random,
               ClientOutlet& out)
    : plan_(plan),
      number_(number),
      label_(std::move(label)),
      random_(random),
      out_(out),
      errands_(plan.habits.errands),
      is_other_(plan.resources.size()),
      session_(plan.make_session(label_, *this)),
      operations_(plan.habits.errands),
      road_(plan.members(), first_member(plan, number, random_),
            {beat_every(plan) / 16, beat_every(plan)}) {}

void Client::start(Instant now, const std::vector<Errand>& former) {
  now_ = now;
  for (Errand& errand : errands_) rest(errand);
  remember(former, now);
  seek();
}

void Client::crash() {
  for (std::size_t i = 0; i < errands_.size(); ++i) {
    if (errands_[i].is_inside()) out_.ends(i, Ending::crashed);
    if (errands_[i].phase == Phase::ending)
      out_.ends(i, Ending::left);  // it does not wait for that
  }
  out_.abandon();
  is_closed_ = true;
}

void Client::close() {
  for (std::size_t i = 0; i < errands_.size(); ++i) {
    if (errands_[i].is_inside()) out_.ends(i, Ending::abandoned);
  }
  session_->close();
  out_.close_former();
  is_closed_ = true;
}

void Client::promise(Instant now) {
  now_ = now;
  promised_ = now;
  for (Errand& errand : errands_) {
    errand.owes = errand.phase == Phase::resting || errand.phase == Phase::waiting;
    if (errand.phase == Phase::resting) errand.next = now;
    if (errand.phase == Phase::waiting) errand.next = Instant::never();  // it does not give up
    // What must be known to all may never be; but it may also be so already.
    if (errand.phase == Phase::changing) cancel(errand);
  }
}

bool Client::owes() const {
  return std::any_of(errands_.begin(), errands_.end(),
                     [](const Errand& errand) { return errand.owes; });
}

void Client::finish(Instant now) {
  now_ = now;
  is_finishing_ = true;
  for (Errand& errand : errands_) {
    if (errand.phase == Phase::resting) rest(errand);
    if (errand.phase == Phase::lasting) errand.next = now;
    if (errand.phase == Phase::ending) cancel(errand);
  }
}

bool Client::is_finished() const {
  return std::all_of(errands_.begin(), errands_.end(),
                     [](const Errand& errand) { return errand.is_finished(); });
}

Instant Client::next_tick() const {
  if (is_closed_) return Instant::never();
  Instant next = session_->next_tick();
  if (!is_welcome_) next = std::min(next, next_road_);
  for (const Errand& errand : errands_) next = std::min(next, errand.next);
  for (const auto& operation : operations_) {
    if (operation) next = std::min(next, operation->next_tick());
  }
  return next;
}

void Client::tick(Instant now) {
  if (is_closed_) return;
  now_ = now;
  if (is_dialling_ && now >= next_road_) {
    lose_connection();
    fail();
  }
  if (!is_dialling_ && !is_welcome_ && now >= next_road_) seek();
  if (now >= session_->next_tick()) session_->tick(now);
  for (std::size_t i = 0; i < errands_.size(); ++i) step(i);
  for (const auto& operation : operations_) {
    if (operation) operation->tick();
  }
  go_on_with_operations();
}

void Client::step(std::size_t index) {
  Errand& errand = errands_[index];
  if (now_ < errand.next) return;
  if (errand.is_durable()) return step_lasting(index);
  if (errand.phase == Phase::inside) {
    errand.kind.type == Type::band ? part_from(index) : leave(index);
  } else if (errand.phase == Phase::parting) {
    errand.next = Instant::never();
    session_->stay(errand.ticket, now_);
  } else if (errand.phase == Phase::waiting) {
    give_up(errand);
  } else if (errand.phase == Phase::resting) {
    ask(errand);
  }
}

void Client::give_up(Errand& errand) {
  errand.phase = Phase::leaving;
  errand.next = Instant::never();
  if (!cancel(errand)) session_->abandon(errand.ticket, now_);
}

bool Client::cancel(const Errand& errand) {
  const auto& operation = operations_[static_cast<std::size_t>(&errand - errands_.data())];
  if (operation) operation->cancel();
  return operation != nullptr;
}

// In time it wants to be out, without more ado.
void Client::part_from(std::size_t index) {
  Errand& errand = errands_[index];
  const bool has_whims = !is_finishing_;
  if (has_whims && random_.chance(plan_.habits.goes_without_word)) return go_without_word(now_);
  const bool is_short = has_whims && random_.chance(plan_.habits.leaves_only_soon);
  const Instant end = is_short ? now_ + draw(plan_.habits.long_hold) : Instant::never();
  const bool is_try = is_short && random_.chance(0.3);
  errand.phase = Phase::parting;
  errand.next = Instant::never();
  if (has_whims && random_.chance(plan_.habits.stays_after_all))
    errand.next = now_ + draw(plan_.habits.long_hold);
  out_.parts(index);
  session_->release(errand.ticket, now_, end, is_try);
}

void Client::leave(std::size_t index) {
  Errand& errand = errands_[index];
  out_.ends(index, Ending::left);
  errand.phase = Phase::leaving;
  errand.next = Instant::never();
  session_->release(errand.ticket, now_);
}

void Client::rest(Errand& errand) {
  errand.phase = Phase::resting;
  errand.ticket = 0;
  errand.owner.clear();
  errand.next = now_ + draw(plan_.habits.rest);
  if (is_finishing_) errand.next = Instant::never();
  if (errand.owes) errand.next = now_ + beat_every(plan_) / 4;
}

Duration Client::draw(const Distribution& distribution) {
  return {std::min(real_of(distribution.draw(random_)), plan_.habits.longest_hold)};
}

Duration Client::draw_hold() {
  const bool is_long = random_.chance(plan_.habits.is_long);
  return draw(is_long ? plan_.habits.long_hold : plan_.habits.short_hold);
}

}  // namespace coterie::sim::torture
