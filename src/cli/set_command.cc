#include "cli/set_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "cli/child.h"
#include "cli/cluster.h"
#include "cli/hold_options.h"
#include "cli/hold_wait.h"
#include "cli/input.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "coterie/client.h"
#include "quorum/visible.h"

namespace coterie::cli {

namespace {

struct SetOptions {
  ClusterOptions cluster = {};
  std::string name = {};
  std::string kind = {};
  std::optional<std::uint64_t> limit = {};
  std::optional<std::uint64_t> rooms = {};
  std::optional<std::uint64_t> min = {};
  std::optional<std::uint64_t> max = {};
  bool has_no_max = false;
  bool forgets = false;
  std::string wait = {};
  bool json = false;
};

constexpr std::uint64_t kMost = Kind::kNoMax - 1;
constexpr std::array kKinds = {"mutex", "room", "semaphore", "band"};

// By its numbers; which must be of one kind.
std::optional<Kind::Type> type_of_numbers(const SetOptions& options) {
  const bool is_band = options.min || options.max || options.has_no_max;
  const int given = (options.limit ? 1 : 0) + (options.rooms ? 1 : 0) + (is_band ? 1 : 0);
  if (given > 1)
    throw Failure(
        "--limit is of a semaphore, --rooms of a room, --min and --max of a band: give those of "
        "one");
  if (options.limit) return Kind::Type::semaphore;
  if (options.rooms) return Kind::Type::room;
  if (is_band) return Kind::Type::band;
  return std::nullopt;
}

std::optional<Kind::Type> type_named(const SetOptions& options) {
  if (options.kind.empty()) return std::nullopt;
  const auto* const place = std::find(kKinds.begin(), kKinds.end(), options.kind);
  if (place == kKinds.end())
    throw Failure(fmt::format("--kind is one of {}, not {}", fmt::join(kKinds, ", "),
                              quorum::visible(options.kind)));
  return static_cast<Kind::Type>(place - kKinds.begin());
}

std::optional<std::uint32_t> number_in(const std::optional<std::uint64_t>& value) {
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::optional<std::uint32_t> max_of(const SetOptions& options) {
  if (options.limit) return number_in(options.limit);
  if (options.rooms) return number_in(options.rooms);
  if (options.has_no_max) return Kind::kNoMax;
  return number_in(options.max);
}

// Of a kind that was named all numbers are.
Kind kind_of(const SetOptions& options, Kind::Type type) {
  Kind kind;
  kind.type = type;
  kind.min = number_in(options.min).value_or(0);
  kind.max = max_of(options).value_or(type == Kind::Type::band ? Kind::kNoMax : 1);
  if (type == Kind::Type::semaphore && !options.limit) throw Failure("a semaphore needs a --limit");
  return kind;
}

std::string text_of(const Kind& kind) {
  if (kind.type == Kind::Type::mutex) return "a mutex";
  if (kind.type == Kind::Type::room && kind.max == 1) return "a room";
  if (kind.type != Kind::Type::band)
    return fmt::format("at most {}{}", kind.max, kind.type == Kind::Type::room ? " groups" : "");
  if (kind.max == Kind::kNoMax) return fmt::format("at least {}", kind.min);
  return fmt::format("{} to {}", kind.min, kind.max);
}

using Work = std::function<Outcome<std::optional<Kind>>(Client&, const std::stop_token&)>;

// What is asked for. None: nothing is set any more.
Work work_of(const SetOptions& options) {
  const auto by_numbers = type_of_numbers(options);
  const auto named = type_named(options);
  if (options.forgets) {
    if (by_numbers || named)
      throw Failure("--forget goes with nothing else: the name will be what it is asked for as");
    return [name = options.name](Client& client,
                                 const std::stop_token& enough) -> Outcome<std::optional<Kind>> {
      const auto outcome = client.forget(name, enough);
      if (!outcome) return outcome.error();
      return std::optional<Kind>();
    };
  }
  if (named) {
    if (by_numbers && *by_numbers != *named)
      throw Failure(fmt::format("these are not numbers of a {}", options.kind));
    return [kind = kind_of(options, *named), name = options.name](
               Client& client, const std::stop_token& enough) -> Outcome<std::optional<Kind>> {
      const auto outcome = client.set_kind(name, kind, enough);
      if (!outcome) return outcome.error();
      return std::optional(kind);
    };
  }
  if (!by_numbers)
    throw Failure(
        "say what is to change: --limit of a semaphore, --rooms of a room, --min and --max of a "
        "band, --kind, or --forget");
  return [type = *by_numbers, min = number_in(options.min), max = max_of(options),
          name = options.name](Client& client,
                               const std::stop_token& enough) -> Outcome<std::optional<Kind>> {
    const auto outcome = client.set(name, type, min, max, enough);
    if (!outcome) return outcome.error();
    return std::optional(*outcome);
  };
}

void print(const SetOptions& options, const std::optional<Kind>& kind, bool is_new) {
  if (!options.json) {
    fmt::print("{}: {}{}\n", quorum::visible(options.name),
               kind ? text_of(*kind) : "what it is asked for as",
               is_new ? "; the name is new: nobody used it, and nothing was set" : "");
    return;
  }
  nlohmann::ordered_json json = {
      {"name", options.name}, {"kind", nullptr}, {"min", nullptr}, {"max", nullptr}};
  if (kind) {
    json["kind"] = kKinds[static_cast<std::size_t>(kind->type)];
    json["min"] = kind->min;
    if (kind->max != Kind::kNoMax) json["max"] = kind->max;
  }
  if (is_new) json["is_new"] = true;
  fmt::print("{}\n", json.dump(2));
}

[[noreturn]] void fail_to_set(Client& client, const SetOptions& options, const Refusal& refusal) {
  std::string text = fmt::format("{}: {}", options.name, refusal.text);
  if (refusal.reason == Reason::mismatch) text += "; to make it something else, say --kind";
  if (refusal.reason == Reason::timed_out) {
    const auto status = client.status(options.name);
    if (const std::string who = status ? obstacle(*status) : ""; !who.empty()) text += ": " + who;
    text += fmt::format("; what was begun goes on: see `coterie status {}`", options.name);
  }
  throw Failure(text, exit_code_of(refusal.reason));
}

int set(const SetOptions& options) {
  check_name(options.name);
  const Work work = work_of(options);
  const Patience patience = read_wait(options.wait);
  Signals signals;  // before there are other threads
  Client client = connect(options.cluster, patience, &signals);
  // A slip of the finger makes a name that nobody asks for.
  const auto before = client.status(options.name);
  const bool is_new = before && before->kind.empty() && !options.forgets;
  std::optional<Kind> kind;
  std::optional<StatusLine> line(std::in_place);
  const auto tell = [&] { show_obstacle(*line, client, "waiting to set", options.name); };
  const auto waited = wait_for(
      signals,
      [&](const std::stop_token& enough) -> Outcome<void> {
        const auto outcome = work(client, enough);
        if (!outcome) return outcome.error();
        kind = *outcome;
        return {};
      },
      tell, patience);
  line.reset();
  if (const auto* const interrupted = std::get_if<Interrupted>(&waited))
    return kExitSignal + interrupted->signal;
  if (const auto& outcome = std::get<Outcome<void>>(waited); !outcome)
    fail_to_set(client, options, outcome.error());
  print(options, kind, is_new);
  return 0;
}

}  // namespace

void add_set_command(const Command& root) {
  const auto options = std::make_shared<SetOptions>();
  const Command command = root.command(
      "set", "change what a name is, how many may be inside, or must",
      "From then on this holds for everybody, whatever they ask for, also after a restart of all\n"
      "members. It is safe while the name is in use: if more are inside than may be, nobody "
      "enters\n"
      "until enough have left. Of a band, a number that is not given stays as it is.\n\n"
      "With --kind the name becomes something else. Nobody comes in any more, those who wait are\n"
      "refused, and when all have left, it is: until then this waits, and `coterie status` shows\n"
      "both. Nobody has to stay in a band that becomes something else. With --forget nothing is\n"
      "set any more, once all members know that: a name that nobody uses is what it is asked for\n"
      "as.\n\n"
      "Exits with 2: bad input, or the name is in use as something else; 69: no member answers;\n"
      "75: it was not so in time; what was begun goes on.\n\n"
      "Example:\n  coterie set slots --limit 5\n  coterie set web --min 2 --no-max\n"
      "  coterie set deploys --kind semaphore --limit 3\n  coterie set deploys --forget");
  command.option("NAME", options->name, "what is to change").required();
  command.option("--limit", options->limit, "of a semaphore: so many at once", {1, kMost})
      .value("K");
  command.option("--rooms", options->rooms, "of a room: so many groups at once", {1, kMost})
      .value("K");
  command.option("--min", options->min, "of a band: so many stay inside", {0, kMost}).value("L");
  const Option max =
      command.option("--max", options->max, "of a band: so many at once", {1, kMost}).value("K");
  command.flag("--no-max", options->has_no_max, "of a band: as many as want to").excludes(max);
  command.option("--kind", options->kind, "mutex, room, semaphore or band, whatever it was")
      .value("KIND");
  command.flag("--forget", options->forgets, "what was set, and that a floor is armed");
  command.option("--wait", options->wait, "wait no longer than this: 500ms, 30s, 5m").value("TIME");
  command.flag("--json", options->json, "what holds now, as JSON");
  add_cluster_options(command, options->cluster);
  command.runs([options] { return set(*options); });
}

}  // namespace coterie::cli
