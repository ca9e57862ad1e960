// What may be asked for: names, groups, and how they go together. Members refuse the rest, and clients do not
// even send it.
#pragma once

#include <string>

#include "api/calls.h"

namespace coterie::api {

// What is wrong, in words; empty if nothing is. `what` is how the name is called there.
std::string fault_of_name(const std::string& what, const std::string& name);
std::string fault_of(const Wish& wish);

}  // namespace coterie::api
