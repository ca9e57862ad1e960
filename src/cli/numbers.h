// The numbers of one family as the commands print them, measured once.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coterie/analysis.h"
#include "coterie/quorum.h"

namespace coterie::cli {

struct Numbers {
  std::size_t n = 0;
  std::size_t k = 0;
  std::size_t min_size = 0;
  std::size_t max_size = 0;
  std::optional<quorum::Load> load = {};  // nothing: not decided
  std::optional<std::size_t> resilience = {};
  std::optional<std::pair<std::size_t, std::size_t>> clients = {};
  std::vector<quorum::Estimate> availability = {};  // h = 1..k
  std::optional<quorum::Estimate> expected_size = {};
};

Numbers measure(const quorum::Family& family, quorum::Up up, const quorum::Effort& effort);

nlohmann::ordered_json to_json(const Numbers& numbers);
// One object on standard output.
void print_json(const nlohmann::ordered_json& json);
// Of the availabilities: the least exact one that was needed.
std::string method_of(const Numbers& numbers);

// How far the ends of its 95 % interval are from it, at most; 0 if it is exact.
double half_width(const quorum::Estimate& estimate);

// Text for tables. An estimate by sampling has only the digits that it knows.
std::string text_of(const quorum::Estimate& estimate, int digits);
std::string text_of_size(const Numbers& numbers);
std::string text_of_load(const Numbers& numbers);
std::string text_of_resilience(const Numbers& numbers);

// Text from outside, such as names and paths, is made visible.
// The spec; on a terminal, cut to a line.
std::string title_of(const quorum::System& system);
std::string text_of(NodeId member, const quorum::System& system);
// A set of members as people write it: {0,1,4}.
std::string text_of(const NodeSet& set, const quorum::System& system);
nlohmann::ordered_json to_json(const NodeSet& set, const quorum::System& system);

// The families of a system with the names that people know them by.
std::string family_name(const quorum::System& system, std::size_t index);

// A system of groups may have thousands of them, much alike: the commands go into the first few.
inline constexpr std::size_t kShownGroups = 8;
// How many of its families those are, if `groups` groups are asked for; and what to say of the rest.
std::size_t shown_families(const quorum::System& system, std::size_t groups);
std::string text_of_rest(const quorum::System& system, std::size_t groups);

}  // namespace coterie::cli
