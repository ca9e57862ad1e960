#include "cli/reproduce_command.h"

#include <memory>

#include "cli/options.h"
#include "cli/reproduce_cohorts.h"

namespace coterie::cli {

void add_reproduce_command(CLI::App& app, int& /*exit_code*/) {
  CLI::App* command = app.add_subcommand(
      "reproduce", "the papers' tables and figures, with a verdict on each claim");
  const auto options = std::make_shared<ReproduceOptions>();
  command->add_option("NAME", options->names, "which experiments; all if none is named: cohorts")
      ->check(CLI::IsMember({"cohorts"}));
  command->add_option("--out", options->out, "the folder to write to")->capture_default_str();
  command->add_option("--fractions", options->fractions, "values of f for the expected size ES(l)")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--levels", options->levels, "ES(l) is computed for l = 1..LEVELS")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--points", options->points, "up-probabilities per curve of Figure 2")
      ->capture_default_str()
      ->check(CLI::Range(2, 100'001));
  command->add_option("--samples", options->samples, "drawn to measure the choices of quorums")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000));
  command->add_option("--seed", options->seed, "of the sampling")
      ->capture_default_str()
      ->check(whole_number());
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example:\n  coterie reproduce cohorts --out out");
  command->callback([options] { reproduce_cohorts(*options); });
}

}  // namespace coterie::cli
