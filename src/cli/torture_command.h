// `coterie torture`: live members under every fault that there is, in simulated time, until something breaks.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_torture_command(const Command& root);

}  // namespace coterie::cli
