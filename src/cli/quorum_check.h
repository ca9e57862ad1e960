// `coterie quorum check`: the properties, each with a witness when it fails.
#pragma once

#include <cstdint>
#include <string>

#include "coterie/budget.h"

namespace coterie::cli {

struct CheckOptions {
  std::string spec;
  std::uint64_t steps = Budget::kDefaultSteps;
  bool json = false;
};

// Answers the code to exit with: 1 if a property fails that makes it a quorum system.
int check(const CheckOptions& options);

}  // namespace coterie::cli
