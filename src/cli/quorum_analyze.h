// `coterie quorum analyze`: availability, quorum size, load, capacity and resilience of one system.
#pragma once

#include <string>

#include "cli/numbers.h"
#include "coterie/analysis.h"

namespace coterie::cli {

struct AnalyzeOptions {
  std::string spec;
  std::string up = "0.9";
  std::string up_file;
  std::string reads;
  std::size_t groups = kShownGroups;
  bool strategy = false;
  bool json = false;
  quorum::Effort effort;
};

void analyze(const AnalyzeOptions& options);

}  // namespace coterie::cli
