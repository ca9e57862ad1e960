// `coterie quorum list|show|check|analyze|compare`: the options of each. What they do is in a file of its
// own.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_quorum_command(const Command& root);

}  // namespace coterie::cli
