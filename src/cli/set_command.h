// `coterie set`: how many may be inside of a name, or must.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_set_command(const Command& root);

}  // namespace coterie::cli
