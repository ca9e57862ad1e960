#include "cli/dev_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/classic_command.h"
#include "cli/dev_folder.h"
#include "cli/input.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "coterie/client.h"
#include "coterie/spec.h"
#include "net/settings.h"

namespace coterie::cli {

namespace {

using namespace std::chrono_literals;

struct DevOptions {
  std::optional<std::uint64_t> members = {};
  std::vector<std::string> systems = {};
  std::string lease = "2s";
  bool detach = false;
  std::string which = {};
  ClassicOptions classic = {};
};

constexpr int kPatience = 5'000;  // milliseconds, for a member to end
constexpr std::uint64_t kMostMembers = 99;

DevFolder running_folder() {
  DevFolder folder = DevFolder::usual();
  if (!folder.exists()) throw Failure("there is no local cluster: start one with `coterie dev`");
  return folder;
}

// By name, or by number from 1.
DevMember find(const DevFolder& folder, const std::string& which) {
  const auto members = folder.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].name == which || std::to_string(i + 1) == which) return members[i];
  }
  throw Failure(fmt::format("there is no member \"{}\"; there are {} to {}", which,
                            members.front().name, members.back().name));
}

bool is_any_alive(const DevFolder& folder) {
  const auto members = folder.members();
  return std::any_of(members.begin(), members.end(), [&](const DevMember& member) {
    return folder.state_of(member) != DevState::dead;
  });
}

// A member answers, and grants: it reaches enough others.
bool is_ready(const DevMember& member, std::size_t peers_up) {
  coterie::Options options;
  options.addresses = {member.address};
  options.label = "coterie dev";
  options.timeout = 500ms;
  auto client = Client::connect(options);
  if (!client) return false;
  const auto survey = client->survey();
  return survey && !survey->is_silent &&
         static_cast<std::size_t>(
             std::count_if(survey->peers.begin(), survey->peers.end(),
                           [](const Survey::Peer& peer) { return peer.is_up; })) >= peers_up;
}

void wait_until_ready(const DevFolder& folder) {
  const auto members = folder.members();
  const auto end = std::chrono::steady_clock::now() + 10s;
  for (const DevMember& member : members) {
    while (!is_ready(member, members.size() - 1)) {
      if (folder.state_of(member) == DevState::dead)
        throw Failure(fmt::format("member {} ended at once; its log is {}", member.name,
                                  folder.log_of(member)),
                      kExitFound);
      if (std::chrono::steady_clock::now() > end)
        throw Failure(fmt::format("member {} does not answer; its log is {}", member.name,
                                  folder.log_of(member)),
                      kExitFound);
      std::this_thread::sleep_for(20ms);
    }
  }
}

void stop_all(const DevFolder& folder) {
  const auto members = folder.members();
  for (const DevMember& member : members) {
    folder.signal(member, SIGCONT);
    folder.signal(member, SIGTERM);
  }
  for (const DevMember& member : members) {
    if (folder.wait_for_end(member, kPatience)) continue;
    folder.signal(member, SIGKILL);
    folder.wait_for_end(member, kPatience);
  }
  folder.remove();
}

void print_members(const DevFolder& folder) {
  for (const DevMember& member : folder.members()) {
    const DevState state = folder.state_of(member);
    fmt::print("  {:<4} {:<16} {}\n", member.name, member.address,
               state == DevState::running  ? "runs"
               : state == DevState::paused ? "paused"
                                           : "dead");
  }
}

