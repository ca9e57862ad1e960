// The catalogue of checks: what must hold, and the errors of the printed algorithms that must be caught.
// `coterie check --suite` and the tests run it; the documents quote it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/explore.h"

namespace coterie::check {

enum class Effort : std::uint8_t {
  quick,  // a second or two: in every run of the tests
  soak,   // longer: in `make soak`
};

// What an exhaustive search must find, to the last state; 0: not pinned.
struct Counts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint32_t depth = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

struct Case {
  std::string_view name;
  std::string_view plan;             // as after `coterie check`; of a model: see models.h
  std::optional<Property> violates;  // nothing: holds
  Counts counts;
  Effort effort = Effort::quick;

  // A printed error: plan.substr(0, plan.find(' ')) is its name in the errata.
  bool is_mutant() const { return plan.find('@') < plan.find(' '); }
  Verdict expected() const { return violates ? Verdict::violated : Verdict::holds; }
};

// In the order of their protocols.
const std::vector<Case>& suite();

// A plan that cannot be read is an error of ours: it is thrown.
Outcome run(const Case& check, const Options& options);

// How the outcome differs from what is expected; "" if it does not.
std::string difference(const Case& check, const Outcome& outcome);

}  // namespace coterie::check
