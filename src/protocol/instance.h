// From what a user writes to an algorithm in a setting: what the drivers have in common.
//
// Errors name the part that is at fault in Error::parameter, as it is called here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coterie/result.h"
#include "protocol/catalogue.h"
#include "spec/rule.h"

namespace coterie::protocol {

struct InstanceText {
  std::string protocol;                  // surrogate+entry@E1
  std::optional<std::size_t> processes;  // as many as the systems have members
  std::optional<std::uint32_t> min;      // l
  std::optional<std::uint32_t> max;      // k
  std::uint32_t locks = 0;
  std::string inside;  // "0,1", "none": who starts inside, for floors and bands; empty: all, or max
};

struct Instance {
  Choice choice;
  Setting setting;
  spec::Rule rule;
};

// The options that only some algorithms take.
struct Takes {
  bool groups = false;  // requests name groups, and the rule counts groups
  bool min = false;
  bool max = false;
  bool locks = false;
};
Takes takes(const Choice& choice);

// That the option, which is one of Takes, means nothing to the algorithm. Without this refusal a search would judge
// the algorithm by a rule that it does not claim.
std::optional<Error> refuse_unless_taken(const Choice& choice, std::string_view option);

// Refuses min, max and locks where the algorithm does not take them.
// REQUIRES: processes are at most max_processes if the drivers can take no more.
// The setting may still be refused by the algorithm: homes can be given first.
Result<Instance> make_instance(const InstanceText& text, std::vector<quorum::System> systems,
                               std::size_t max_processes);

// What the algorithm has against its setting, if anything.
std::optional<Error> refusal(const Choice& choice, const Setting& setting);

// "0,1" or "0+1", by the mark between. REQUIRES: processes > 0
Result<NodeSet> parse_members(std::string_view text, char mark, std::size_t processes,
                              const std::string& parameter);

// "a,b,a+c": the groups of each process, or of each of the first so many that ask (the others then
// name a, which they never use).
Result<std::vector<Groups>> parse_demands(std::string_view text, const Choice& choice,
                                          std::size_t processes, std::size_t requesters);

// Does the version take requests that name several groups?
bool takes_several_groups(const Choice& choice);

// What is wrong with asking for these groups: systems with quorums for each group have some only.
std::optional<Error> refuse_groups(const Setting& setting, const Groups& groups);

}  // namespace coterie::protocol
