// What a hold costs on real sockets, as ratios within one run: `live_cluster [--rounds N] [--only PART] [--json FILE]`. Rounds of each
// kind take turns, and what is printed are medians. docs/performance.md says what each row means.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "cluster.h"
#include "floor.h"

namespace coterie::bench {
namespace {

using namespace std::chrono_literals;

struct Options {
  std::size_t rounds = 9;
  std::string json;
  std::string only;  // this part
};

// Seconds of an entry, on the clock and of all processes' work together.
struct Cost {
  std::vector<double> clock, cpu;

  template <class Cpu, class Work>
  void measure(std::size_t times, const Cpu& cpu_now, const Work& work) {
    const double begin = cpu_now();
    clock.push_back(work());
    cpu.push_back((cpu_now() - begin) / static_cast<double>(times));
  }
  void forget() { *this = {}; }
};

class Report {
 public:
  void add(const std::string& what, const std::string& unit, double value, double ratio = 0) {
    rows_.push_back({{"what", what}, {"unit", unit}, {"value", value}});
    if (ratio > 0) rows_.back()["ratio"] = ratio;
    fmt::print("{:<52} {:>10.1f} {:<8}{}\n", what, value, unit,
               ratio > 0 ? fmt::format("{:.2f}", ratio) : "");
    std::fflush(stdout);
  }
  const nlohmann::json& rows() const { return rows_; }

 private:
  nlohmann::json rows_ = nlohmann::json::array();
};

// The middle of the ratios of rounds that stood side by side.
double ratio_of(const std::vector<double>& ours, const std::vector<double>& floor) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / floor[i]);
  return median(ratios);
}

// Nodes from this number on, each a process.
std::vector<Child> start_floor(const std::vector<std::uint16_t>& ports, std::size_t first) {
  std::vector<Child> nodes;
  for (std::size_t self = first; self < ports.size(); ++self)
    nodes.push_back(Child({"--floor", std::to_string(self), std::to_string(ports[0]),
                           std::to_string(ports[1]), std::to_string(ports[2])}));
  return nodes;
}

// An entry that asks a quorum, and a leaving: beside the same messages without any logic.
void measure_floor(const Options& options, Report& report) {
  constexpr std::size_t kTimes = 100;  // short, so that what stands side by side has the same load
  const std::size_t rounds = options.rounds * 10;
  constexpr double kMicro = 1e6;
  const auto own_ports = free_ports(3);
  const auto own_nodes = start_floor(own_ports, 1);
  boost::asio::io_context io(1);
  FloorNode node(io, own_ports, 0);
  while (!node.is_ready()) io.run_one();
  io.run_for(100ms);
  const auto ports = free_ports(3);
  const auto nodes = start_floor(ports, 0);

  Cluster cluster(3, "0s", true);
  const auto names = names_by_first(3);
  Client connected = cluster.connect(1);
  Client resident = cluster.own().client("bench").value();
  Chain through(connected, names);
  through.have_answered();  // as the floor's client is
  Chain embedded(resident, names);
  Cost floor_member, member, blocking, floor_embedded, own;
  const auto of_nodes = [&] { return cpu_seconds(nodes); };
  const auto of_own_nodes = [&] { return cpu_seconds(own_nodes); };
  const auto of_cluster = [&] { return cluster.cpu_seconds(); };
  const auto wait_twice = [&] {
    const double begin = seconds_now();
    for (std::size_t i = 0; i < kTimes; ++i) {
      auto hold = connected.mutex(names[i % names.size()]);
      if (!hold || !hold->release()) fail("no hold");
    }
    return (seconds_now() - begin) / kTimes;
  };
  for (std::size_t round = 0; round <= rounds; ++round) {
    floor_member.measure(kTimes, of_nodes, [&] { return floor_through(ports[1], kTimes); });
    member.measure(kTimes, of_cluster, [&] { return through.run(kTimes); });
    blocking.measure(kTimes, of_cluster, wait_twice);
    floor_embedded.measure(kTimes, of_own_nodes, [&] { return floor_at(io, node, kTimes); });
    own.measure(kTimes, of_cluster, [&] { return embedded.run(kTimes); });
    if (round > 0) continue;  // the first warms up
    for (Cost* const cost : {&floor_member, &member, &blocking, &floor_embedded, &own})
      cost->forget();
  }
  const auto add = [&](const std::string& what, const Cost& cost, const Cost& floor) {
    const bool is_floor = &cost == &floor;
    report.add(what, "us", median(cost.clock) * kMicro,
               is_floor ? 0 : ratio_of(cost.clock, floor.clock));
    report.add("  work of all processes", "us", median(cost.cpu) * kMicro,
               is_floor ? 0 : ratio_of(cost.cpu, floor.cpu));
  };
  add("floor of an entry through a member", floor_member, floor_member);
  add("an entry through a member", member, floor_member);
  add("the same, by a thread that waits twice", blocking, floor_member);
  add("floor of an entry, embedded", floor_embedded, floor_embedded);
  add("an entry, embedded", own, floor_embedded);
}

