// Charts of an experiment as SVG: panels of lines with their confidence bands, or of bars, under one key.
//
// A line has the same colour in every panel. Text and axes have the colour of their surroundings, and the
// paper is of class "paper", so that a page can show them dark on light or light on dark.
#pragma once

#include <string>

#include "sim/experiment.h"

namespace coterie::cli {

// The whole text of an SVG file.
std::string draw_picture(const sim::Picture& picture);

}  // namespace coterie::cli
