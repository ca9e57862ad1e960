#include "cli/lasting_command.h"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "cli/child.h"
#include "cli/hold_options.h"
#include "cli/hold_wait.h"
#include "cli/input.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "quorum/visible.h"

namespace coterie::cli {

namespace {

using Work = std::function<Outcome<LastingHold>(Client& client, const std::stop_token& enough)>;

// The code to exit with; Ctrl-C ends the wait as a signal does. Throws a Failure if it is refused.
int wait_and_print(const HoldOptions& options, const Work& work, bool has_token) {
  Signals signals;  // before there are other threads
  Client client = connect(options.cluster, read_patience(options), &signals);
  LastingHold held;
  std::optional<StatusLine> line(std::in_place);
  const auto tell = [&] { show_obstacle(*line, client, "waiting for", options.name); };
  const auto waited = wait_for(
      signals,
      [&](const std::stop_token& enough) -> Outcome<void> {
        auto outcome = work(client, enough);
        if (!outcome) return outcome.error();
        held = *std::move(outcome);
        return {};
      },
      tell);
  line.reset();
  if (const auto* const interrupted = std::get_if<Interrupted>(&waited))
    return kExitSignal + interrupted->signal;
  if (const auto& outcome = std::get<Outcome<void>>(waited); !outcome)
    fail(client, options.name, outcome.error());
  nlohmann::ordered_json json = {{"name", options.name}, {"owner", options.as}};
  if (has_token) json.update({{"group", held.group}, {"token", held.token}});
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (has_token) {
    fmt::print("{}\n", held.token);
  }
  return 0;
}

// A hold without an owner is one that ends with its client.
void check_owner(const HoldOptions& options) {
  if (options.as.empty()) throw Failure("--as must not be empty: it is the name of the owner");
}

int hold(HoldOptions& options) {
  const Request request = read_request(options);
  check_owner(options);
  return wait_and_print(
      options,
      [&](Client& client, const std::stop_token& enough) {
        return client.hold_for(options.as, request, enough);
      },
      true);
}

struct ReleaseOptions {
  HoldOptions place;
  bool is_forced = false;
  std::optional<std::uint64_t> token = {};
};

int release(const ReleaseOptions& options) {
  check_name(options.place.name);
  check_owner(options.place);
  if (options.is_forced != options.token.has_value())
    throw Failure(
        "--force goes with --token, the one that `coterie status` shows: so that no other hold "
        "ends than the one that you have seen");
  const HoldOptions& place = options.place;
  const Patience patience = read_patience(place);
  return wait_and_print(
      place,
      [&](Client& client, const std::stop_token& enough) -> Outcome<LastingHold> {
        const auto ended =
            options.is_forced
                ? client.end_lasting(place.as, place.name, *options.token, patience, enough)
                : client.release_for(place.as, place.name, patience, enough);
        if (!ended) return ended.error();
        return LastingHold{};
      },
      false);
}

constexpr const char* kOwners =
    "Held by a name, without a lease, and written down by a quorum of members: it outlives this\n"
    "command, a reboot, and the restart of all members, until `coterie release`. Prints the token. "
    "An\n"
    "owner that has the hold already is told so by the same token.\n\n"
    "Exits with 2: bad input; 69: no member answers; 75: it would have to wait, or waited too "
    "long.\n\n";

void add_hold(const Command& hold_command, Kind::Type type, const std::string& kind,
              const std::string& summary, const std::string& example) {
  const auto options = std::make_shared<HoldOptions>();
  options->type = type;
  const Command command =
      hold_command.command(kind, summary, kOwners + std::string("Example:\n  ") + example);
  add_owner_options(command, *options);
  command.runs([options] { return hold(*options); });
}

}  // namespace

void add_lasting_commands(const Command& root) {
  const Command of_holds = root.command("hold", "hold a name for an owner, until it is released",
                                        "Example:\n  coterie hold mutex db-primary --as db-1\n"
                                        "  coterie release db-primary --as db-1");
  add_hold(of_holds, Kind::Type::mutex, "mutex", "nobody else holds it",
           "coterie hold mutex db-primary --as db-1");
  add_hold(of_holds, Kind::Type::semaphore, "semaphore", "at most so many hold it",
           "coterie hold semaphore maintenance --limit 2 --as rack-17");
  add_hold(of_holds, Kind::Type::room, "room", "only its group is in the room",
           "coterie hold room racks --group blue --as rack-17");
  add_hold(of_holds, Kind::Type::band, "band", "one of those of whom enough must stay",
           "coterie hold band web --as web-7 --min 3");

  const auto options = std::make_shared<ReleaseOptions>();
  const Command command = root.command(
      "release", "end what an owner holds",
      "In a band it waits until enough others stay. With --force it does not, and ends "
      "the very\nhold that has this token.\n\n"
      "Exits with 2: bad input, or the owner holds nothing; 69: no member answers; 75: "
      "it may not leave\nyet.\n\n"
      "Example:\n  coterie release web --as web-7 --wait 10m");
  add_release_options(command, options->place);
  const Option force = command.flag("--force", options->is_forced, "whether or not it may leave");
  command.option("--token", options->token, "the hold that is meant").needs(force);
  command.runs([options] { return release(*options); });
}

}  // namespace coterie::cli
