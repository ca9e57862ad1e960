// The numbers of one family as the commands print them, measured once.
#pragma once

#include <nlohmann/json.hpp>
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

// Text for tables. An estimate by sampling has only the digits that it knows.
std::string text_of(const quorum::Estimate& estimate, int digits);
std::string text_of_size(const Numbers& numbers);
std::string text_of_load(const Numbers& numbers);
std::string text_of_resilience(const Numbers& numbers);

// A set of members as people write it: {0,1,4}.
std::string text_of(const NodeSet& set, const quorum::System& system);
nlohmann::ordered_json to_json(const NodeSet& set, const quorum::System& system);

// The families of a system with the names that people know them by.
std::string family_name(const quorum::System& system, std::size_t index);

}  // namespace coterie::cli
