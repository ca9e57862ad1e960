// `coterie dev`: a cluster on this machine, to play with and to break.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_dev_command(const Command& root);

}  // namespace coterie::cli
