#include "cli/hold_command.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/child.h"
#include "cli/cluster.h"
#include "cli/hold_events.h"
#include "cli/input.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "coterie/client.h"
#include "net/settings.h"
#include "quorum/visible.h"

namespace coterie::cli {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRefresh{1'000};  // of what is told to who waits
constexpr milliseconds kLong{60'000};    // for a wait that a signal or a bell ends

struct HoldOptions {
  ClusterOptions cluster;
  std::string name;
  std::vector<std::string> command;
  std::string groups;
  bool read = false;
  bool write = false;
  bool is_try = false;
  std::string wait;
  std::string grace = "5s";
  std::string on_lost = "kill";
  bool json = false;
  std::string events;
};

milliseconds read_time(const std::string& text, const std::string& option) {
  const auto time = net::parse_duration(text);
  if (!time) throw Failure(fmt::format("{}: {}", option, time.error().message));
  return std::chrono::duration_cast<milliseconds>(std::chrono::nanoseconds(time->ns));
}

Patience patience_of(const HoldOptions& options) {
  if (options.is_try) return Patience::try_once();
  if (options.wait.empty()) return Patience::forever();
  return Patience::at_most(read_time(options.wait, "--wait"));
}

std::vector<std::string> groups_of(const HoldOptions& options) {
  std::vector<std::string> groups;
  std::istringstream list(options.groups);
  for (std::string group; std::getline(list, group, ',');) groups.push_back(group);
  return groups;
}

Request request_of(const HoldOptions& options, bool is_room) {
  const Patience patience = patience_of(options);
  if (!is_room) return Request::mutex(options.name, patience);
  if (int{!options.groups.empty()} + int{options.read} + int{options.write} != 1)
    throw Failure("a room needs one of --group, --read and --write");
  if (options.read) return Request::read(options.name, patience);
  if (options.write) return Request::write(options.name, patience);
  return Request::room(options.name, groups_of(options), patience);
}

// A refusal as it ends the command.
Failure failure_of(const HoldOptions& options, const Refusal& refusal) {
  return Failure(fmt::format("{}: {}", options.name, refusal.text), exit_code_of(refusal.reason));
}

// ---- waiting

std::string line_of(const Status& status, const std::string& label) {
  const auto own = std::find_if(status.waiters.begin(), status.waiters.end(),
                                [&](const auto& waiter) { return waiter.client == label; });
  if (own == status.waiters.end()) return fmt::format("waiting for {}", status.name);
  return fmt::format("waiting for {}, {} of {}: {}", status.name, own - status.waiters.begin() + 1,
                     status.waiters.size(), own->why);
}

void show_line(StatusLine& line, Client& client, const HoldOptions& options, HoldEvents& events) {
  const bool is_wanted = line.is_wanted() && !events.own_standard_error();
  if (!is_wanted && !events.are_wanted()) return;
  if (client.member().empty()) {
    if (is_wanted) line.show(fmt::format("waiting for {}: no member answers", options.name));
    return;
  }
  const auto status = client.status(options.name);
  if (!status) return;
  events.waiting(*status, client.label());
  if (is_wanted) line.show(quorum::visible(line_of(*status, client.label())));
}

// What the client's thread leaves for this one.
struct News {
  Bell bell;
  std::mutex mutex;  // of the rest
  std::optional<Outcome<Hold>> outcome = {};
  std::optional<std::string> lost = {};

  template <class Value>
  std::optional<Value> take(std::optional<Value>& value) {
    const std::scoped_lock lock(mutex);
    return std::exchange(value, std::nullopt);
  }
  template <class Value>
  void put(std::optional<Value>& place, Value value) {
    {
      const std::scoped_lock lock(mutex);
      place.emplace(std::move(value));
    }
    bell.ring();
  }
};

struct Interrupted {
  int signal = 0;
};

// The hold, or the signal that ended the wait.
std::variant<Hold, Interrupted> wait_in_line(Client& client, const HoldOptions& options,
                                             Request request, Signals& signals,
                                             const std::shared_ptr<News>& news,
                                             HoldEvents& events) {
  StatusLine line;
  client.start(std::move(request),
               [news](Outcome<Hold> outcome) { news->put(news->outcome, std::move(outcome)); });
  while (true) {
    const auto signal = signals.wait(news->bell, kRefresh);
    if (auto outcome = news->take(news->outcome)) {
      if (!*outcome) throw failure_of(options, outcome->error());
      return **std::move(outcome);
    }
    const bool is_end = signal && signal->number != SIGCHLD && signal->number != SIGUSR1 &&
                        signal->number != SIGUSR2;
    if (is_end) return Interrupted{signal->number};
    show_line(line, client, options, events);
  }
}

// ---- running

class Run {
 public:
  Run(const HoldOptions& options, Hold hold, std::shared_ptr<News> news, HoldEvents& events)
      : options_(options),
        hold_(std::move(hold)),
        news_(std::move(news)),
        events_(events),
        grace_(read_time(options.grace, "--grace")) {
    hold_.on_lost([told = news_](const std::string& why) { told->put(told->lost, why); });
  }

  // The code to exit with.
  int until_the_end(Signals& signals, const std::string& member) {
    events_.granted(hold_, group(), member);
    Child child(options_.command, variables(), kills());
    events_.running(child.process());
    std::optional<int> status;
    while (!(status = child.ended())) {
      const auto signal = signals.wait(news_->bell, time_left());
      // The terminal has told the command itself.
      if (signal && signal->number != SIGCHLD && !signal->is_from_terminal)
        child.signal(signal->number);
      if (const auto why = news_->take(news_->lost)) on_lost(*why);
      if (kill_at_ && Clock::now() >= *kill_at_) Child::signal_all(SIGKILL);
    }
    return finish(*status);
  }

 private:
  bool kills() const { return options_.on_lost == "kill"; }

  std::string group() const { return options_.write ? "write" : hold_.group(); }

  Child::Variables variables() const {
    return {{"COTERIE_TOKEN", std::to_string(hold_.token())},
            {"COTERIE_NAME", hold_.name()},
            {"COTERIE_GROUP", group()}};
  }

  milliseconds time_left() const {
    if (!kill_at_) return kLong;
    constexpr milliseconds kAgain{50};  // it may start more while it is killed
    const auto left = std::chrono::ceil<milliseconds>(*kill_at_ - Clock::now());
    return std::clamp(left, kAgain, kLong);
  }

  void on_lost(const std::string& why) {
    is_lost_ = true;
    events_.lost(why, kills());
    if (!events_.own_standard_error())
      fmt::print(stderr, "coterie: lost {}: {}; the command {}\n", quorum::visible(options_.name),
                 quorum::visible(why), kills() ? "is told to end" : "goes on without it");
    if (!kills()) return;
    Child::signal_all(SIGTERM);
    Child::signal_all(SIGCONT);  // one that is stopped could not end
    kill_at_ = Clock::now() + grace_;
  }

  int finish(int status) {
    const auto released = hold_.release();
    if (!released && !is_lost_) {  // found out only now: both of us were asleep
      is_lost_ = true;
      events_.lost(released.error().text, kills());
      if (!events_.own_standard_error())
        fmt::print(stderr, "coterie: lost {} while the command ran: {}\n",
                   quorum::visible(options_.name), quorum::visible(released.error().text));
    }
    const int own = WIFEXITED(status) ? WEXITSTATUS(status) : kExitSignal + WTERMSIG(status);
    const int exit_code = is_lost_ && kills() ? kExitLost : own;
    events_.ended(exit_code, is_lost_);
    return exit_code;
  }

  const HoldOptions& options_;
  Hold hold_;
  std::shared_ptr<News> news_;
  HoldEvents& events_;
  milliseconds grace_;
  std::optional<Clock::time_point> kill_at_;
  bool is_lost_ = false;
};

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
  Signals signals;  // before there are other threads
  Client client = connect(options.cluster);
  const auto news = std::make_shared<News>();
  auto waited = wait_in_line(client, options, request, signals, news, events);
  if (const auto* const interrupted = std::get_if<Interrupted>(&waited)) {
    events.interrupted(interrupted->signal);
    return kExitSignal + interrupted->signal;
  }
  return Run(options, std::get<Hold>(std::move(waited)), news, events)
      .until_the_end(signals, client.member());
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

int run(const HoldOptions& options, bool is_room) {
  if (options.command.empty())
    throw Failure(fmt::format("no command to run: coterie {} {} [OPTIONS] -- COMMAND...",
                              is_room ? "room" : "mutex", options.name));
  static_cast<void>(read_time(options.grace, "--grace"));
  const Request request = request_of(options, is_room);
  return end_as(hold_and_tell(options, request));
}

constexpr const char* kExits =
    "The command finds COTERIE_TOKEN, COTERIE_NAME and COTERIE_GROUP in its environment: what it\n"
    "changes should refuse a smaller token than it has seen.\n\n"
    "Exits as the command does: with its code, or 128 and the number of the signal that ended it.\n"
    "Else with 2: bad input; 69: no member answers; 75: it would have to wait, or waited too "
    "long;\n"
    "76: the hold was lost, and the command ended; 126: it cannot be run; 127: it is not "
    "found.\n\n";

void add_options(const Command& command, HoldOptions& options) {
  command.option("NAME", options.name, "what to hold").required();
  command.option("COMMAND", options.command, "the command and its arguments, after --");
  const Option is_try = command.flag("--try", options.is_try, "do not wait in line");
  command.option("--wait", options.wait, "wait in line no longer than this: 500ms, 30s, 5m")
      .value("TIME")
      .excludes(is_try);
  command
      .option("--on-lost", options.on_lost, "if the hold is lost: end the command, or only say so")
      .one_of({"kill", "warn"});
  command.option("--grace", options.grace, "from SIGTERM to SIGKILL").value("TIME");
  command.option("--label", options.cluster.label, "how others see this (default: user@host:pid)")
      .value("TEXT");
  command.flag("--json", options.json,
               "tell what happens on standard error, one JSON object per line");
  command.option("--events", options.events, "append them to this file instead, or to /dev/fd/N")
      .value("FILE");
  add_cluster_options(command, options.cluster);
}

}  // namespace

void add_hold_commands(const Command& root) {
  const auto mutex = std::make_shared<HoldOptions>();
  const Command of_mutex =
      root.command("mutex", "run a command while nobody else holds the name",
                   kExits + std::string("Example:\n  coterie mutex deploys -- ./deploy.sh\n"
                                        "  coterie mutex deploys --wait 30s -- make install"));
  add_options(of_mutex, *mutex);
  of_mutex.runs([mutex] { return run(*mutex, false); });

  const auto room = std::make_shared<HoldOptions>();
  const Command of_room = root.command(
      "room", "run a command while only its group is in the room",
      kExits + std::string("Example:\n  coterie room racks --group blue -- ./reboot.sh\n"
                           "  coterie room schema --read -- ./report.sh\n"
                           "  coterie room schema --write -- ./migrate.sh"));
  add_options(of_room, *room);
  of_room.option("--group", room->groups, "who shares the room; of several, any one will do")
      .value("GROUP,...");
  of_room.flag("--read", room->read, "share the room with other readers");
  of_room.flag("--write", room->write, "be alone in the room");
  of_room.runs([room] { return run(*room, true); });
}

}  // namespace coterie::cli
