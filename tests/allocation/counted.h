// The number of allocations that this program has made so far.
#pragma once

#include <cstddef>

namespace coterie {

std::size_t allocations();

}  // namespace coterie
