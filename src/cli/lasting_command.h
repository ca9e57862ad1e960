// `coterie hold` and `coterie release`: holds that last, for an owner.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_lasting_commands(const Command& root);

}  // namespace coterie::cli
