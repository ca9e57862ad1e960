// The search of judge.h again, for tiny histories, in the slowest and plainest way: every order of all effects is tried
// (Wing and Gong). It says what the search must say.
#pragma once

#include <vector>

#include "history/history.h"

namespace coterie::history {

// REQUIRES: the calls are of one name.
bool is_explained_by_trying(const std::vector<Call>& calls);

}  // namespace coterie::history
