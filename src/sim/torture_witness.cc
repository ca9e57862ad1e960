#include "sim/torture_witness.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"

namespace coterie::sim::torture {

using member::Type;

namespace {

spec::Rule rule_of(const member::Kind& kind) {
  return kind.type == Type::room ? spec::Rule::at_most_groups(kind.max)
                                 : spec::Rule::at_most(kind.max);
}

}  // namespace

// To hold a mutex is to be in a room with a group of one's own.
spec::Group Witness::group_of(Place& place, const Entry& entry) {
  if (entry.kind.type == Type::mutex || entry.kind.type == Type::semaphore)
    return place.next_group++;
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
  if (member::is_counted(entry.kind) || entry.token > before) return {};
  return fmt::format("{} enters with token {}, but {} was used before it", entry.who, entry.token,
                     before);
}

spec::Fault Witness::granted(const Entry& entry) {
  Place& place = places_[entry.resource];
  const auto [known, is_new] = place.counted.try_emplace(entry.token, entry.group);
  if (!is_new) {
    if (entry.kind.type == Type::room && known->second == entry.group) return {};
    return fmt::format("{} is granted token {}, which was another's", entry.who, entry.token);
  }
  const auto later = std::lower_bound(place.gone.begin(), place.gone.end(), entry.asked,
                                      [](const auto& gone, Real at) { return gone.first < at; });
  if (later == place.gone.begin() || entry.token > std::prev(later)->second) return {};
  return fmt::format("{} is granted token {}, but one with {} had gone before it asked", entry.who,
                     entry.token, std::prev(later)->second);
}

spec::Fault Witness::fault_of_rule(const Place& place, const Believer& newcomer) {
  std::vector<spec::Person> people;
  std::string names;
  std::string why;
  const Entry& entry = newcomer.entry;
  for (const Believer& believer : place.inside) {
    if (believer.is_parting) continue;
    const Entry& other = believer.entry;
    people.push_back({.place = spec::Place::inside, .group = believer.group, .accepts = {}});
    names += fmt::format("{}{} (token {})", names.empty() ? "" : ", ", other.who, other.token);
    const bool is_like = entry.may_change && other.kind.type == entry.kind.type;
    if (other.kind != entry.kind && !is_like)
      why = fmt::format("{} is in {}, {} in {}", other.who, text_of(other.kind), entry.who,
                        text_of(entry.kind));
    if (entry.kind.type == Type::band && other.hold != entry.hold && other.group == entry.group)
      why = fmt::format("{} and {} go by one name, {}", other.who, entry.who, entry.group);
  }
  // There may be more groups than may come now.
  const auto lingering = place.lingering.find(newcomer.group);
  const bool has_friends =
      (lingering != place.lingering.end() && lingering->second >= entry.at) ||
      std::any_of(place.inside.begin(), place.inside.end(), [&](const Believer& other) {
        return other.entry.hold != entry.hold && other.group == newcomer.group;
      });
  const bool joins = entry.may_change && entry.kind.type == Type::room && has_friends;
  const spec::Rule rule = rule_of(entry.kind);
  if (why.empty() && rule.broken(people) && !joins) why = "not " + rule.text();
  if (why.empty()) return {};
  return fmt::format("{} believe to be inside together: {}", names, why);
}

Witness::Judgement Witness::enter(const Entry& entry) {
  Place& place = places_[entry.resource];
  const spec::Group group = group_of(place, entry);
  ++entries_;
  place.inside.push_back({entry, group});
  Judgement judgement;
  judgement.tokens = fault_of_tokens(place, entry, group);
  // Alone one breaks no rule: nearly all are.
  if (place.inside.size() > 1) judgement.exclusion = fault_of_rule(place, place.inside.back());
  return judgement;
}

Witness::Judgement Witness::again(const Entry& entry) {
  Place& place = places_[entry.resource];
  const spec::Group group = group_of(place, entry);
  place.inside.push_back({entry, group});
  Judgement judgement;
  const bool is_same = place.token > 0 && group == place.token_group;
  const member::Number since = is_same ? place.other_token : place.token;
  if (!member::is_counted(entry.kind) && entry.token < since)
    judgement.tokens = fmt::format("{} goes on with token {}, but {} was used since", entry.who,
                                   entry.token, since);
  if (place.inside.size() > 1) judgement.exclusion = fault_of_rule(place, place.inside.back());
  return judgement;
}

Witness::Believer& Witness::find(std::size_t resource, HoldId hold) {
  std::vector<Believer>& inside = places_[resource].inside;
  const auto known = std::find_if(inside.begin(), inside.end(), [hold](const Believer& believer) {
    return believer.entry.hold == hold;
  });
  COTERIE_ASSERT(known != inside.end());
  return *known;
}

void Witness::leave(std::size_t resource, HoldId hold, Real at, Real counted_until) {
  Place& place = places_[resource];
  Believer& gone = find(resource, hold);
  Real& lingers = place.lingering[gone.group];
  lingers = std::max(lingers, counted_until);
  if (place.gone.empty() || gone.entry.token > place.gone.back().second)
    place.gone.emplace_back(at, gone.entry.token);
  place.inside.erase(place.inside.begin() + (&gone - place.inside.data()));
}

void Witness::part(std::size_t resource, HoldId hold) { find(resource, hold).is_parting = true; }

spec::Fault Witness::stay(std::size_t resource, HoldId hold, const member::Kind& kind,
                          bool may_change) {
  Believer& believer = find(resource, hold);
  believer.is_parting = false;
  believer.entry.kind = kind;
  believer.entry.may_change = may_change;
  return fault_of_rule(places_[resource], believer);
}

std::size_t Witness::inside_since(std::size_t resource, Real then) const {
  const std::vector<Believer>& inside = places_[resource].inside;
  return static_cast<std::size_t>(
      std::count_if(inside.begin(), inside.end(), [then](const Believer& believer) {
        return believer.entry.at < then && !believer.is_parting && !believer.has_moved;
      }));
}

}  // namespace coterie::sim::torture
