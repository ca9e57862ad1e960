// `coterie quorum analyze`: availability, quorum size, load, capacity and resilience of one system.
#pragma once

#include <string>

#include "coterie/analysis.h"

namespace coterie::cli {

struct AnalyzeOptions {
  std::string spec;
  std::string up = "0.9";
  std::string up_file;
  std::string reads;
  bool strategy = false;
  bool json = false;
  quorum::Effort effort;
};

void analyze(const AnalyzeOptions& options);

}  // namespace coterie::cli
