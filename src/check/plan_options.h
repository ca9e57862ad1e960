// The options of a plan, each once: command lines, the suite and the files of traces are read and written
// by this list.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/plan_option.h"
#include "check/plan.h"

namespace coterie::check {

using PlanOption = coterie::PlanOption<Plan>;
std::span<const PlanOption> plan_options();

// A plan as one writes it after `coterie check`: maekawa@S1 --system majority:n=3 --requests 2. What a
// shell would take for its own is in single quotes.
Result<Plan> parse_plan(std::string_view text);
std::string text_of(const Plan& plan);  // parses to the same plan

}  // namespace coterie::check
