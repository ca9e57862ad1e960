// The results of a study as tables for a terminal.
#pragma once

#include <span>

#include "cli/sim_study.h"

namespace coterie::cli {

void print_results(const Study& study, std::span<const sim::Metric* const> shown);

}  // namespace coterie::cli
