#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "sim/plan.h"

namespace coterie::sim {
namespace {

constexpr std::uint32_t kMostRequests = 100'000'000;
constexpr std::array<std::string_view, 3> kArrivals{"closed", "open", "bursts"};

std::string set_real(double& to, std::string_view text) {
  constexpr double kMost = 1e9;
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = failure == std::errc{} && end == text.data() + text.size();
  if (!is_number || !(value >= 0 && value <= kMost))
    return fmt::format("must be a number from 0 to {:g}, not '{}'", kMost, text);
  to = value;
  return {};
}

std::string set_arrivals(Arrivals& to, std::string_view text) {
  const auto* const found = std::find(kArrivals.begin(), kArrivals.end(), text);
  if (found == kArrivals.end())
    return fmt::format("must be one of {}, not '{}'", fmt::join(kArrivals, ", "), text);
  to = static_cast<Arrivals>(found - kArrivals.begin());
  return {};
}

// The text, unless that is how a plan begins.
template <class Value>
Texts unless_usual(const Value& value, Value Plan::*field) {
  static const Plan usual;
  return value == usual.*field ? Texts{} : Texts{fmt::format("{}", value)};
}

// An option that is a text or a number of the plan.
template <auto field>
std::string set_field(Plan& plan, std::string_view text) {
  auto& value = plan.*field;
  using Value = std::remove_reference_t<decltype(value)>;
  if constexpr (std::is_same_v<Value, std::string>) {
    return set_text(value, text);
  } else if constexpr (std::is_same_v<Value, double>) {
    return set_real(value, text);
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return set_number(value, text, kMostRequests);
  } else {
    return set_number(value, text);
  }
}
template <auto field>
Texts get_field(const Plan& plan) {
  const auto& value = plan.*field;
  if constexpr (requires { value.has_value(); }) {
    return number_if_set(value);
  } else {
    return unless_usual(value, field);
  }
}
template <auto field>
constexpr PlanOption field_option(std::string_view name, std::string_view value,
                                  std::string_view meaning) {
  return {name, value, meaning, set_field<field>, get_field<field>};
}

constexpr std::array kOptions = {
    PlanOption{"system", "SPEC", "a quorum system; =N, =M: see below",
               [](Plan& plan, std::string_view text) {
                 plan.systems.emplace_back(text);
                 return std::string();
               },
               [](const Plan& plan) { return plan.systems; }, true},
    field_option<&Plan::processes>("processes", "N",
                                   "how many processes (as the system has members)"),
    field_option<&Plan::requesters>("requesters", "M", "only the first M of them ask"),
    field_option<&Plan::requests>("requests", "R", "how often each of these asks (1000)"),
    field_option<&Plan::warm_up>("warm-up", "R", "leave the start and the end out: see below (0)"),
    field_option<&Plan::groups>("groups", "M|a,b,a",
                                "each draws one of M; or that of each process (1)"),
    field_option<&Plan::groups_per_request>("groups-per-request", "J",
                                            "of which any one will do (1)"),
    field_option<&Plan::zipf>("zipf", "S", "group i is drawn as often as i^-S says (0)"),
    field_option<&Plan::turnover>("turnover", "T",
                                  "every T one group goes, a new one comes (0: never)"),
    PlanOption{
        "arrivals", "closed|open|bursts", "ask --ncs after leaving; --ncs apart; all at once",
        [](Plan& plan, std::string_view text) { return set_arrivals(plan.arrivals, text); },
        [](const Plan& plan) {
          return plan.arrivals == Arrivals::closed
                     ? Texts{}
                     : Texts{std::string(kArrivals[static_cast<std::size_t>(plan.arrivals)])};
        }},
    field_option<&Plan::apart>("ncs", "DIST", "time outside between requests (exp:4)"),
    field_option<&Plan::inside_for>("cs", "DIST", "time inside (uniform:0:4)"),
    field_option<&Plan::delay>("delay", "DIST", "of a message; with --sites, a factor (exp:4)"),
    field_option<&Plan::sites>("sites", "FILE", "where processes are: see below"),
    PlanOption{"unordered", "", "messages on one channel may overtake each other",
               [](Plan& plan, std::string_view /*text*/) {
                 plan.fifo = false;
                 return std::string();
               },
               [](const Plan& plan) { return plan.fifo ? Texts{} : Texts{""}; }},
    field_option<&Plan::min>("min", "L", "at least L inside: floors and bands"),
    field_option<&Plan::max>("max", "K", "at most K inside, or K groups (as the system has)"),
    field_option<&Plan::inside>("inside", "i,j,...|none",
                                "who starts inside: floors, bands (all, or K)"),
    PlanOption{"locks", "r", "at most r locks per node: maekawa-m (no limit)",
               [](Plan& plan, std::string_view text) { return set_count(plan.locks, text); },
               get_field<&Plan::locks>},
    field_option<&Plan::alarm>("alarm", "DIST", "how long an alarm takes to go off (const:20)"),
    field_option<&Plan::down>("down", "i,j-k,...", "these nodes, by number, are down for ever"),
    field_option<&Plan::fail_after>("fail-after", "DIST", "nodes fail after so long; and"),
    field_option<&Plan::back_after>("back-after", "DIST", "are back after so long"),
    PlanOption{"requesters-fail", "", "who is down does not ask either",
               [](Plan& plan, std::string_view /*text*/) {
                 plan.requesters_fail = true;
                 return std::string();
               },
               [](const Plan& plan) { return plan.requesters_fail ? Texts{""} : Texts{}; }},
};

}  // namespace

std::span<const PlanOption> plan_options() { return kOptions; }

const PlanOption* find_option(std::string_view name) {
  const auto* const found = std::find_if(kOptions.begin(), kOptions.end(),
                                         [&](const PlanOption& each) { return each.name == name; });
  return found == kOptions.end() ? nullptr : found;
}

Result<Plan> with(const Plan& plan, const PlanOption& option, std::string_view text) {
  Plan changed;
  changed.protocol = plan.protocol;
  for (const PlanOption& each : kOptions) {
    if (&each == &option) continue;
    for (const std::string& value : each.get(plan)) each.set(changed, value);
  }
  if (const std::string wrong = option.set(changed, text); !wrong.empty()) {
    Error error{wrong};
    error.parameter = option.name;
    return error;
  }
  return changed;
}

std::string text_of(const Plan& plan) {
  return quoted(plan.protocol) + text_of_options(plan_options(), plan);
}

}  // namespace coterie::sim
