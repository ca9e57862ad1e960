// Maekawa_M and Maekawa_S for any number of processes and groups, by the rule of section 7 of the Surrogate
// paper: the surficial system exists for n = d²m(m-1)/2 members only, so virtual processes are added up
// to the next such number and mapped onto the real ones round robin.
//
// The paper does not say what a real process does with the messages of its virtual ones. Two readings:
#pragma once

#include <cstddef>
#include <string_view>

#include "sim/scenario.h"

namespace coterie::sim {

struct SurficialShape {
  std::size_t degree = 1;
  std::size_t members = 1;
};
// The smallest with at least n members. REQUIRES: groups > 1
SurficialShape surficial_shape(std::size_t n, std::size_t groups);

// One contact per real process: a quorum is the set of real processes that stand for its members.
Scenario on_real_processes(std::string_view protocol, std::size_t n, std::uint32_t groups);
// One contact per virtual process: all of them are there, each at its real one, and the real ones ask.
Scenario on_virtual_processes(std::string_view protocol, std::size_t n, std::uint32_t groups);

}  // namespace coterie::sim
