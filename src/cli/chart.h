// Charts of an experiment as SVG: panels of lines with their confidence bands, or of bars, under one key.
//
// A line has the same colour in every panel.
#pragma once

#include <string>

#include "sim/experiment.h"

namespace coterie::cli {

// The whole text of an SVG file.
std::string draw_picture(const sim::Picture& picture);

}  // namespace coterie::cli
