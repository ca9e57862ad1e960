// `coterie check PROTOCOL --walks N`: long random walks, for sizes beyond search and for processes that ask
// for ever.
#pragma once

#include <cstdint>

#include "check/plan.h"

namespace coterie::cli {

struct WalkOptions {
  std::uint64_t walks = 0;
  std::uint64_t steps = 100'000;
  std::uint64_t patience = 200;
  std::uint64_t seed = 1;
};

// Answers the code with which the program should exit.
int walk_protocol(const check::Plan& plan, const WalkOptions& options, bool json);

}  // namespace coterie::cli
