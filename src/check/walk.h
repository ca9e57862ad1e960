// Long walks through configurations too large to search, and with processes that ask for ever.
//
// The scheduler is an adversary: in each walk one process is its victim, and the messages to and from the
// victim are kept back as long as the rule of fairness allows, that no message is overtaken by more than
// `patience` steps. What the walk reports is the longest overtaking: how often others entered while one
// process waited. A starving process shows as an overtaking that grows with the length of the walk.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/config.h"
#include "check/explore.h"

namespace coterie::check {

struct WalkOptions {
  std::uint64_t seed = 1;
  std::uint64_t walks = 10;
  std::uint64_t steps = 100'000;  // of each walk
  std::uint64_t patience = 200;   // steps
  std::vector<Property> properties;
  // Called after each walk; false stops.
  std::function<bool(std::uint64_t walks)> progress = [](std::uint64_t) { return true; };
};

struct WalkOutcome {
  bool is_violated = false;
  Property property = Property::safety;
  std::string reason;
  std::uint64_t walk = 0;  // that broke it, and at which step
  std::uint64_t step = 0;
  std::uint64_t walks = 0;
  std::uint64_t steps = 0;
  std::uint64_t entries = 0;
  std::uint64_t messages = 0;
  std::uint64_t longest_overtaking = 0;
  std::uint64_t faults = 0;              // in runs with faults
  std::vector<std::string> last_events;  // before a violation
};

// In a walk requesters ask for ever, so it never comes to rest, and it remembers no past: leaks, finish, tokens and
// survives are not judged.
constexpr bool is_judged_in_walks(Property property) {
  return property == Property::safety || property == Property::served ||
         property == Property::slot || property == Property::entry;
}

// Walk w of a seed is the same whatever the number of walks. The requests of the configuration do not
// count: every requester asks for ever.
WalkOutcome walk(const Config& config, const WalkOptions& options);

}  // namespace coterie::check
