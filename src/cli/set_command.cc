#include "cli/set_command.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "cli/child.h"
#include "cli/cluster.h"
#include "cli/hold_wait.h"
#include "cli/input.h"
#include "cli/signals.h"
#include "coterie/client.h"

namespace coterie::cli {

namespace {

struct SetOptions {
  ClusterOptions cluster = {};
  std::string name = {};
  std::optional<std::uint64_t> limit = {};
  std::optional<std::uint64_t> rooms = {};
  std::optional<std::uint64_t> min = {};
  std::optional<std::uint64_t> max = {};
  bool json = false;
};

Kind::Type type_of(const SetOptions& options) {
  const bool is_band = options.min || options.max;
  const int given = (options.limit ? 1 : 0) + (options.rooms ? 1 : 0) + (is_band ? 1 : 0);
  if (given != 1)
    throw Failure(
        "say what is to change: --limit of a semaphore, --rooms of a room, or --min and --max of "
        "a band");
  if (options.limit) return Kind::Type::semaphore;
  return options.rooms ? Kind::Type::room : Kind::Type::band;
}

std::optional<std::uint32_t> number_in(const std::optional<std::uint64_t>& value) {
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::optional<std::uint32_t> max_of(const SetOptions& options) {
  if (options.limit) return number_in(options.limit);
  return number_in(options.rooms ? options.rooms : options.max);
}

std::string text_of_numbers(const Kind& kind) {
  if (kind.type != Kind::Type::band)
    return fmt::format("at most {}{}", kind.max, kind.type == Kind::Type::room ? " groups" : "");
  if (kind.max == Kind::kNoMax) return fmt::format("at least {}", kind.min);
  return fmt::format("{} to {}", kind.min, kind.max);
}

int set(const SetOptions& options) {
  check_name(options.name);
  const Kind::Type type = type_of(options);
  const auto min = number_in(options.min);
  const auto max = max_of(options);
  Signals signals;  // before there are other threads
  Client client = connect(options.cluster);
  Kind kind;
  const auto waited = wait_for(
      signals,
      [&](const std::stop_token& enough) -> Outcome<void> {
        const auto outcome = client.set(options.name, type, min, max, enough);
        if (!outcome) return outcome.error();
        kind = *outcome;
        return {};
      },
      [] {});
  if (const auto* const interrupted = std::get_if<Interrupted>(&waited))
    return kExitSignal + interrupted->signal;
  if (const auto& outcome = std::get<Outcome<void>>(waited); !outcome)
    throw Failure(fmt::format("{}: {}", options.name, outcome.error().text),
                  exit_code_of(outcome.error().reason));
  if (options.json) {
    nlohmann::ordered_json json = {{"name", options.name}, {"min", kind.min}, {"max", nullptr}};
    if (kind.max != Kind::kNoMax) json["max"] = kind.max;
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: {}\n", options.name, text_of_numbers(kind));
  }
  return 0;
}

}  // namespace

void add_set_command(const Command& root) {
  const auto options = std::make_shared<SetOptions>();
  const Command command = root.command(
      "set", "change how many may be inside, or must",
      "From then on these numbers hold for everybody, whatever they ask for, also after a restart "
      "of\n"
      "all members. It is safe while the name is in use: if more are inside than may be, nobody "
      "enters\n"
      "until enough have left. Of a band, a number that is not given stays as it is.\n\n"
      "Exits with 2: bad input, or the name is in use as something else; 69: no member answers.\n\n"
      "Example:\n  coterie set slots --limit 5\n  coterie set web --min 2");
  command.option("NAME", options->name, "what is to change").required();
  constexpr std::uint64_t kMost = Kind::kNoMax - 1;
  command.option("--limit", options->limit, "of a semaphore: so many at once", {1, kMost})
      .value("K");
  command
      .option("--rooms", options->rooms, "of a room: so many groups at once, 2 or more", {2, kMost})
      .value("K");
  command.option("--min", options->min, "of a band: so many stay inside", {0, kMost}).value("L");
  command.option("--max", options->max, "of a band: so many at once", {1, kMost}).value("K");
  command.flag("--json", options->json, "what holds now, as JSON");
  add_cluster_options(command, options->cluster);
  command.runs([options] { return set(*options); });
}

}  // namespace coterie::cli
