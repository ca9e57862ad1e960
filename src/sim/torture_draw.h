// Draws of a plan's parts.
#pragma once

#include <cmath>
#include <initializer_list>

#include "base/random.h"
#include "sim/torture_plan.h"

namespace coterie::sim::torture {

// Each order of magnitude as likely as another.
inline double log_uniform(Random& random, double least, double most) {
  return least * std::pow(most / least, random.uniform());
}

template <class T>
T one_of(Random& random, std::initializer_list<T> choices) {
  return choices.begin()[random.below(choices.size())];
}

// Delays so short that no lease is in danger.
void make_prompt(Plan& plan, Random& random);

// How long the storm is and what happens in it.
void draw_faults(Plan& plan, Random& random);

}  // namespace coterie::sim::torture
