// `coterie check MODEL:CONFIGURATION`: explores every state of a model (check/models.h), and tells what came out.
#pragma once

#include <cstdint>
#include <string>

namespace coterie::cli {

struct ModelOptions {
  std::string plan;             // such as calls:two-copies@no-tombstone
  std::uint64_t memory = 4096;  // MiB
  bool json = false;
};

// Answers the code with which the program should exit.
int check_model(const ModelOptions& options);

}  // namespace coterie::cli
