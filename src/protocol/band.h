// What floors and bands ask of their setting, and those who want a coterie of its quorums.
#pragma once

#include <string>

#include "protocol/process.h"

namespace coterie::protocol {

// What is wrong with at least `l` and at most `k` inside at all times, and with who is inside at the
// start: "" if nothing is. A floor has k = n, a semaphore l = 0.
std::string refuse_band(const Setting& setting, std::size_t l, std::size_t k);

// What is wrong with the setting's quorums for who needs any two of them to meet.
std::string refuse_unless_coterie(const Setting& setting);

}  // namespace coterie::protocol
