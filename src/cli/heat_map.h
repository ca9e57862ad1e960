// A table to be read by its colours, as SVG: a hue for each group, the paler the worse.
#pragma once

#include <string>

#include "sim/experiment.h"

namespace coterie::cli {

// The whole text of an SVG file.
std::string draw_heat_map(const sim::HeatMap& map);

}  // namespace coterie::cli
