// `coterie check`: its options. What it does is in files of its own.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_check_command(const Command& root);

}  // namespace coterie::cli
