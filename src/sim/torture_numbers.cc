#include "sim/torture_numbers.h"

#include <algorithm>

namespace coterie::sim::torture {

Numbers::Numbers(const std::vector<member::Kind>& first) : was_asked_(first.size()) {
  for (const member::Kind& kind : first) places_.push_back({{{}, kind, kLongAgo, kLongAgo}});
}

void Numbers::ask(const Question& question, std::size_t resource, const member::Kind& kind,
                  Real now, How how) {
  places_[resource].push_back({question, kind, now, kNever, how});
  was_asked_[resource] = true;
}

bool Numbers::may_have_become(std::size_t resource, Real then) const {
  const Changes& changes = places_[resource];
  return std::any_of(changes.begin(), changes.end(), [then](const Change& change) {
    return change.how != How::numbers && change.answered >= then;
  });
}

Numbers::Change* Numbers::find(const Question& question) {
  for (Changes& changes : places_) {
    for (Change& change : changes) {
      if (change.question == question) return &change;
    }
  }
  return nullptr;
}

bool Numbers::answer(const Question& question, Real now) {
  Change* const change = find(question);
  if (change != nullptr) change->answered = now;
  return change != nullptr;
}

void Numbers::refuse(const Question& question) {
  for (Changes& changes : places_)
    std::erase_if(changes, [&](const Change& change) {
      return change.question == question && change.answered == kNever;
    });
}

// Not if another was asked for when it held already, and held by then.
bool Numbers::may_have_held(const Changes& changes, const Change& change, Real then) {
  return std::none_of(changes.begin(), changes.end(), [&](const Change& later) {
    return later.asked > change.answered && later.answered <= then;
  });
}

// Into something else than that, or nothing in particular.
bool Numbers::may_be_reformed(const Changes& changes, const member::Kind& kind) {
  return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
    return change.how == How::forget || !are_alike(change.kind, kind);
  });
}

member::Kind Numbers::loosest(std::size_t resource, const member::Kind& asked, Real then) const {
  const Changes& changes = places_[resource];
  const bool is_reformed = may_be_reformed(changes, asked);
  member::Kind loosest = asked;
  // Until something is set, one goes by what one asks for.
  if (!is_reformed && !may_have_held(changes, changes.front(), then)) {
    loosest.min = member::kNoMax;
    loosest.max = 0;
  }
  for (const Change& change : changes) {
    if (change.kind.type != asked.type) continue;
    if (!is_reformed && !may_have_held(changes, change, then)) continue;
    loosest.min = std::min(loosest.min, change.kind.min);
    loosest.max = std::max(loosest.max, change.kind.max);
  }
  return loosest;
}

std::uint32_t Numbers::least_min(std::size_t resource, Real then) const {
  const Changes& changes = places_[resource];
  if (may_be_reformed(changes, {member::Type::band, 0, 1})) return 0;
  std::uint32_t least = member::kNoMax;
  for (const Change& change : changes) {
    if (may_have_held(changes, change, then)) least = std::min(least, change.kind.min);
  }
  return least;
}

bool Numbers::may_arm(std::size_t resource, std::size_t inside) const {
  const Changes& changes = places_[resource];
  return std::any_of(changes.begin(), changes.end(), [inside](const Change& change) {
    return change.kind.min > 0 && inside >= change.kind.min;
  });
}

std::uint32_t Numbers::greatest_min(std::size_t resource, Real then) const {
  const Changes& changes = places_[resource];
  std::uint32_t greatest = 0;
  for (const Change& change : changes) {
    if (may_have_held(changes, change, then)) greatest = std::max(greatest, change.kind.min);
  }
  return greatest;
}

}  // namespace coterie::sim::torture
