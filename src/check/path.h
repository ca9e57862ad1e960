// A shortest way from the start to a state that a search has found.
#pragma once

#include <vector>

#include "check/table.h"

namespace coterie::check {

// The table keeps no parents, only depths; the way is found again by following states of growing depth.
std::vector<Event> path_to(Space& space, const Table& table, Fingerprint target);

}  // namespace coterie::check
