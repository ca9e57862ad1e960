#include "cli/hold_command.h"

#include <fmt/format.h>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "cli/band_outside.h"
#include "cli/band_run.h"
#include "cli/child.h"
#include "cli/cluster.h"
#include "cli/hold_events.h"
#include "cli/hold_options.h"
#include "cli/hold_run.h"
#include "cli/hold_wait.h"
#include "cli/input.h"
#include "cli/signals.h"
#include "coterie/client.h"

namespace coterie::cli {

namespace {

// A shell that runs a script stops it only if Ctrl-C has ended what it waits for as a signal does.
int end_as(int exit_code) {
  const int number = exit_code - kExitSignal;
  if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
    std::fflush(nullptr);
    static_cast<void>(std::signal(number, SIG_DFL));
    ::raise(number);
  }
  return exit_code;
}

int hold_and_run(const HoldOptions& options, const Request& request, HoldEvents& events) {
  if (options.is_outside) return run_outside(options, request, events);
  Signals signals;  // before there are other threads
  Client client = connect(options.cluster, request.patience, &signals);
  const auto news = std::make_shared<News>();
  auto waited = wait_in_line(client, options, request, signals, news, events);
  if (const auto* const interrupted = std::get_if<Interrupted>(&waited)) {
    events.interrupted(interrupted->signal);
    return kExitSignal + interrupted->signal;
  }
  Hold hold = std::get<Hold>(std::move(waited));
  if (options.type == Kind::Type::band)
    return BandRun(options, request, client, news, events).until_the_end(std::move(hold), signals);
  return HoldRun(options, client, news, events).until_the_end(std::move(hold), signals);
}

// A failure is an event too; where events have standard error, nothing else is said there.
int hold_and_tell(const HoldOptions& options, const Request& request) {
  HoldEvents events(options.name, options.json, options.events);
  try {
    check_program(options.command.front());
    return hold_and_run(options, request, events);
  } catch (const Failure& failure) {
    events.failed(failure);
    if (!events.own_standard_error()) throw;
    return failure.exit_code();
  }
}

int run(const std::string& kind, HoldOptions& options) {
  if (options.command.empty())
    throw Failure(fmt::format("no command to run: coterie {} {} [OPTIONS] -- COMMAND...", kind,
                              options.name));
  const Request request = read_request(options);
  return end_as(hold_and_tell(options, request));
}

constexpr const char* kVariables =
    "The command finds COTERIE_TOKEN and COTERIE_NAME in its environment, and COTERIE_GROUP,\n"
    "COTERIE_AS or COTERIE_LIMIT: what it changes should refuse a smaller token than it has "
    "seen.\n\n";

constexpr const char* kExits =
    "Exits as the command does: with its code, or 128 and the number of the signal that ended it.\n"
    "Else with 2: bad input; 69: no member answers; 75: it would have to wait, or waited too "
    "long;\n"
    "76: the hold was lost, and the command ended; 126: it cannot be run; 127: it is not "
    "found.\n\n";

constexpr const char* kOfBands =
    "With --inside, SIGTERM, SIGINT and Ctrl-C are for us first: the participant asks to leave, "
    "and\n"
    "the command gets the signal when enough others stay; a second one goes on at once. A command\n"
    "that ends by itself is out at once, as if it had crashed. One that crashes counts as inside\n"
    "until its lease has ended. If the hold is lost, the command goes on and enters again "
    "(rejoin),\n"
    "unless there is a --max: then it is told to end (kill).\n\n"
    "With --outside, the participant is inside before and after, by a hold that lasts (see\n"
    "coterie hold): it leaves when enough others stay, the command runs, and it enters again. If\n"
    "the command fails it stays outside.\n\n"
    "The minimum holds from when so many have been inside.\n\n";

void add(const Command& root, Kind::Type type, const std::string& kind, const std::string& summary,
         const std::string& examples) {
  const auto options = std::make_shared<HoldOptions>();
  options->type = type;
  const std::string more = type == Kind::Type::band ? kOfBands : "";
  const Command command =
      root.command(kind, summary, more + kVariables + kExits + "Example:\n" + examples);
  add_run_options(command, *options);
  command.runs([kind, options] { return run(kind, *options); });
}

}  // namespace

void add_hold_commands(const Command& root) {
  add(root, Kind::Type::mutex, "mutex", "run a command while nobody else holds the name",
      "  coterie mutex deploys -- ./deploy.sh\n"
      "  coterie mutex deploys --wait 30s -- make install");
  add(root, Kind::Type::semaphore, "semaphore", "run a command while at most so many hold the name",
      "  coterie semaphore licences --limit 3 -- ./simulate.sh");
  add(root, Kind::Type::room, "room", "run a command while only its group is in the room",
      "  coterie room racks --group blue -- ./reboot.sh\n"
      "  coterie room models --group llama --rooms 2 -- ./infer.sh\n"
      "  coterie room schema --read -- ./report.sh\n"
      "  coterie room schema --write -- ./migrate.sh");
  add(root, Kind::Type::band, "band", "run a command as one of those of whom enough must stay",
      "  coterie band web --as web-7 --min 3 --inside -- ./serve.sh\n"
      "  coterie band web --as web-7 --min 3 --outside -- systemctl restart web");
}

}  // namespace coterie::cli
