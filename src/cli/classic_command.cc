#include "cli/classic_command.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <functional>
#include <random>
#include <thread>

#include "base/plan_option.h"
#include "base/text.h"
#include "cli/classic_report.h"
#include "cli/input.h"
#include "cli/terminal.h"
#include "cli/verified_system.h"
#include "net/classic_process.h"
#include "net/classic_witness.h"
#include "net/settings.h"
#include "protocol/instance.h"

namespace coterie::cli {
namespace {

using net::ClassicPlan;
using net::ClassicReport;

constexpr std::size_t kMaxProcesses = 64;
constexpr std::uint64_t kMaxRequests = 1'000'000;
constexpr std::uint32_t kMaxClassicGroups = 1'000'000;

[[noreturn]] void refuse_classic(const Error& error, const ClassicOptions& options) {
  const bool has_option = !error.parameter.empty() && error.parameter != "protocol";
  throw Failure(has_option ? fmt::format("--{}: {}", error.parameter, error.message)
                           : fmt::format("--classic {}: {}", options.protocol, error.message));
}

std::chrono::nanoseconds read_pause(const std::string& text, const std::string& option) {
  if (text == "0") return {};
  const auto time = net::parse_duration(text);
  if (!time) throw Failure(fmt::format("{}: {}", option, time.error().message));
  return std::chrono::nanoseconds(time->ns);
}

std::optional<std::uint32_t> read_bound(const std::string& text, const std::string& option) {
  if (text.empty()) return {};
  const auto number = number_in<std::uint32_t>(text);
  if (!number) throw Failure(fmt::format("{}: must be a whole number, not '{}'", option, text));
  return number;
}

void read_groups(ClassicPlan& plan, const ClassicOptions& options) {
  const auto refuse = [&](std::optional<Error> error) {
    if (error) refuse_classic(*error, options);
  };
  if (options.groups != ClassicOptions{}.groups)
    refuse(protocol::refuse_unless_taken(plan.choice, "groups"));
  if (const auto groups = number_in<std::uint32_t>(options.groups)) {
    if (*groups < 1 || *groups > kMaxClassicGroups)
      throw Failure(fmt::format("--groups: there may be 1 to {} groups", kMaxClassicGroups));
    plan.groups = *groups;
    return refuse(protocol::refuse_groups(plan.setting, {*groups - 1}));
  }
  auto demands =
      protocol::parse_demands(options.groups, plan.choice, plan.setting.processes, plan.requesters);
  if (!demands) refuse_classic(demands.error(), options);
  for (const protocol::Groups& groups : *demands)
    refuse(protocol::refuse_groups(plan.setting, groups));
  plan.demands = *std::move(demands);
}

// As one would type it again.
std::string command_of(const ClassicOptions& options) {
  const ClassicOptions usual;
  std::string line = "coterie dev --classic " + quoted(options.protocol);
  for (const std::string& system : options.systems) line += " --system " + quoted(system);
  const auto number = [&](std::string_view name, std::uint64_t value, std::uint64_t ordinary) {
    if (value != ordinary) line += fmt::format(" --{} {}", name, value);
  };
  const auto text = [&](std::string_view name, const std::string& value,
                        const std::string& ordinary) {
    if (value != ordinary) line += fmt::format(" --{} {}", name, quoted(value));
  };
  number("processes", options.processes, usual.processes);
  number("requesters", options.requesters, usual.requesters);
  number("requests", options.requests, usual.requests);
  text("groups", options.groups, usual.groups);
  text("min", options.min, usual.min);
  text("max", options.max, usual.max);
  text("inside", options.inside, usual.inside);
  text("cs", options.cs, usual.cs);
  text("ncs", options.ncs, usual.ncs);
  number("seed", options.seed, 0);
  return line;
}

ClassicRun read_run(const ClassicOptions& options) {
  std::vector<quorum::System> systems;
  systems.reserve(options.systems.size());
  for (const std::string& spec : options.systems) systems.push_back(read_verified_system(spec));
  protocol::InstanceText text{.protocol = options.protocol,
                              .processes = {},
                              .min = read_bound(options.min, "--min"),
                              .max = read_bound(options.max, "--max"),
                              .locks = 0,
                              .inside = options.inside};
  if (options.processes > 0) text.processes = options.processes;
  auto instance = protocol::make_instance(text, std::move(systems), kMaxProcesses);
  if (!instance) refuse_classic(instance.error(), options);
  if (const auto error = protocol::refusal(instance->choice, instance->setting))
    refuse_classic(*error, options);
  ClassicRun run;
  run.rule = instance->rule.text();
  run.command = command_of(options);
  ClassicPlan& plan = run.plan;
  plan.choice = std::move(instance->choice);
  plan.setting = std::move(instance->setting);
  plan.requesters = options.requesters == 0 ? plan.setting.processes : options.requesters;
  if (plan.requesters > plan.setting.processes)
    throw Failure(fmt::format("--requesters: there may be 1 to {}", plan.setting.processes));
  plan.requests = options.requests;
  plan.inside = read_pause(options.cs, "--cs");
  plan.apart = read_pause(options.ncs, "--ncs");
  plan.seed = options.seed;
  read_groups(plan, options);
  std::random_device chance;
  plan.secret = (std::uint64_t{chance()} << 32U) | chance();
  return run;
}

// ---- processes

// In the child: a terminal's Ctrl-C is for the witness, who ends all.
[[noreturn]] void be_process(const ClassicPlan& plan, NodeId self, std::uint16_t witness) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  static_cast<void>(std::signal(SIGINT, SIG_IGN));
  constexpr unsigned kFirstOther = 3;
  ::close_range(kFirstOther, ~0U, 0);  // what the parent has open
  try {
    boost::asio::io_context io(1);
    net::ClassicProcess process(io, plan, self);
    process.start(witness);
    io.run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "coterie: process {}: {}\n", self, error.what());
    std::fflush(stderr);
    ::_exit(1);
  }
  ::_exit(0);
}

