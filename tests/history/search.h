// The search of the judge, for the calls of one name: see judge.h.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"

namespace coterie::history {

// Empty if the calls of one name can be explained; else what is wrong. REQUIRES: all calls have the same name and kind.
std::string fault_of_order(const std::vector<const Call*>& calls);

}  // namespace coterie::history
