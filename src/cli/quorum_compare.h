// `coterie quorum compare`: systems side by side; over a range of up-probabilities; or as they grow.
#pragma once

#include <string>
#include <vector>

#include "cli/numbers.h"
#include "coterie/analysis.h"

namespace coterie::cli {

struct CompareOptions {
  std::vector<std::string> specs;
  std::string up = "0.9";
  std::string sizes;
  std::string plot;
  std::size_t groups = kShownGroups;
  bool json = false;
  quorum::Effort effort;
};

void compare(const CompareOptions& given);

}  // namespace coterie::cli
