#include "cli/check_model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "check/models.h"
#include "cli/check_protocol.h"
#include "cli/check_task.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace coterie::cli {
namespace {

using check::ModelOutcome;
using check::Verdict;
using nlohmann::ordered_json;

std::string text_of(const ModelOutcome& outcome) {
  const std::string verdict(name_of(outcome.verdict));
  switch (outcome.verdict) {
    case Verdict::holds:
      return verdict + ": every state was looked at";
    case Verdict::violated:
      return fmt::format("{}: {}, after {} steps: {}", verdict, name_of(outcome.property),
                         outcome.story.size(), outcome.reason);
    case Verdict::unfinished:
      return fmt::format("{}: {}", verdict, outcome.reason);
  }
  return verdict;
}

void print(const ModelOutcome& outcome, double seconds) {
  fmt::print("\n");
  print_line("verdict", text_of(outcome));
  fmt::print("\n");
  print_line("states", fmt::format("{}, {} transitions, depth {}", outcome.states,
                                   outcome.transitions, outcome.depth));
  print_line("speed", fmt::format("{:.2f} s", seconds));
  print_line("collision", fmt::format("{:.1e}, the probability that a state was hidden by one of "
                                      "the same fingerprint",
                                      outcome.collision_probability()));
  if (!outcome.story.empty()) fmt::print("\n");
  for (std::size_t i = 0; i < outcome.story.size(); ++i)
    fmt::print("{:>4}  {}\n", i + 1, outcome.story[i]);
}

ordered_json json_of(const ModelOptions& options, const ModelOutcome& outcome, double seconds) {
  const bool is_violated = outcome.verdict == Verdict::violated;
  return {
      {"command", "coterie check " + options.plan},
      {"verdict", name_of(outcome.verdict)},
      {"property", is_violated ? ordered_json(name_of(outcome.property)) : ordered_json(nullptr)},
      {"reason", outcome.reason},
      {"states", outcome.states},
      {"transitions", outcome.transitions},
      {"depth", outcome.depth},
      {"seconds", seconds},
      {"trace", outcome.story}};
}

}  // namespace

int check_model(const ModelOptions& options) {
  ModelOutcome outcome;
  double seconds = 0;
  {
    StatusLine line;
    const auto watch = [&](const check::Progress& progress) {
      if (line.is_wanted())
        line.show(fmt::format("{} states, depth {}", progress.states, progress.depth));
      return !interrupted();
    };
    const check::Options search{
        .properties = {}, .memory_limit = options.memory << 20U, .progress = watch};
    auto result = check::run_model(options.plan, search);
    if (!result) throw Failure(result.error().message);
    outcome = *std::move(result);
    seconds = line.seconds();
  }
  options.json ? print_json(json_of(options, outcome, seconds)) : print(outcome, seconds);
  return exit_code_of(outcome.verdict);
}

}  // namespace coterie::cli
