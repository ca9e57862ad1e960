// From what a user writes to a scenario. Every option is declared once, in plan_options().
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/plan_option.h"
#include "coterie/spec.h"
#include "sim/scenario.h"

namespace coterie::sim {

// Distributions stay texts here: one may be file:PATH, which is read when the scenario is made.
struct Plan {
  std::string protocol;              // surrogate+entry; surrogate/grid:n=N has a system of its own
  std::vector<std::string> systems;  // specs; =N is the number of processes, =M that of groups
  std::optional<std::size_t> processes;
  std::optional<std::size_t> requesters;
  std::uint64_t requests = 1000;
  std::uint64_t warm_up = 0;
  std::string groups = "1";  // how many, drawn per request; or "a,b,a+c", of each process
  std::uint32_t groups_per_request = 1;
  double zipf = 0;
  double turnover = 0;
  Arrivals arrivals = Arrivals::closed;
  std::string apart = "exp:4";
  std::string inside_for = "uniform:0:4";
  std::string delay = "exp:4";
  std::string sites;  // a file
  bool fifo = true;
  std::optional<std::uint32_t> min;
  std::optional<std::uint32_t> max;
  std::string inside;  // "0,1", "none": who starts inside
  std::uint32_t locks = 0;
  std::string alarm = "const:20";
  std::string down;  // "3,7,10-12"
  std::string fail_after;
  std::string back_after;
  bool requesters_fail = false;
};

using PlanOption = coterie::PlanOption<Plan>;
std::span<const PlanOption> plan_options();
const PlanOption* find_option(std::string_view name);

// The same plan with one option given anew.
Result<Plan> with(const Plan& plan, const PlanOption& option, std::string_view text);

// As one writes it after `coterie sim`.
std::string text_of(const Plan& plan);

// Errors name the option in Error::parameter: "protocol", or without its dashes.
Result<Scenario> make_scenario(const Plan& plan, const quorum::ReadFile& read_file);

// Of protocols that are compared, takes groups, min, max and locks away from those to which they mean nothing, as long
// as another one takes them. An option that none of them takes stays, for make_scenario() to refuse.
void keep_what_each_takes(std::span<Plan> compared);

// One parameter over several values: "groups=2,3,5", "delay=exp:1,exp:2", "processes=10:50:10" (a range);
// values with commas are parted by semicolons, as in "system=grid:rows=2,cols=3;majority:n=6".
struct Sweep {
  const PlanOption* option = nullptr;
  std::vector<std::string> values;
  std::string text;  // as it was written
};
Result<Sweep> parse_sweep(std::string_view text);

}  // namespace coterie::sim
