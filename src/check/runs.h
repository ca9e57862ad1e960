// Random runs with faults, through configurations too large to search: each from the start to an end, by the
// steps that a search would take and judged as it would. A run is not fair, and has a rhythm of its own: how
// readily faults strike, how soon leases run out, and who is slow.
#pragma once

#include "check/walk.h"

namespace coterie::check {

// As walk(), but the requests of the configuration count. A run that goes on after options.steps steps
// violates finish: there are only so many requests. Run w of a seed is the same whatever their number.
WalkOutcome run_at_random(const Config& config, const WalkOptions& options);

}  // namespace coterie::check
