// `coterie check --replay`: steps a trace again, and says what it breaks.
#pragma once

#include "cli/check_protocol.h"

namespace coterie::cli {

// Answers the code with which the program should exit.
int replay_trace(const ProtocolOptions& options, const std::string& path);

}  // namespace coterie::cli
