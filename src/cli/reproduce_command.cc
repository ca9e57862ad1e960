#include "cli/reproduce_command.h"

#include <memory>

#include "cli/reproduce_cohorts.h"

namespace coterie::cli {

void add_reproduce_command(const Command& root) {
  const Command command =
      root.command("reproduce", "the papers' tables and figures, with a verdict on each claim",
                   "Example:\n  coterie reproduce cohorts --out out");
  const auto options = std::make_shared<ReproduceOptions>();
  command.option("NAME", options->names, "which experiments; all if none is named: cohorts")
      .one_of({"cohorts"});
  command.option("--out", options->out, "the folder to write to");
  command.option("--fractions", options->fractions, "values of f for the expected size ES(l)");
  command.option("--levels", options->levels, "ES(l) is computed for l = 1..LEVELS", {1, 100'000});
  command.option("--points", options->points, "up-probabilities per curve of Figure 2",
                 {2, 100'001});
  command.option("--samples", options->samples, "drawn to measure the choices of quorums",
                 {1, 100'000'000});
  command.option("--seed", options->seed, "of the sampling");
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] {
    reproduce_cohorts(*options);
    return 0;
  });
}

}  // namespace coterie::cli
