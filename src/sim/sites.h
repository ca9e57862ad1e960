// Sites from a file: {"means": [[0.5, 40], [40, 0.5]], "site_of": [0, 0, 1]}.
#pragma once

#include <string_view>

#include "coterie/result.h"
#include "sim/scenario.h"

namespace coterie::sim {

// `means` has the mean time one way from each site to each; `site_of` the site of each process: if it
// is not there, process i is at site i modulo the number of sites.
Result<Sites> parse_sites(std::string_view text, std::size_t processes);

}  // namespace coterie::sim