class Crew {
 public:
  Crew(const ClassicPlan& plan, std::uint16_t witness) {
    for (NodeId self = 0; self < plan.setting.processes; ++self) {
      const pid_t child = ::fork();
      if (child == 0) be_process(plan, self, witness);
      if (child < 0) throw Failure("cannot start a process", kExitFound);
      pids_.push_back(child);
    }
  }
  // They end by themselves; who does not is killed.
  ~Crew() {
    constexpr auto kToEnd = std::chrono::seconds(2);
    const auto end = std::chrono::steady_clock::now() + kToEnd;
    for (const pid_t pid : pids_) {
      while (::waitpid(pid, nullptr, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > end) ::kill(pid, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

 private:
  std::vector<pid_t> pids_;
};

struct Ended {
  ClassicReport report;
  bool is_interrupted = false;
};

Ended run_processes(const ClassicPlan& plan) {
  boost::asio::io_context io(1);
  net::ClassicWitness witness(io, plan);
  const Crew crew(plan, witness.port());
  Ended ended;
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int /*signal*/) {
    if (error) return;
    ended.is_interrupted = true;
    witness.stop();
  });
  StatusLine line;
  boost::asio::steady_timer tick(io);
  bool is_over = false;  // a timer that has fired already cannot be cancelled
  const std::function<void()> show = [&] {
    tick.expires_after(std::chrono::milliseconds(100));
    tick.async_wait([&](const boost::system::error_code& error) {
      if (error || is_over) return;
      if (line.is_wanted())
        line.show(fmt::format("{} of {} entries", witness.report().entries,
                              plan.requesters * plan.requests));
      show();
    });
  };
  show();
  witness.start([&] {
    is_over = true;
    signals.cancel();
    tick.cancel();
  });
  io.run();
  ended.report = witness.report();
  return ended;
}

}  // namespace

Option add_classic_options(const Command& command, ClassicOptions& options) {
  const Option classic =
      command.option("--classic", options.protocol,
                     "instead, an algorithm as it is checked, which tolerates no faults");
  classic.value("PROTOCOL");
  const auto add = [&](const std::string& name, auto& value, const std::string& help,
                       const std::string& shown) {
    command.option(name, value, help).value(shown).needs(classic);
  };
  add("--processes", options.processes, "of --classic (0: as the system has members)", "N");
  add("--requesters", options.requesters, "only the first M of them ask (0: all)", "M");
  command
      .option("--requests", options.requests, "how often each of these asks",
              {.least = 1, .most = kMaxRequests})
      .value("R")
      .needs(classic);
  add("--groups", options.groups, "each draws one of M; or that of each process", "M|a,b,a");
  add("--min", options.min, "at least L inside: floors and bands", "L");
  add("--max", options.max, "at most K inside, or K groups (as the system has)", "K");
  add("--inside", options.inside, "who starts inside: floors, bands (all, or K)", "i,j,...|none");
  add("--cs", options.cs, "time inside, on the mean", "TIME");
  add("--ncs", options.ncs, "time outside between requests, on the mean", "TIME");
  add("--seed", options.seed, "of what is drawn", "S");
  command.flag("--json", options.json, "of --classic: print one JSON object").needs(classic);
  return classic;
}

int run_classic(const ClassicOptions& options) {
  const ClassicRun run = read_run(options);
  if (!options.json) print_classic_plan(run);
  const Ended ended = run_processes(run.plan);
  if (options.json) {
    print_classic_json(run, ended.report);
  } else {
    print_classic_report(run, ended.report);
  }
  if (ended.report.fault) return kExitFound;
  return ended.is_interrupted ? kExitUnfinished : 0;
}

}  // namespace coterie::cli