void print_welcome(const DevFolder& folder, bool is_detached) {
  constexpr std::size_t kVictim = 3;  // to suggest
  const std::size_t members = folder.members().size();
  fmt::print("A cluster of {} runs on this machine:\n", counted(members, "member"));
  print_members(folder);
  fmt::print(
      "\nIn {}terminal:\n"
      "  coterie mutex deploys -- sh -c 'echo token $COTERIE_TOKEN; sleep 5'\n"
      "  coterie room deploys-by-rack --group blue -- sleep 60\n"
      "  coterie semaphore licences --limit 3 -- sleep 60\n"
      "  coterie status                  the members, their links, the names they know\n"
      "  coterie status deploys          who holds, who waits, and why\n"
      "  coterie dev kill {}              break it: also pause, resume, start\n"
      "\n{}\nLogs and data: {}\n",
      is_detached ? "this or another " : "another ", std::min(kVictim, members),
      is_detached ? "`coterie dev stop` stops it." : "Ctrl-C, or `coterie dev stop`, stops it.",
      folder.path());
  std::fflush(stdout);
}

// Until Ctrl-C, or until somebody else has stopped the cluster.
void keep(const DevFolder& folder) {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, number);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const timespec moment{0, 200'000'000};
  while (folder.exists()) {
    if (::sigtimedwait(&signals, nullptr, &moment) < 0) continue;
    fmt::print("\nstopping\n");
    std::fflush(stdout);
    return stop_all(folder);
  }
}

struct DevPlan {
  std::size_t members = 0;
  std::string system;
};

// What members would refuse is refused before there are any. They read no files of systems.
DevPlan read_plan(const DevOptions& options) {
  constexpr std::uint64_t kUsual = 5;
  if (options.systems.size() > 1)
    throw Failure("--system: a cluster has one quorum system; only --classic may have two");
  const std::string spec = options.systems.empty()
                               ? fmt::format("majority:n={}", options.members.value_or(kUsual))
                               : options.systems.front();
  const auto system = quorum::parse(spec);
  if (!system) throw Failure(quorum::explain(system.error(), spec));
  const std::size_t n = system->n();
  if (options.members && n != *options.members)
    throw Failure(
        fmt::format("{} is for {}; there are {}", spec, counted(n, "member"), *options.members));
  if (n > kMostMembers)
    throw Failure(
        fmt::format("{} is for {} members; a local cluster has at most {}", spec, n, kMostMembers));
  const auto lease = net::parse_duration(options.lease);
  if (!lease) throw Failure("--lease: " + lease.error().message);
  if (*lease <= member::Duration{}) throw Failure("--lease must be more than 0");
  const member::Config config{.names = std::vector<std::string>(n, "m"), .system = *system};
  if (const std::string fault = member::fault_of(config); !fault.empty())
    throw Failure(fmt::format("--system {}: {}", spec, fault));
  return {n, spec};
}

int start_cluster(const DevOptions& options) {
  DevFolder folder = DevFolder::usual();
  std::optional<DevTurn> turn(std::in_place);
  if (folder.exists() && is_any_alive(folder))
    throw Failure(
        "a local cluster runs already: `coterie dev status` shows it, `coterie dev stop` "
        "stops it");
  folder.refuse_if_foreign();
  const DevPlan plan = read_plan(options);
  folder.make(plan.members, plan.system, options.lease);
  try {
    // Nothing can have been granted in a folder that was just made: no silence is needed.
    for (const DevMember& member : folder.members()) folder.start(member, true);
    turn.reset();
    wait_until_ready(folder);
  } catch (const Failure&) {
    for (const DevMember& member : folder.members()) folder.signal(member, SIGKILL);
    throw;
  }
  print_welcome(folder, options.detach);
  if (!options.detach) {
    folder.write_keeper();
    keep(folder);
  }
  return 0;
}

int stop_cluster() {
  const DevFolder folder = running_folder();
  stop_all(folder);
  fmt::print("The local cluster is stopped.\n");
  return 0;
}

void signal_one(const DevFolder& folder, const DevMember& member, int number) {
  if (!folder.signal(member, number))
    throw Failure(fmt::format("member {} does not run; `coterie dev start {}` starts it",
                              member.name, member.name));
}

int kill_member(const std::string& which) {
  const DevFolder folder = running_folder();
  const DevMember member = find(folder, which);
  signal_one(folder, member, SIGKILL);
  folder.wait_for_end(member, kPatience);
  fmt::print("{} is dead. `coterie dev start {}` starts it again.\n", member.name, which);
  return 0;
}

