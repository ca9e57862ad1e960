// A trace as a space-time diagram: a line per process, time downwards, one row per step; messages as
// arrows from the step that sent to the step that received; waits and stays inside as bars.
//
// A row has one step, and so at most one label on either side of the middle of it: labels cannot overlap.
#pragma once

#include <string>
#include <vector>

#include "check/story.h"

namespace coterie::cli {

// The whole text of an SVG file. `heading`: lines above the picture; the last says what is wrong.
std::string draw_diagram(const check::Space& space, const std::vector<check::Scene>& scenes,
                         const std::vector<std::string>& heading);

}  // namespace coterie::cli
