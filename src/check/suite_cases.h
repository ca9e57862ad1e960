// The checks of the catalogue, by kind of protocol: a line each.
#pragma once

#include <vector>

#include "check/suite.h"

namespace coterie::check {

inline Case holds(std::string_view name, std::string_view plan, Counts counts,
                  Effort effort = Effort::quick) {
  return {name, plan, {}, counts, effort};
}

inline Case breaks(std::string_view name, Property property, std::string_view plan, Counts counts,
                   Effort effort = Effort::quick) {
  return {name, plan, property, counts, effort};
}

std::vector<Case> locks_cases();
std::vector<Case> yardsticks_cases();
std::vector<Case> surrogate_cases();
std::vector<Case> groups_cases();
std::vector<Case> group_k_cases();
std::vector<Case> floors_cases();
std::vector<Case> bands_cases();
std::vector<Case> shares_cases();
std::vector<Case> census_cases();
std::vector<Case> census_fault_cases();
std::vector<Case> calls_cases();

}  // namespace coterie::check