// It is told when it is true: who resumes the member next must find it paused.
int pause_member(const std::string& which) {
  const DevFolder folder = running_folder();
  const DevMember member = find(folder, which);
  if (folder.state_of(member) == DevState::paused)
    throw Failure(fmt::format("member {} is paused already", member.name));
  signal_one(folder, member, SIGSTOP);
  while (folder.state_of(member) == DevState::running) std::this_thread::sleep_for(1ms);
  fmt::print("{} is paused. `coterie dev resume {}` wakes it up.\n", member.name, which);
  return 0;
}

int resume_member(const std::string& which) {
  const DevFolder folder = running_folder();
  const DevMember member = find(folder, which);
  if (folder.state_of(member) == DevState::running)
    throw Failure(fmt::format("member {} is not paused", member.name));
  signal_one(folder, member, SIGCONT);
  fmt::print("{} goes on.\n", member.name);
  return 0;
}

int start_member(const std::string& which) {
  const DevFolder folder = running_folder();
  const DevMember member = find(folder, which);
  if (folder.state_of(member) != DevState::dead)
    throw Failure(fmt::format("member {} runs already", member.name));
  folder.start(member, false);
  fmt::print("{}", folded(fmt::format("{} starts. It grants nothing for a lease, since what it had "
                                      "granted is unknown.\n",
                                      member.name),
                          STDOUT_FILENO));
  return 0;
}

}  // namespace

void add_dev_command(const Command& root) {
  const auto options = std::make_shared<DevOptions>();
  const Command dev = root.command(
      "dev", "a cluster on this machine, to play with and to break",
      "The members are processes of their own. Their configurations, data and logs are in a "
      "folder\n"
      "that COTERIE_DEV can name; client commands find the cluster there.\n\n"
      "--classic runs an algorithm that `coterie check --list` lists on the same sockets: its\n"
      "processes ask, enter and leave, its rule is watched, and its messages are counted. It\n"
      "exits with 1 if the rule is broken or a process is lost, with 3 if it is interrupted.\n\n"
      "Examples:\n  coterie dev\n  coterie dev --members 3 --detach\n  coterie dev kill 2\n"
      "  coterie dev --classic surrogate --system grid:rows=3,cols=3 --groups 3");
  const Option members =
      dev.option("--members", options->members, "how many (default: as the system has, or 5)",
                 {.least = 1, .most = kMostMembers});
  dev.option("--system", options->systems, "their quorum system; majority if not given")
      .value("SPEC");
  const Option lease = dev.option("--lease", options->lease,
                                  "that members give each other: a dead one's holds last so long");
  lease.value("TIME");
  const Option detach = dev.flag("--detach", options->detach, "leave it running in the background");
  add_classic_options(dev, options->classic).excludes(members).excludes(lease).excludes(detach);

  const auto one = [&](const std::string& name, const std::string& summary,
                       const std::function<int(const std::string&)>& does) {
    const Command command =
        dev.command(name, summary, fmt::format("Example:\n  coterie dev {} 3", name));
    command.option("MEMBER", options->which, "its name, or its number from 1").value("").required();
    command.runs([options, does] { return does(options->which); });
  };
  one("kill", "kill a member at once, as kill -9 does", kill_member);
  one("pause", "stop a member in its tracks", pause_member);
  one("resume", "let a paused member go on", resume_member);
  one("start", "start a member that is dead", start_member);
  dev.command("stop", "stop the cluster, and forget it", "Example:\n  coterie dev stop")
      .runs(stop_cluster);
  dev.command("status", "which members run", "Example:\n  coterie dev status").runs([] {
    print_members(running_folder());
    return 0;
  });
  dev.runs([options] {
    if (options->classic.protocol.empty()) return start_cluster(*options);
    options->classic.systems = options->systems;
    return run_classic(options->classic);
  });
}

}  // namespace coterie::cli
