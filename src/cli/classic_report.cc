#include "cli/classic_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "cli/classic_formula.h"
#include "cli/numbers.h"
#include "cli/table.h"

namespace coterie::cli {
namespace {

using net::ClassicPlan;
using net::ClassicReport;
using nlohmann::ordered_json;

std::string systems_of(const ClassicPlan& plan) {
  std::vector<std::string> specs;
  for (const quorum::System& system : plan.setting.systems) specs.push_back(system.spec());
  return fmt::format("{}", fmt::join(specs, " and "));
}

double per_entry(std::uint64_t count, const ClassicReport& report) {
  return static_cast<double>(count) /
         static_cast<double>(std::max<std::uint64_t>(report.entries, 1));
}

// Messages of one name; an algorithm that is made of others may have two types of one.
std::vector<ClassicReport::Type> by_name(const ClassicReport& report) {
  std::vector<ClassicReport::Type> types;
  for (const auto& [number, type] : report.types) {
    const auto same =
        std::find_if(types.begin(), types.end(),
                     [&, &name = type.name](const auto& known) { return known.name == name; });
    if (same == types.end()) {
      types.push_back(type);
    } else {
      same->sent += type.sent;
    }
  }
  return types;
}

// The mean over those that ask; they ask equally often.
std::optional<Formula> mean_formula(const ClassicPlan& plan) {
  std::optional<Formula> mean;
  for (NodeId process = 0; process < plan.requesters; ++process) {
    const auto formula = formula_of(plan.choice, plan.setting, process);
    if (!formula) return {};
    if (!mean) {
      mean = formula;
      continue;
    }
    mean->messages += formula->messages;
    if (mean->remote_text != formula->remote_text) mean->remote_text = "";
    mean->remote = mean->remote && formula->remote ? std::optional(*mean->remote + *formula->remote)
                                                   : std::nullopt;
  }
  const auto requesters = static_cast<double>(plan.requesters);
  mean->messages /= requesters;
  if (mean->remote) *mean->remote /= requesters;
  return mean;
}

std::string two_digits(double number) { return fmt::format("{:.2f}", number); }

void print_messages(const ClassicReport& report) {
  Table table({"<messages", "sent", "per entry"});
  const auto add = [&](const std::string& name, std::uint64_t count) {
    table.add({name, std::to_string(count), two_digits(per_entry(count, report))});
  };
  for (const ClassicReport::Type& type : by_name(report)) add(type.name, type.sent);
  add("all", report.sent);
  add("to oneself", report.to_oneself);
  fmt::print("{}", table.str());
}

void print_costs(const ClassicPlan& plan, const ClassicReport& report) {
  const auto formula = mean_formula(plan);
  Table table({"<messages per entry", "here", "undisturbed", "<formula"});
  const std::string none = "-";
  table.add({"all", two_digits(per_entry(report.sent, report)),
             formula ? two_digits(formula->messages) : none, formula ? formula->text : ""});
  const bool is_known = formula && formula->remote;
  table.add({"between processes", two_digits(per_entry(report.remote(), report)),
             is_known ? two_digits(*formula->remote) : none, is_known ? formula->remote_text : ""});
  fmt::print("\n{}", table.str());
}

}  // namespace

void print_classic_plan(const ClassicRun& run) {
  const ClassicPlan& plan = run.plan;
  const std::string systems = systems_of(plan);
  fmt::print("command  {}\n\n", text_of_command(run.command, 9));
  fmt::print("{}", wrapped(fmt::format("{}{}: {} of this machine, over TCP", plan.choice.text(),
                                       systems.empty() ? "" : " on " + systems,
                                       plan.setting.processes == 1
                                           ? "1 process"
                                           : fmt::format("{} processes", plan.setting.processes)),
                           3));
  fmt::print("{}", wrapped("rule     " + run.rule, 9));
  fmt::print("faults   none is tolerated: if a process dies, all is over\n\n");
  std::fflush(stdout);
}

void print_classic_report(const ClassicRun& run, const ClassicReport& report) {
  const std::uint64_t wanted = run.plan.requesters * run.plan.requests;
  fmt::print("{}", wrapped(fmt::format("entries  {} of {} in {:.2f} s; at most {} inside at once{}",
                                       report.entries, wanted,
                                       std::chrono::duration<double>(report.time).count(),
                                       report.most_inside, report.fault ? "" : "; the rule held"),
                           9));
  if (report.fault) fmt::print("{}", wrapped("fault    " + *report.fault, 9));
  if (!report.fault && !report.is_complete)
    fmt::print("partial  interrupted: messages may have been on their way\n");
  fmt::print("\n");
  if (report.sent > 0) print_messages(report);
  if (report.entries > 0) print_costs(run.plan, report);
}

void print_classic_json(const ClassicRun& run, const ClassicReport& report) {
  const ClassicPlan& plan = run.plan;
  ordered_json by_type = ordered_json::object();
  for (const ClassicReport::Type& type : by_name(report))
    by_type[type.name] = per_entry(type.sent, report);
  ordered_json formula = nullptr;
  if (const auto known = mean_formula(plan)) {
    formula = {{"text", known->text}, {"messages_per_entry", known->messages}};
    formula["remote_text"] = known->remote ? ordered_json(known->remote_text) : nullptr;
    formula["messages_per_entry_remote"] =
        known->remote ? ordered_json(*known->remote) : ordered_json(nullptr);
  }
  print_json({{"command", run.command},
              {"protocol", plan.choice.text()},
              {"system", systems_of(plan)},
              {"processes", plan.setting.processes},
              {"requesters", plan.requesters},
              {"rule", run.rule},
              {"tolerates_faults", false},
              {"complete", report.is_complete},
              {"fault", report.fault ? ordered_json(*report.fault) : ordered_json(nullptr)},
              {"entries", report.entries},
              {"entries_wanted", plan.requesters * plan.requests},
              {"seconds", std::chrono::duration<double>(report.time).count()},
              {"most_inside", report.most_inside},
              {"messages", report.sent},
              {"messages_to_oneself", report.to_oneself},
              {"messages_per_entry", per_entry(report.sent, report)},
              {"messages_per_entry_remote", per_entry(report.remote(), report)},
              {"by_type", by_type},
              {"formula", formula}});
}

}  // namespace coterie::cli
