// `coterie sim`: protocols under a workload, in simulated time: what they cost and how long one waits.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_sim_command(const Command& root);

}  // namespace coterie::cli
