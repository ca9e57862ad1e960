// A command that runs while a participant of a band is outside: it is inside before and after, by a hold that lasts, and
// leaves for the command when enough others stay. So a restart on many machines goes no further than it may.
#pragma once

#include "cli/hold_events.h"
#include "cli/hold_options.h"
#include "coterie/client.h"

namespace coterie::cli {

// The code to exit with. Throws a Failure if the command was not run.
int run_outside(const HoldOptions& options, const Request& request, HoldEvents& events);

}  // namespace coterie::cli
