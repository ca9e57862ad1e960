// How a client finds its member, as client::Engine does (client/engine_road.cc), over connections of the simulation.
#include "sim/torture_client.h"

namespace coterie::sim::torture {

using member::Duration;
using member::Instant;
using Phase = Errand::Phase;

void Client::seek() {
  is_dialling_ = true;
  next_road_ = now_ + patience(plan_);
  out_.greet(static_cast<NodeId>(road_.at()), session_->hello(road_.leads_back(), now_));
}

void Client::welcomed(const api::Welcome& welcome, Instant now) {
  if (is_closed_) return;
  now_ = now;
  is_dialling_ = false;
  is_welcome_ = true;
  road_.welcomed();
  if (!welcome.is_resumed) ++sessions_;
  session_->welcomed(welcome, now);
  go_on_with_operations();
}

void Client::broken(Instant now) {
  if (is_closed_) return;
  now_ = now;
  const bool was_welcome = is_welcome_;
  lose_connection();
  was_welcome ? seek() : fail();
}

void Client::lose_connection() {
  out_.abandon();
  is_dialling_ = is_welcome_ = false;
  session_->disconnected();
}

void Client::fail() {
  road_.failed();
  if (has_former_ && road_.has_failed_twice()) session_->cannot_move();
  next_road_ = now_ + road_.pause();
}

void Client::part() {
  out_.abandon();
  is_dialling_ = is_welcome_ = false;
  road_.go_on();
  next_road_ = now_;
}

bool Client::move_on() {
  if (!road_.has_others()) return false;
  out_.set_aside();
  has_former_ = true;
  part();
  return true;
}

void Client::close_former() {
  out_.close_former();
  has_former_ = false;
}

void Client::move(Instant now) {
  if (is_closed_ || !is_welcome_) return;
  now_ = now;
  lose_connection();
  // Or its connection breaks, and it comes back for its session.
  if (random_.chance(0.5)) return seek();
  road_.go_on();
  next_road_ = now;
}

// A program that closes its client, whatever that holds, and makes another.
void Client::go_without_word(Instant now) {
  for (std::size_t i = 0; i < errands_.size(); ++i) {
    Errand& errand = errands_[i];
    errand.ticket = 0;
    if (errand.is_inside()) {
      out_.ends(i, errand.kind.type == member::Type::band ? Ending::abandoned : Ending::left);
      rest(errand);
    } else if (errand.phase == Phase::waiting || errand.phase == Phase::leaving) {
      errand.owner.empty() ? rest(errand) : seek_owned(errand);
    } else if (errand.phase == Phase::changing) {
      rest(errand);
    } else if (errand.phase == Phase::ending || errand.phase == Phase::seeking) {
      errand.may_be_over = true;
      errand.next = now;
    }
  }
  for (auto& operation : operations_) operation.reset();  // their session ends here
  session_->close();
  out_.close_former();
  has_former_ = false;
  session_ = plan_.make_session(label_, *this);
  part();
}

}  // namespace coterie::sim::torture
