// `coterie completion`: scripts that complete command lines; and `coterie manual`, the manual page, for those
// who install it.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

// REQUIRES: the program outlives what it runs.
void add_completion_command(Program& program);

}  // namespace coterie::cli
