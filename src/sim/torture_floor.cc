#include "sim/torture_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coterie::sim::torture {

template <class Does>
void Floor::find(member::SessionId session, member::RequestId request, const Does& does) {
  for (Place& place : places_) {
    // A client may ask again by the same number: the last one is meant.
    const auto last =
        std::find_if(place.guests.rbegin(), place.guests.rend(), [&](const Known& known) {
          return known.guest.session == session && known.guest.request == request;
        });
    if (last != place.guests.rend()) return does(place, *last);
  }
}

void Floor::asks(std::size_t resource, Guest guest, Real now) {
  Place& place = places_[resource];
  place.guests.push_back({std::move(guest), State::waiting, 0});
  if (place.guests.back().guest.lasts) remember_others(place, now);
}

void Floor::wants_out(member::SessionId session, member::RequestId request, Real now) {
  find(session, request, [&](Place& place, Known& known) {
    known.wants_out = now;
    if (!known.guest.buries) return;
    place.endings.try_emplace(known.guest.name, Ending{now, {}});
    remember_others(place, now);
  });
}

void Floor::remember_others(Place& place, Real now) const {
  for (auto& [owner, ending] : place.endings) {
    const Names others = inside(place, owner, false, now);
    const bool is_known =
        std::any_of(ending.others.begin(), ending.others.end(), [&](const Names& before) {
          return std::includes(before.begin(), before.end(), others.begin(), others.end());
        });
    if (!is_known) ending.others.push_back(others);
  }
}

void Floor::granted(member::SessionId session, member::RequestId request, Real now) {
  find(session, request, [&](Place& place, Known& known) {
    if (!known.guest.has_ticket) enter(place, known, now);
    const bool is_ending =
        std::any_of(place.guests.begin(), place.guests.end(), [&](const Known& other) {
          return other.guest.buries && other.state == State::waiting &&
                 other.guest.name == known.guest.name;
        });
    if (!is_ending) place.endings.erase(known.guest.name);  // whoever asked is gone
    sweep(place, now);
  });
}

void Floor::abandoned(member::SessionId session, member::RequestId request, bool is_quiet,
                      Real now) {
  bool is_out = false;
  find(session, request, [&](Place& /*place*/, Known& known) {
    known.guest.is_forced = true;
    is_out = is_quiet && known.state == State::inside;
    if (is_quiet && known.state == State::waiting && !known.guest.lasts)
      known = {known.guest, State::left, kLongAgo};
  });
  if (is_out) static_cast<void>(left(session, request, now));
}

void Floor::moved(member::SessionId session, member::RequestId request, Real now) {
  find(session, request, [&](Place& place, Known& known) { enter(place, known, now); });
}

// Who enters may count also those who have left a moment ago, and so arm the floor.
void Floor::enter(Place& place, Known& known, Real now) {
  known.state = State::inside;
  known.since = now;
  if (numbers_.may_arm(number_of(place), inside(place, "", true, now).size()))
    place.may_be_armed = true;
  remember_others(place, now);
}

Floor::Judgement Floor::left(member::SessionId session, member::RequestId request, Real now) {
  Judgement judgement;
  find(session, request, [&](Place& place, Known& known) {
    const bool was_inside = known.state != State::waiting;
    known.since = now;
    // One that was abandoned has gone as by a crash: others may count it for a while.
    const bool is_abandoned = known.guest.is_forced && !known.guest.buries;
    known.state = is_abandoned ? State::ended : State::left;
    if (known.guest.has_ticket && !was_inside) return;  // it gives back what it only showed
    const State state = known.guest.is_forced ? State::ended : State::left;
    Ending ending{std::min(known.wants_out, now), {}};
    auto begun = place.endings.extract(known.guest.name);
    if (known.guest.buries && !begun.empty()) ending = std::move(begun.mapped());
    const Real asked = ending.since;
    for (Known& other : place.guests) {
      // One of the same name may have come in as soon as this one was out, before its client was told.
      const bool is_after = &other != &known && other.state == State::inside && other.since > asked;
      const bool is_before =
          other.guest.name == known.guest.name && other.guest.session <= session && !is_after;
      if (!is_before || other.state == State::waiting || other.state == State::left) continue;
      other.state = state;
      if (known.guest.is_forced) other.since = now;
    }
    judgement.resource = number_of(place);
    if (known.guest.is_forced) return;
    for (auto& [owner, other] : place.endings) {
      for (Names& names : other.others) names.erase(known.guest.name);
    }
    if (now < place.armed_from) return;
    std::size_t others = inside(place, known.guest.name, false, now).size();
    for (const Names& names : ending.others) others = std::max(others, names.size());
    const std::uint32_t min = numbers_.least_min(judgement.resource, asked);
    judgement.fault = spec::Rule::at_least(min).broken_by_leaving(others);
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
void Floor::refused(member::SessionId session, member::RequestId request, bool is_begun, Real now) {
  find(session, request, [&](Place& place, Known& known) {
    if (known.guest.buries && !is_begun) place.endings.erase(known.guest.name);
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

Floor::Names Floor::inside(const Place& place, const std::string& but, bool with_left,
                           Real now) const {
  Names names;
  for (const Known& known : place.guests) {
    const bool may_be_written_down = known.guest.lasts && known.state == State::waiting;
    const bool is_counted = known.state == State::inside || may_be_written_down ||
                            (known.state == State::ended && is_recent(known, now)) ||
                            (known.state == State::left && with_left && is_recent(known, now));
    if (is_counted && known.guest.name != but) names.insert(known.guest.name);
  }
  return names;
}

void Floor::sweep(Place& place, Real now) {
  std::erase_if(place.guests, [&](const Known& known) {
    const bool is_over = known.state == State::ended || known.state == State::left;
    return is_over && !is_recent(known, now);
  });
}

void Floor::armed(std::size_t resource, Real now) {
  Place& place = places_[resource];
  if (now < trouble_until_) return;
  place.armed_from = std::min(place.armed_from, now + times_.spread);
}

void Floor::trouble(Real now, Real until) {
  trouble_until_ = std::max(trouble_until_, until);
  for (Place& place : places_) {
    if (now < place.armed_from) place.armed_from = kNever;
  }
}

}  // namespace coterie::sim::torture
