// `coterie reproduce`: the tables and figures of the papers, computed again, with a verdict on each claim.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_reproduce_command(const Command& root);

}  // namespace coterie::cli
