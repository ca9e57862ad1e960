// `coterie quorum show`: the members as they are arranged, a home quorum marked among them, and the
// first quorums.
#pragma once

#include <cstddef>
#include <string>

#include "coterie/node_set.h"

namespace coterie::cli {

struct ShowOptions {
  std::string spec;
  std::size_t limit = 10;
  NodeId member = 0;
  bool json = false;
};

void show(const ShowOptions& options);

}  // namespace coterie::cli
