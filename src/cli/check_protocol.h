// `coterie check PROTOCOL`: explores every state of a protocol in a setting, and tells what came out; or
// steps again a trace that such a search has written.
#pragma once

#include <cstdint>
#include <string>

#include "check/plan.h"

namespace coterie::cli {

inline constexpr int kExitUnfinished = 3;

struct ProtocolOptions {
  check::Plan plan;
  unsigned threads = 1;
  std::uint64_t memory = 4096;  // MiB
  std::string trace;            // files; empty: none
  std::string plot;
  std::string replay;
  bool state = false;  // print the state of every process at the end of a trace
  bool json = false;
};

// Both answer the code with which the program should exit.
int check_protocol(const ProtocolOptions& options);
int replay_trace(const ProtocolOptions& options);

}  // namespace coterie::cli
