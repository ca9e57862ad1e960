// `coterie check --suite`: runs the catalogue of checks, with a table at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coterie::cli {

struct SuiteOptions {
  std::vector<std::string> names;  // or how they begin; none: all
  bool soak = false;               // also those that take long
  unsigned threads = 1;
  std::uint64_t memory = 4096;  // MiB
  bool json = false;
};

// Answers the code with which the program should exit.
int run_suite(const SuiteOptions& options);

}  // namespace coterie::cli
