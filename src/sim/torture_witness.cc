#include "sim/torture_witness.h"

#include <fmt/format.h>

#include <algorithm>

namespace coterie::sim::torture {

// To hold a mutex is to be in a room with a group of one's own.
spec::Group Witness::group_of(Place& place, const Entry& entry) {
  if (entry.type == member::Type::mutex) return place.next_group++;
  const auto [known, is_new] = place.groups.try_emplace(entry.group, place.next_group);
  if (is_new) ++place.next_group;
  return known->second;
}

spec::Fault Witness::fault_of_tokens(Place& place, const Entry& entry, spec::Group group) {
  const bool is_same = place.token > 0 && group == place.token_group;
  const member::Number before = is_same ? place.other_token : place.token;
  if (entry.token > place.token) {
    if (!is_same) place.other_token = place.token;
    place.token = entry.token;
    place.token_group = group;
  } else if (!is_same) {
    place.other_token = std::max(place.other_token, entry.token);
  }
  if (entry.token > before) return {};
  return fmt::format("{} enters with token {}, but {} was used before it", entry.who, entry.token,
                     before);
}

spec::Fault Witness::fault_of_rule(const Place& place, const Entry& entry) {
  std::vector<spec::Person> people;
  for (const Believer& believer : place.inside)
    people.push_back({.place = spec::Place::inside, .group = believer.group, .accepts = {}});
  const spec::Rule rule =
      entry.type == member::Type::mutex ? spec::Rule::at_most(1) : spec::Rule::one_group();
  if (!rule.broken(people)) return {};
  std::string names;
  for (const Believer& believer : place.inside)
    names +=
        fmt::format("{}{} (token {})", names.empty() ? "" : ", ", believer.who, believer.token);
  return fmt::format("{} believe to be inside together: not {}", names, rule.text());
}

Witness::Judgement Witness::enter(const Entry& entry) {
  Place& place = places_[entry.resource];
  const spec::Group group = group_of(place, entry);
  ++entries_;
  place.inside.push_back({entry.hold, entry.who, group, entry.token});
  Judgement judgement;
  judgement.tokens = fault_of_tokens(place, entry, group);
  // Alone one breaks no rule: nearly all are.
  if (place.inside.size() > 1) judgement.exclusion = fault_of_rule(place, entry);
  return judgement;
}

void Witness::leave(std::size_t resource, HoldId hold) {
  std::erase_if(places_[resource].inside,
                [hold](const Believer& believer) { return believer.hold == hold; });
}

}  // namespace coterie::sim::torture
