// `coterie check PROTOCOL`: explores every state of a protocol in a setting, and tells what came out.
#pragma once

#include <cstdint>
#include <string>

#include "check/plan.h"
#include "cli/check_trace.h"

namespace coterie::cli {

struct ProtocolOptions {
  check::Plan plan;
  unsigned threads = 1;
  std::uint64_t memory = 4096;  // MiB
  TraceFiles files;
  bool state = false;  // print the state of every process at the end of a trace
  bool json = false;
};

// The code with which the program exits when a check ends with `verdict`.
int exit_code_of(check::Verdict verdict);

// Answers the code with which the program should exit.
int check_protocol(const ProtocolOptions& options);

}  // namespace coterie::cli
