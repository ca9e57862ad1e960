// `coterie status`: the members; or who holds a name, who waits for it, and why.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_status_command(const Command& root);

}  // namespace coterie::cli
