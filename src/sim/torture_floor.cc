#include "sim/torture_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace coterie::sim::torture {

void Floor::asks(std::size_t resource, const member::Kind& kind, Guest guest) {
  Place& place = places_[resource];
  place.min = kind.min;
  place.guests.push_back({std::move(guest), State::waiting, 0});
}

template <class Does>
void Floor::find(member::SessionId session, member::RequestId request, const Does& does) {
  for (Place& place : places_) {
    for (Known& known : place.guests) {
      if (known.guest.session == session && known.guest.request == request)
        return does(place, known);
    }
  }
}

void Floor::granted(member::SessionId session, member::RequestId request, Real now) {
  find(session, request, [&](Place& place, Known& known) {
    if (!known.guest.has_ticket) enter(place, known, now);
    sweep(place, now);
  });
}

void Floor::moved(member::SessionId session, member::RequestId request, Real now) {
  find(session, request, [&](Place& place, Known& known) { enter(place, known, now); });
}

// Who enters may count also those who have left a moment ago, and so arm the floor.
void Floor::enter(Place& place, Known& known, Real now) {
  known.state = State::inside;
  known.since = now;
  const bool has_floor = place.min > 0;
  if (has_floor && count(place, "", true, now) >= place.min) place.may_be_armed = true;
}

Floor::Judgement Floor::left(member::SessionId session, member::RequestId request, Real now) {
  Judgement judgement;
  find(session, request, [&](Place& place, Known& known) {
    known.since = now;
    known.state = State::left;
    const State state = known.guest.is_forced ? State::ended : State::left;
    for (Known& other : place.guests) {
      const bool is_before = other.guest.name == known.guest.name && other.guest.session <= session;
      if (!is_before || other.state == State::waiting || other.state == State::left) continue;
      other.state = state;
      if (known.guest.is_forced) other.since = now;
    }
    judgement.resource = static_cast<std::size_t>(&place - places_.data());
    if (known.guest.is_forced || now < place.armed_from) return;
    const std::size_t others = count(place, known.guest.name, false, now);
    judgement.fault = spec::Rule::at_least(place.min).broken_by_leaving(others);
    if (judgement.fault)
      judgement.fault = fmt::format("{} was let out: {}", known.guest.name, *judgement.fault);
  });
  return judgement;
}

void Floor::lost(member::SessionId session, member::RequestId request, Real now) {
  find(session, request, [&](Place& place, Known& known) {
    if (known.guest.lasts) return enter(place, known, now);
    known.state = State::ended;
    known.since = now;
  });
}

// What was being written down for it is over.
void Floor::refused(member::SessionId session, member::RequestId request, Real now) {
  find(session, request, [&](Place& place, Known& known) {
    if (!known.guest.lasts) return;
    enter(place, known, now);
    known.state = State::ended;
  });
}

template <class Is>
void Floor::end_all(const Is& is, Real now) {
  for (Place& place : places_) {
    for (Known& known : place.guests) {
      if (!is(known.guest)) continue;
      if (known.guest.lasts && known.state == State::waiting) known.state = State::inside;
      if (known.guest.lasts) continue;
      if (known.state == State::inside) known = {known.guest, State::ended, now};
      if (known.state == State::waiting) known = {known.guest, State::left, kLongAgo};
    }
    sweep(place, now);
  }
}

void Floor::session_ends(member::SessionId session, Real now) {
  end_all([session](const Guest& guest) { return guest.session == session; }, now);
}

void Floor::member_ends(NodeId member, Real now) {
  end_all([member](const Guest& guest) { return guest.member == member; }, now);
}

bool Floor::is_recent(const Known& known, Real now) const {
  return now <= std::max(known.since, slow_until_) + times_.echo;
}

std::size_t Floor::count(const Place& place, const std::string& but, bool with_left,
                         Real now) const {
  std::set<std::string> names;
  for (const Known& known : place.guests) {
    const bool may_be_written_down = known.guest.lasts && known.state == State::waiting;
    const bool is_counted = known.state == State::inside || may_be_written_down ||
                            (known.state == State::ended && is_recent(known, now)) ||
                            (known.state == State::left && with_left && is_recent(known, now));
    if (is_counted && known.guest.name != but) names.insert(known.guest.name);
  }
  return names.size();
}

void Floor::sweep(Place& place, Real now) {
  std::erase_if(place.guests, [&](const Known& known) {
    const bool is_over = known.state == State::ended || known.state == State::left;
    return is_over && !is_recent(known, now);
  });
}

void Floor::armed(std::size_t resource, std::size_t inside, Real now) {
  Place& place = places_[resource];
  if (inside < place.min || now < trouble_until_) return;
  place.armed_from = std::min(place.armed_from, now + times_.spread);
}

void Floor::trouble(Real now, Real until) {
  trouble_until_ = std::max(trouble_until_, until);
  for (Place& place : places_) {
    if (now < place.armed_from) place.armed_from = kNever;
  }
}

}  // namespace coterie::sim::torture
