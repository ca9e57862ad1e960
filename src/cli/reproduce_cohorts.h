// `coterie reproduce cohorts`: prints the results, and writes them as CSV and a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coterie::cli {

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string out = "out";
  std::vector<double> fractions{0.25, 0.5, 0.75, 1};
  std::size_t levels = 50;
  std::size_t points = 201;
  std::uint64_t samples = 20'000;
  std::uint64_t seed = 1;
  bool json = false;
};

void reproduce_cohorts(const ReproduceOptions& options);

}  // namespace coterie::cli
