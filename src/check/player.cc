#include "check/player.h"

#include <algorithm>

#include "check/judge.h"

namespace coterie::check {

Player::Player(Space& space, std::span<const Property> properties)
    : space_(space),
      properties_(properties),
      view_(space),
      state_(space.initial()),
      fingerprint_(space.fingerprint(state_)) {
  list_events();
}

void Player::take(const Event& event) {
  std::vector<Space::Change> changes;
  fingerprint_ = view_.move(event, state_, fingerprint_, changes).fingerprint;
  of_step_ = {};
  judge_step(
      space_, state_, event, changes, [this](Property property) { return asks(property); },
      of_step_);
  for (const Space::Change& change : changes) state_[change.place] = change.becomes;
  list_events();
}

void Player::list_events() {
  events_.clear();
  space_.for_each_event(state_, [&](const Event& event) { events_.push_back(event); });
}

bool Player::is_at_end() const {
  return std::all_of(events_.begin(), events_.end(),
                     [](const Event& event) { return event.is_chance; });
}

std::optional<Player::Fault> Player::fault() {
  bool is_quiet = std::none_of(events_.begin(), events_.end(), [](const Event& event) {
    return event.is_delivery || event.is_due;
  });
  for (NodeId process = 0; process < space_.processes(); ++process)
    is_quiet = is_quiet && !space_.brief(state_[process]).alarm;
  Noted noted = of_step_;
  judge(
      space_, state_, is_quiet, is_at_end(), people_,
      [this](Property property) { return asks(property); }, noted);
  return noted.first;
}

bool Player::asks(Property property) const {
  return std::find(properties_.begin(), properties_.end(), property) != properties_.end();
}

}  // namespace coterie::check
