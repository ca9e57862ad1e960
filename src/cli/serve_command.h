// `coterie serve`: one member.
#pragma once

#include "cli/command_line.h"

namespace coterie::cli {

void add_serve_command(const Command& root);

}  // namespace coterie::cli
