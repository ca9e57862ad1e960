// The results of a study as a picture: against the parameter of the sweep; without one, as bars side by side.
#pragma once

#include <span>

#include "cli/sim_study.h"
#include "sim/experiment.h"

namespace coterie::cli {

sim::Picture picture_of(const Study& study, std::span<const sim::Metric* const> shown);

}  // namespace coterie::cli
