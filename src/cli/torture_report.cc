#include "cli/torture_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/table.h"
#include "sim/torture_mutants.h"

namespace coterie::cli {
namespace {

using member::Happened;
using nlohmann::ordered_json;
using sim::torture::FaultKind;
using sim::torture::Findings;
using sim::torture::Mode;
using sim::torture::Promise;
using sim::torture::Variety;

constexpr double kHour = 3600;

struct Count {
  std::string name;
  std::uint64_t count = 0;
};
using Counts = std::vector<Count>;

template <class Kind, class Of>
Counts counts_of(const Of& of) {
  Counts counts;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Kind::kCount); ++i) {
    const auto kind = static_cast<Kind>(i);
    counts.push_back({std::string(text_of(kind)), of(kind)});
  }
  return counts;
}

Counts faults_of(const Findings& findings, const Mode& mode) {
  Counts counts = counts_of<FaultKind>([&](FaultKind kind) { return findings.faults.of(kind); });
  if (!mode.has_broken_clocks) counts.pop_back();  // is not asked for
  return counts;
}
Counts tally_of(const Findings& findings) {
  return counts_of<Happened>([&](Happened what) { return findings.tally.of(what); });
}
Counts entries_of(const Findings& findings) {
  return counts_of<Variety>(
      [&](Variety variety) { return findings.entries_of[static_cast<std::size_t>(variety)]; });
}
Counts losses_of(const Findings& findings) {
  return counts_of<Promise>(
      [&](Promise promise) { return findings.losses[static_cast<std::size_t>(promise)]; });
}

// Side by side, read downwards.
Table columns_of(const std::string& title, const Counts& counts, std::size_t across) {
  std::vector<std::string> headings(2 * across);
  for (std::size_t column = 0; column < across; ++column)
    headings[2 * column] = std::string(1, '<');
  headings[0] += title;
  Table table(headings);
  const std::size_t rows = (counts.size() + across - 1) / across;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::string> cells;
    for (std::size_t place = row; cells.size() < 2 * across; place += rows) {
      const bool is_there = place < counts.size();
      cells.push_back(is_there ? counts[place].name : "");
      cells.push_back(is_there ? fmt::format("{}", counts[place].count) : "");
    }
    table.add(cells);
  }
  return table;
}

// As many as fit; what was not met stands below.
void print_counts(const std::string& title, const Counts& counts) {
  Counts met;
  std::string missing;
  for (const Count& one : counts) {
    if (one.count > 0) {
      met.push_back(one);
    } else {
      missing += (missing.empty() ? "" : "; ") + one.name;
    }
  }
  const Table three = columns_of(title, met, 3);
  fmt::print("\n{}", (three.fits() ? three : columns_of(title, met, 2)).str());
  if (!missing.empty()) fmt::print("{}", wrapped("not met: " + missing, 2));
}

ordered_json json_of(const Counts& counts) {
  ordered_json json = ordered_json::object();
  for (const Count& one : counts) json[one.name] = one.count;
  return json;
}

ordered_json json_of(const sim::torture::Run& run, const Mode& mode) {
  return {{"seed", run.seed},
          {"promise", text_of(run.violation->promise)},
          {"at", sim::torture::seconds(run.violation->at)},
          {"what", run.violation->what},
          {"replay", replay_of(run.seed, mode)},
          {"plan", plan_text(run.seed, mode)},
          {"story", run.story}};
}

void print_failure(const sim::torture::Run& run, const Mode& mode) {
  fmt::print("\n{}",
             wrapped(fmt::format("VIOLATION of {} in run {}, at {:.6f} s: {}",
                                 text_of(run.violation->promise), run.seed,
                                 sim::torture::seconds(run.violation->at), run.violation->what),
                     2));
  fmt::print("replay   {}\n\n", text_of_command(replay_of(run.seed, mode), 9));
  print_plan(run.seed, mode);
  fmt::print("\nThe last of what happened:\n");
  constexpr std::size_t kTime = 14;
  for (const std::string& line : run.story) fmt::print("{}", wrapped(line, kTime));
}

}  // namespace

std::string replay_of(std::uint64_t seed, const Mode& mode) {
  std::string command = fmt::format("coterie torture --seed {} --seeds 1", seed);
  if (mode.mutant != nullptr) command += fmt::format(" --mutant {}", mode.mutant->name);
  if (mode.has_broken_clocks) command += " --broken-clocks";
  if (mode.hostile > 0) command += " --hostile " + std::to_string(mode.hostile);
  return command;
}

void print_plan(std::uint64_t seed, const Mode& mode) {
  constexpr std::size_t kLabel = 9;
  const std::string text = plan_text(seed, mode);
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty()) fmt::print("{}", wrapped(std::string(line), kLabel));
  }
}

void print_findings(const Findings& findings, const Mode& mode) {
  fmt::print("{}", wrapped(fmt::format("{}: {:.0f} s of simulated time ({:.2f} cluster-hours, "
                                       "{:.2f} member-hours), {} events, {} entries, of which {} "
                                       "last; {} changes of numbers",
                                       counted(findings.runs, "run"), findings.simulated,
                                       findings.simulated / kHour, findings.member_time / kHour,
                                       findings.events, findings.entries, findings.lastings,
                                       findings.changes),
                           2));
  print_counts("entered", entries_of(findings));
  print_counts("fault", faults_of(findings, mode));
  print_counts("a member saw", tally_of(findings));
  if (findings.runs_with_losses > 0) {
    print_counts("lost by broken clocks", losses_of(findings));
    fmt::print("in {} of {}\n", findings.runs_with_losses, counted(findings.runs, "run"));
  }
  fmt::print("\n");
  fmt::print("{}", wrapped(fmt::format("holds that the failure of another member must not take, "
                                       "and did not: {}",
                                       findings.watched),
                           2));
  const Findings::Wait& wait = findings.worst_wait;
  fmt::print("{}", wrapped(fmt::format("longest wait after all healed: {:.3g} s, of a bound of "
                                       "{:.3g} s (run {})",
                                       wait.seconds, wait.bound, wait.seed),
                           2));
  if (findings.failed) return print_failure(*findings.failed, mode);
  fmt::print("no violation\n");
}

ordered_json to_json(const Findings& findings, const Mode& mode) {
  const Findings::Wait& wait = findings.worst_wait;
  ordered_json json{
      {"runs", findings.runs},
      {"simulated_seconds", findings.simulated},
      {"cluster_hours", findings.simulated / kHour},
      {"member_hours", findings.member_time / kHour},
      {"events", findings.events},
      {"entries", findings.entries},
      {"entries_of", json_of(entries_of(findings))},
      {"lasting_holds", findings.lastings},
      {"changes", findings.changes},
      {"faults", json_of(faults_of(findings, mode))},
      {"tally", json_of(tally_of(findings))},
      {"holds_watched", findings.watched},
      {"worst_wait", {{"seed", wait.seed}, {"seconds", wait.seconds}, {"bound", wait.bound}}},
      {"digest", fmt::format("{:016x}", findings.digest)}};
  if (mode.has_broken_clocks)
    json["lost"] = {{"runs", findings.runs_with_losses},
                    {"promises", json_of(losses_of(findings))}};
  json["violation"] = findings.failed ? json_of(*findings.failed, mode) : ordered_json();
  return json;
}

}  // namespace coterie::cli