// What nobody else wants.
void measure_repeats(const Options& options, Report& report) {
  Cluster cluster(3, "2s", true);
  Client connected = cluster.connect(0);
  Client resident = cluster.own().client("bench").value();
  std::vector<double> through, taken;
  Chain chain(connected, {"again"});
  for (std::size_t round = 0; round < options.rounds; ++round) {
    constexpr std::size_t kTimes = 300'000;
    through.push_back(1 / chain.run(2'000));
    const double begin = seconds_now();
    for (std::size_t i = 0; i < kTimes; ++i) {
      if (!resident.mutex("own")) fail("no hold");
    }
    taken.push_back(kTimes / (seconds_now() - begin));
  }
  report.add("entries again, through a member, one client", "/s", median(through));
  report.add("entries again, embedded, one thread", "/s", median(taken));
}

void measure_rates(const Options& options, Report& report) {
  Cluster cluster(3, "2s", false);
  std::vector<double> apart, shared;
  for (std::size_t round = 0; round < std::max<std::size_t>(1, options.rounds / 3); ++round) {
    apart.push_back(rate_of(cluster, 128, false));
    shared.push_back(rate_of(cluster, 8, true));
  }
  report.add("128 clients with a lock each", "/s", median(apart));
  report.add("8 clients on one lock", "/s", median(shared));
}

// The longest time without an entry around a kill -9, of clients of other members with locks of their own.
void measure_gap(const Options& options, Report& report) {
  std::vector<double> gaps, usual;
  for (std::size_t round = 0; round < std::max<std::size_t>(1, options.rounds / 3); ++round) {
    Cluster cluster(3, "0s", false);
    Client first = cluster.connect(0);
    Client second = cluster.connect(1);
    const auto names = names_by_first(3);
    Chain one(first, names);
    Chain two(second, {"other-1", "other-2", "other-3", "other-4"});
    one.start();
    two.start();
    std::this_thread::sleep_for(500ms);
    const auto longest = [&] { return std::max(one.longest_gap(), two.longest_gap()) * 1e3; };
    longest();
    std::this_thread::sleep_for(1s);
    usual.push_back(longest());
    cluster.kill(2);
    std::this_thread::sleep_for(1s);
    gaps.push_back(longest());
    one.stop();
    two.stop();
  }
  report.add("longest gap in a second, nobody dies", "ms", median(usual));
  report.add("longest gap after kill -9 of a member", "ms", median(gaps));
}

std::uint64_t adopted_by_member_of(Client& client) {
  const auto survey = client.survey();
  if (!survey) fail(survey.error().text);
  for (const auto& [what, times] : survey->counts) {
    if (what == "adopted") return times;
  }
  return 0;
}

// From kill -9 of a client's member until another has taken over what it holds, which stays good all the while.
void measure_adoption(const Options& options, Report& report) {
  constexpr std::size_t kHolds = 10;
  std::vector<double> pauses;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    Cluster cluster(3, "2s", false);
    Client client = cluster.connect_to_all();
    std::vector<Hold> holds;
    for (std::size_t i = 0; i < kHolds; ++i) {
      auto hold = client.mutex("held-" + std::to_string(i));
      if (!hold) fail(hold.error().text);
      holds.push_back(*std::move(hold));
    }
    const double begin = seconds_now();
    cluster.kill(0);
    while (adopted_by_member_of(client) < kHolds) {
    }
    pauses.push_back((seconds_now() - begin) * 1e3);
    for (const Hold& hold : holds) {
      if (!hold.is_valid()) fail("a hold was lost");
    }
  }
  report.add("adoption pause after kill -9 of a client's member", "ms", median(pauses));
}

// A page, in the folder where members keep what they must.
double fsync_seconds(const std::filesystem::path& folder) {
  const int file = ::open((folder / "page").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) fail("no file in the temporary folder");
  const std::string page(4'096, 'x');
  const double begin = seconds_now();
  const bool is_written =
      ::pwrite(file, page.data(), page.size(), 0) == static_cast<ssize_t>(page.size());
  const bool is_done = is_written && ::fsync(file) == 0;
  const double took = seconds_now() - begin;
  ::close(file);
  if (!is_done) fail("a page cannot be written down");
  return took;
}

// What it costs more that a hold lasts: to take it, and to release it; as ratios to an fsync. The client's member is an
// arbiter of some of the names, and of others not.
void measure_lasting(const Options& options, Report& report) {
  Cluster cluster(3, "2s", false);
  Client client = cluster.connect(0);
  const auto rest = [] { std::this_thread::sleep_for(2ms); };  // what came before leaves work to do
  const auto timed = [&](const auto& work) {
    rest();
    const double begin = seconds_now();
    if (const auto done = work(); !done) fail(done.error().text);
    return seconds_now() - begin;
  };
  struct Costs {
    std::vector<double> taken, again, released, taken_more, released_more;
  };
  std::vector<double> sync;
  const auto measure = [&](const Request& request, Costs& costs) {
    Outcome<Hold> hold = Refusal{};
    const double leased = timed([&]() -> Outcome<void> {
      hold = client.acquire(request);
      if (!hold) return hold.error();
      return {};
    });
    const double left = timed([&] { return hold->release(); });
    rest();
    sync.push_back(fsync_seconds(cluster.folder()));
    const auto hold_it = [&] { return client.hold_for("owner", request); };
    costs.taken.push_back(timed(hold_it));
    costs.again.push_back(timed(hold_it));  // it finds that it has it
    costs.released.push_back(timed([&] { return client.release_for("owner", request.name); }));
    costs.taken_more.push_back(costs.taken.back() - leased);
    costs.released_more.push_back(costs.released.back() - left);
  };
  Costs mutex, semaphore;
  for (std::size_t round = 0; round < options.rounds * 10; ++round) {
    measure(Request::mutex(fmt::format("door-{}", round)), mutex);
    measure(Request::semaphore(fmt::format("seats-{}", round), 3), semaphore);
  }
  const double fsync = median(sync);
  const auto add = [&](const std::string& what, const std::vector<double>& seconds) {
    report.add(what, "us", median(seconds) * 1e6, median(seconds) / fsync);
  };
  add("an fsync of a page", sync);
  for (const auto& [kind, costs] : {std::pair("mutex", &mutex), {"semaphore", &semaphore}}) {
    const std::string of = fmt::format(", {}", kind);
    add("a lasting hold is taken" + of, costs->taken);
    add("the same, above a leased one" + of, costs->taken_more);
    add("asked for again by its owner" + of, costs->again);
    add("a lasting hold is released" + of, costs->released);
    add("the same, above a leased one" + of, costs->released_more);
  }
}

int run(const Options& options) {
  Report report;
  const auto measure = [&](const std::string& part, const auto& work) {
    if (options.only.empty() || options.only == part) work(options, report);
  };
  measure("floor", measure_floor);
  measure("repeats", measure_repeats);
  measure("rates", measure_rates);
  measure("gap", measure_gap);
  measure("adoption", measure_adoption);
  measure("lasting", measure_lasting);
  if (!options.json.empty()) std::ofstream(options.json) << report.rows().dump(2) << '\n';
  return 0;
}

}  // namespace
}  // namespace coterie::bench

int main(int argc, char** argv) {
  using namespace coterie::bench;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--member") return run_member(words[1]);
  if (words.size() > 2 && words[0] == "--floor") {
    std::vector<std::uint16_t> ports;
    for (std::size_t i = 2; i < words.size(); ++i)
      ports.push_back(static_cast<std::uint16_t>(std::stoul(words[i])));
    return run_floor(ports, std::stoul(words[1]));
  }
  Options options;
  CLI::App app("What a hold costs on real sockets, as ratios within one run.", "live_cluster");
  app.add_option("--rounds", options.rounds, "how often each is measured")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--only", options.only, "one part")
      ->check(CLI::IsMember({"floor", "repeats", "rates", "gap", "adoption", "lasting"}));
  app.add_option("--json", options.json, "also write the results to this file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return run(options);
}
