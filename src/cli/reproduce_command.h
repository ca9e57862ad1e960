// `coterie reproduce`: the tables and figures of the papers, computed again, with a verdict on each claim.
#pragma once

#include <CLI/CLI.hpp>

namespace coterie::cli {

void add_reproduce_command(CLI::App& app, int& exit_code);

}  // namespace coterie::cli
