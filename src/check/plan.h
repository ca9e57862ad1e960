// From what a user writes to what the checker explores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/config.h"
#include "check/explore.h"
#include "coterie/result.h"

namespace coterie::check {

struct Plan {
  std::string protocol;              // surrogate+entry@E1
  std::vector<std::string> systems;  // specs; files must have been read into `parsed` already
  std::optional<std::size_t> processes;
  std::optional<std::size_t> requesters;  // the first so many ask
  std::uint32_t requests = 1;
  // "a,b,a+c": one per process; "3": each request any of three; "each": a group for each request, as if it were a mutex;
  // empty: all the same.
  std::string groups;
  std::string inside;  // "0,1", "none": who starts inside, for floors and bands; empty: all, or max
  // "0+1,0+1,0+2": the quorum of each process; "any": every choice explored; empty: homes.
  std::string quorums;
  std::optional<std::uint32_t> min;
  std::optional<std::uint32_t> max;
  std::uint32_t locks = 0;
  bool immediate_to_self = false;
  bool fifo = true;
  bool late_alarms = false;
  bool late_faults = false;
  Budget faults;
  bool reduce = false;     // one order of steps that commute
  std::string properties;  // "safety,served"; empty: those that the version claims
};

// REQUIRES: `systems` are those that plan.systems names, in the same order.
// Errors name the part of the plan in Error::parameter.
Result<Config> make_config(const Plan& plan, std::vector<quorum::System> systems);

// The properties that the version claims.
std::vector<Property> claimed(const protocol::Choice& choice);
// Those that the plan names, or else those claimed.
Result<std::vector<Property>> properties_of(const Plan& plan, const protocol::Choice& choice);

Result<std::vector<Property>> parse_properties(std::string_view text);  // "safety,served"

}  // namespace coterie::check
