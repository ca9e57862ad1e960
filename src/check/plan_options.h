// The options of a plan, each once: command lines, the suite and the files of traces are read and written
// by this list.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/plan.h"

namespace coterie::check {

struct PlanOption {
  std::string_view name;   // system: written --system
  std::string_view value;  // what follows it, for help; empty: nothing does
  std::string_view meaning;
  // What is wrong with the text, if anything: "" if it will do.
  std::string (*set)(Plan& plan, std::string_view text);
  // The texts that set it as it is; none if that is how a plan begins.
  std::vector<std::string> (*get)(const Plan& plan);
  bool repeats = false;
};
std::span<const PlanOption> plan_options();

// A plan as one writes it after `coterie check`: maekawa@S1 --system majority:n=3 --requests 2. What a
// shell would take for its own is in single quotes.
Result<Plan> parse_plan(std::string_view text);
std::string text_of(const Plan& plan);  // parses to the same plan

}  // namespace coterie::check
