#include "cli/quorum_command.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/quorum_analyze.h"
#include "cli/quorum_check.h"
#include "cli/quorum_compare.h"
#include "cli/quorum_show.h"
#include "cli/table.h"
#include "coterie/spec.h"

namespace coterie::cli {
namespace {

void add_list(CLI::App& quorum) {
  CLI::App* list = quorum.add_subcommand("list", "the constructions, with an example of each");
  const auto json = std::make_shared<bool>(false);
  list->add_flag("--json", *json, "print one JSON object");
  list->footer("Example:\n  coterie quorum list");
  list->callback([json] {
    if (*json) {
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
  });
}

void add_show(CLI::App& quorum) {
  CLI::App* command =
      quorum.add_subcommand("show", "the members, their arrangement, the first quorums");
  const auto options = std::make_shared<ShowOptions>();
  command->add_option("SYSTEM", options->spec, "a spec such as grid:rows=3,cols=4")->required();
  command->add_option("--limit", options->limit, "how many quorums to print")
      ->capture_default_str()
      ->check(whole_number())
      ->check(CLI::Range(0, 1'000'000));
  command->add_option("--member", options->member, "whose home quorum to mark (by number)")
      ->capture_default_str()
      ->check(whole_number());
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example:\n  coterie quorum show torus:rows=4,cols=2,k=2 --member 3");
  command->callback([options] { show(*options); });
}

void add_check(CLI::App& quorum, int& exit_code) {
  CLI::App* command =
      quorum.add_subcommand("check", "its properties, with a witness when one fails");
  const auto options = std::make_shared<CheckOptions>();
  command->add_option("SYSTEM", options->spec, "a spec such as grid:rows=3,cols=4")->required();
  command
      ->add_option("--steps", options->steps,
                   "work that each search may do before it is not decided")
      ->capture_default_str()
      ->check(whole_number());
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Exits with 1 if a property fails that makes it a quorum system; being dominated is none.\n\n"
      "Example:\n  coterie quorum check cohorts:k=2,sizes=2/3");
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

// How hard to try, for the commands that compute numbers.
void add_effort(CLI::App& command, quorum::Effort& effort) {
  command.add_option("--steps", effort.steps, "work that each exact method may do")
      ->capture_default_str()
      ->check(whole_number());
  command.add_option("--samples", effort.samples, "drawn where no exact method is in reach")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{100}, std::uint64_t{1'000'000'000}));
  command.add_option("--seed", effort.seed, "of the sampling")
      ->capture_default_str()
      ->check(whole_number());
}

void add_analyze(CLI::App& quorum) {
  CLI::App* command =
      quorum.add_subcommand("analyze", "availability, size, load, capacity, resilience");
  const auto options = std::make_shared<AnalyzeOptions>();
  command->add_option("SYSTEM", options->spec, "a spec such as cohorts:k=2,sizes=2/3/3")
      ->required();
  CLI::Option* up = command->add_option("--up", options->up, "the probability that a member is up")
                        ->capture_default_str();
  command->add_option("--up-file", options->up_file, "a JSON file with a probability per member")
      ->excludes(up);
  command->add_option("--reads", options->reads,
                      "of a write-read pair: the load when this share reads");
  command->add_flag("--strategy", options->strategy, "print the quorums that give the least load");
  add_effort(*command, options->effort);
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example:\n  coterie quorum analyze grid-rw:rows=2,cols=3 --up 0.95 --reads 0.25");
  command->callback([options] { analyze(*options); });
}

void add_compare(CLI::App& quorum) {
  CLI::App* command =
      quorum.add_subcommand("compare", "several systems side by side, or as they grow");
  const auto options = std::make_shared<CompareOptions>();
  command
      ->add_option("SYSTEM", options->specs,
                   "specs; with --sizes, N stands for the size: majority:n=N")
      ->required();
  command
      ->add_option("--up", options->up,
                   "the probability that a member is up, or a range FROM:TO:STEP")
      ->capture_default_str();
  command->add_option("--sizes", options->sizes,
                      "numbers of members to grow through: 5,10 or FROM:TO:STEP");
  command->add_option("--plot", options->plot, "draw the curves into this .svg or .png file");
  add_effort(*command, options->effort);
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Examples:\n  coterie quorum compare majority:n=9 grid:rows=3,cols=3 tree:n=7 --up "
      "0.5:0.99:0.01\n"
      "  coterie quorum compare majority:n=N grid:n=N --sizes 5:50:5 --plot growth.svg");
  command->callback([options] { compare(*options); });
}

}  // namespace

void add_quorum_command(CLI::App& app, int& exit_code) {
  CLI::App* quorum =
      app.add_subcommand("quorum", "show, check, analyze and compare quorum systems");
  quorum->require_subcommand(1);
  quorum->footer(
      "A system is written as a spec, such as majority:n=5, grid:rows=3,cols=4 or\n"
      "cohorts:k=2,sizes=2/3/3; 'coterie quorum list' shows all of them.\n\n"
      "Example:\n  coterie quorum analyze cohorts:k=2,sizes=2/3x17 --up 0.9");
  add_list(*quorum);
  add_show(*quorum);
  add_check(*quorum, exit_code);
  add_analyze(*quorum);
  add_compare(*quorum);
}

}  // namespace coterie::cli
