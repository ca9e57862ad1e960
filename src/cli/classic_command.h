// `coterie dev --classic`: a paper's algorithm, as it is, on the sockets of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace coterie::cli {

struct ClassicOptions {
  std::string protocol;  // empty: none
  std::vector<std::string> systems;
  std::uint64_t processes = 0;   // 0: as the system has members
  std::uint64_t requesters = 0;  // 0: all
  std::uint64_t requests = 10;
  std::string groups = "1";
  std::string inside;  // who starts inside
  std::string min;
  std::string max;
  std::string cs = "1ms";
  std::string ncs = "2ms";
  std::uint64_t seed = 1;
  bool json = false;
};

// Its options but the systems, on the command that has others too; answers --classic itself.
Option add_classic_options(const Command& command, ClassicOptions& options);

// REQUIRES: a protocol is given.
int run_classic(const ClassicOptions& options);

}  // namespace coterie::cli
