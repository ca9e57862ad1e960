// Members whose disks can be slowed down while they run: each starts with program/slow_disk.cc loaded before other
// libraries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/serving.h"

namespace coterie::history {

class Disks {
 public:
  // REQUIRES: the folder and the members outlive it.
  Disks(const cli::Folder& folder, std::vector<std::string> names, cli::Serving& serving);

  void start(std::size_t member, std::vector<std::string> arguments = {});
  // Each wait for the disk takes so much longer. False: it could not be told.
  bool slow(std::size_t member, std::uint32_t milliseconds);

 private:
  std::string file(std::size_t member) const { return folder_ + "/disk-" + names_[member]; }

  std::string folder_;
  std::vector<std::string> names_;
  cli::Serving& serving_;
};

}  // namespace coterie::history
