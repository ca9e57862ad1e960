#include "cli/quorum_command.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "cli/quorum_analyze.h"
#include "cli/quorum_check.h"
#include "cli/quorum_compare.h"
#include "cli/quorum_show.h"
#include "cli/table.h"
#include "coterie/constructions.h"
#include "coterie/spec.h"

namespace coterie::cli {
namespace {

constexpr Range kGroups = {.least = 1, .most = quorum::kMaxMembers};

void list(bool json) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& info : quorum::constructions()) {
      all.push_back({{"name", info.name},
                     {"parameters", info.parameters},
                     {"example", info.example},
                     {"summary", info.summary}});
    }
    print_json(nlohmann::ordered_json{{"constructions", all}});
    return;
  }
  for (const auto& info : quorum::constructions()) {
    fmt::print("{}", wrapped(fmt::format("{:<12} {}", info.name, info.summary), 13));
    fmt::print("{:<12} {}\n", "", info.example);
  }
}

void add_list(const Command& quorum) {
  const Command command = quorum.command("list", "the constructions, with an example of each",
                                         "Example:\n  coterie quorum list");
  const auto json = std::make_shared<bool>(false);
  command.flag("--json", *json, "print one JSON object");
  command.runs([json] {
    list(*json);
    return 0;
  });
}

void add_show(const Command& quorum) {
  const Command command =
      quorum.command("show", "the members, their arrangement, the first quorums",
                     "Example:\n  coterie quorum show torus:rows=4,cols=2,k=2 --member 3");
  const auto options = std::make_shared<ShowOptions>();
  command.option("SYSTEM", options->spec, "a spec such as grid:rows=3,cols=4").required();
  command.option("--limit", options->limit, "how many quorums to print", {0, 1'000'000});
  command.option("--member", options->member, "whose home quorum to mark (by number)");
  command.option("--groups", options->groups, "of a system of groups: how many to print", kGroups);
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] {
    show(*options);
    return 0;
  });
}

void add_check(const Command& quorum) {
  const Command command = quorum.command(
      "check", "its properties, with a witness when one fails",
      "Exits with 1 if a property fails that makes it a quorum system; being dominated is none.\n\n"
      "Example:\n  coterie quorum check cohorts:k=2,sizes=2/3");
  const auto options = std::make_shared<CheckOptions>();
  command.option("SYSTEM", options->spec, "a spec such as grid:rows=3,cols=4").required();
  command.option("--steps", options->steps,
                 "work that each search may do before it is not decided");
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] { return check(*options); });
}

// How hard to try, for the commands that compute numbers.
void add_effort(const Command& command, quorum::Effort& effort) {
  command.option("--steps", effort.steps, "work that each exact method may do");
  command.option("--samples", effort.samples, "drawn where no exact method is in reach",
                 {100, 1'000'000'000});
  command.option("--seed", effort.seed, "of the sampling");
}

void add_analyze(const Command& quorum) {
  const Command command = quorum.command(
      "analyze", "availability, size, load, capacity, resilience",
      "Example:\n  coterie quorum analyze grid-rw:rows=2,cols=3 --up 0.95 --reads 0.25");
  const auto options = std::make_shared<AnalyzeOptions>();
  command.option("SYSTEM", options->spec, "a spec such as cohorts:k=2,sizes=2/3/3").required();
  const Option up = command.option("--up", options->up, "the probability that a member is up");
  command.option("--up-file", options->up_file, "a JSON file with a probability per member")
      .value("FILE")
      .excludes(up);
  command.option("--reads", options->reads, "of a write-read pair: the load when this share reads");
  command.option("--groups", options->groups, "of a system of groups: how many to analyze",
                 kGroups);
  command.flag("--strategy", options->strategy, "print the quorums that give the least load");
  add_effort(command, options->effort);
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] {
    analyze(*options);
    return 0;
  });
}

void add_compare(const Command& quorum) {
  const Command command = quorum.command(
      "compare", "several systems side by side, or as they grow",
      "Examples:\n  coterie quorum compare majority:n=9 grid:rows=3,cols=3 tree:n=7 --up "
      "0.5:0.99:0.01\n"
      "  coterie quorum compare majority:n=N grid:n=N --sizes 5:50:5 --plot growth.svg");
  const auto options = std::make_shared<CompareOptions>();
  command
      .option("SYSTEM", options->specs, "specs; with --sizes, N stands for the size: majority:n=N")
      .required();
  command.option("--up", options->up,
                 "the probability that a member is up, or a range FROM:TO:STEP");
  command.option("--sizes", options->sizes,
                 "numbers of members to grow through: 5,10 or FROM:TO:STEP");
  command.option("--plot", options->plot, "draw the curves into this .svg or .png file")
      .value("FILE");
  command.option("--groups", options->groups, "of a system of groups: how many to compare",
                 kGroups);
  add_effort(command, options->effort);
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] {
    compare(*options);
    return 0;
  });
}

}  // namespace

void add_quorum_command(const Command& root) {
  const Command quorum =
      root.command("quorum", "show, check, analyze and compare quorum systems",
                   "A system is written as a spec, such as majority:n=5, grid:rows=3,cols=4 or\n"
                   "cohorts:k=2,sizes=2/3/3; 'coterie quorum list' shows all of them.\n\n"
                   "Example:\n  coterie quorum analyze cohorts:k=2,sizes=2/3x17 --up 0.9");
  add_list(quorum);
  add_show(quorum);
  add_check(quorum);
  add_analyze(quorum);
  add_compare(quorum);
}

}  // namespace coterie::cli
