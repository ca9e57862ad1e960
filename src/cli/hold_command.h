// `coterie mutex` and `coterie room`: run a command while holding.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_hold_commands(const Command& root);

}  // namespace coterie::cli
