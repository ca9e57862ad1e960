// Mistakes that torture must find: of drivers, of clients, of configurations, and of the algorithm.
#pragma once

#include <span>
#include <string_view>

#include "sim/torture_plan.h"

namespace coterie::sim::torture {

struct Mutant {
  std::string_view name;
  std::string_view meaning;
  void (*spoil)(Plan& plan);
  bool is_found = true;  // by torture; the others by `coterie check`
};

std::span<const Mutant> mutants();
const Mutant* find_mutant(std::string_view name);

}  // namespace coterie::sim::torture
