#include "spec/rule.h"

#include <algorithm>

namespace coterie::spec {
namespace {

std::size_t count_inside(People people) {
  return static_cast<std::size_t>(std::count_if(
      people.begin(), people.end(), [](const Person& person) { return person.is_inside(); }));
}

std::size_t count_groups(People people) {
  std::size_t groups = 0;
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (!people[i].is_inside()) continue;
    const bool seen = std::any_of(
        people.begin(), people.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const Person& other) { return other.is_inside() && other.group == people[i].group; });
    if (!seen) ++groups;
  }
  return groups;
}

std::string names(People people, auto&& belongs) {
  std::string text;
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (!belongs(people[i])) continue;
    if (!text.empty()) text += ", ";
    const std::optional<NodeId>& whose = people[i].clients_of;
    text += whose ? name_of_clients(*whose) : name_of(static_cast<NodeId>(i));
  }
  return text;
}

std::string names_at(People people, Place place) {
  return names(people, [place](const Person& person) { return person.place == place; });
}

std::string names_inside(People people) {
  return names(people, [](const Person& person) { return person.is_inside(); });
}

bool accepts_one_inside(const Person& person, People people) {
  return std::any_of(people.begin(), people.end(), [&](const Person& other) {
    return other.is_inside() && std::find(person.accepts.begin(), person.accepts.end(),
                                          other.group) != person.accepts.end();
  });
}

}  // namespace

std::string name_of(NodeId process) { return "p" + std::to_string(process); }

std::string name_of_clients(NodeId process) {
  return "the clients of " + name_of(process) + "'s dead life";
}

Rule Rule::of(Problem problem, std::size_t l, std::size_t k) {
  switch (problem) {
    case Problem::mutex:
      return at_most(1);
    case Problem::semaphore:
      return at_most(k);
    case Problem::room:
      return one_group();
    case Problem::rooms:
      return at_most_groups(k);
    case Problem::floor:
      return at_least(l);
    case Problem::band:
      return between(l, k);
  }
  return at_most(1);
}

Fault Rule::broken(People people) const {
  const std::size_t inside = count_inside(people);
  if (inside < min_) {
    return std::to_string(inside) + " inside, at least " + std::to_string(min_) + " must be";
  }
  if (inside > max_) {
    return names_inside(people) + " are inside together, at most " + std::to_string(max_) +
           " may be";
  }
  const std::size_t groups = max_groups_ == kAny ? 0 : count_groups(people);
  if (allows(inside, groups)) return {};
  return names_inside(people) + " are inside for " + std::to_string(groups) + " groups, at most " +
         std::to_string(max_groups_) + " may be";
}

Fault Rule::broken_by_leaving(std::size_t others) const {
  if (others >= min_) return {};
  return std::to_string(others) + " stay inside, at least " + std::to_string(min_) + " must";
}

Fault Rule::slot_unreachable(People people) const {
  const std::size_t inside = count_inside(people);
  const std::size_t groups = max_groups_ == kAny ? 0 : count_groups(people);
  if (const std::string waiting = names_at(people, Place::entering);
      has_room(inside, groups) && !waiting.empty()) {
    return waiting + " cannot enter although there is room: nothing is on its way";
  }
  if (const std::string waiting = names_at(people, Place::leaving);
      can_spare_one(inside) && !waiting.empty()) {
    return waiting + " cannot leave although enough would stay: nothing is on its way";
  }
  return {};
}

Fault Rule::friends_kept_out(People people) const {
  const std::string waiting = names_at(people, Place::entering);
  if (waiting.empty() || count_inside(people) >= max_) return {};
  const bool all_friends = std::all_of(people.begin(), people.end(), [&](const Person& person) {
    return person.place != Place::entering || accepts_one_inside(person, people);
  });
  if (!all_friends) return {};
  return waiting +
         " cannot enter although its group is inside and no other group waits: nothing is on its "
         "way";
}

bool Rule::may_mend(Place before, Place after) const {
  const bool was_inside = Person{before, 0, {}}.is_inside();
  const bool is_inside = Person{after, 0, {}}.is_inside();
  const bool has_most = max_ != kAny || max_groups_ != kAny;
  return (was_inside && !is_inside && has_most) || (!was_inside && is_inside && min_ > 0);
}

std::string Rule::text() const {
  std::string text;
  if (min_ > 0) text = "at least " + std::to_string(min_) + " inside";
  if (max_ != kAny)
    text += (text.empty() ? "" : ", ") + ("at most " + std::to_string(max_) + " inside");
  if (max_groups_ == 1) {
    text += "one group inside";
  } else if (max_groups_ != kAny) {
    text += "at most " + std::to_string(max_groups_) + " groups inside";
  }
  return text.empty() ? "anything" : text;
}

Fault Rule::unserved(People people) const {
  const std::string waiting =
      names(people, [](const Person& person) { return person.is_waiting(); });
  if (waiting.empty() || !slot_unreachable(people)) return {};
  return waiting + " can wait for ever: nothing more can happen";
}

}  // namespace coterie::spec
