// `coterie quorum check`: the properties, each with a witness when it fails.
#pragma once

#include <cstdint>
#include <string>

#include "coterie/analysis.h"
#include "coterie/budget.h"
#include "coterie/quorum.h"

namespace coterie::cli {

struct CheckOptions {
  std::string spec;
  std::uint64_t steps = Budget::kDefaultSteps;
  bool json = false;
};

// Answers the code to exit with: 1 if a property fails that makes it a quorum system.
int check(const CheckOptions& options);

// Of a system that is read from a file, or has parts that are: all numbers that are computed of it rest on k.
// A wrong k is a Failure that names quorums which show it. False: the search took more than the effort allows.
bool verify_k(const quorum::System& system, const quorum::Effort& effort);

}  // namespace coterie::cli
