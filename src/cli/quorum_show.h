// `coterie quorum show`: the members as they are arranged, a home quorum marked among them, and the
// first quorums.
#pragma once

#include <cstddef>
#include <string>

#include "cli/numbers.h"

namespace coterie::cli {

struct ShowOptions {
  std::string spec;
  std::size_t limit = 10;
  std::size_t member = 0;
  std::size_t groups = kShownGroups;
  bool json = false;
};

void show(const ShowOptions& options);

}  // namespace coterie::cli
