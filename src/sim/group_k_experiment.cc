// Jiang's group k-exclusion: messages and hops of one who is alone, of one who joins its group, and of
// many, by the corrected algorithm, its parallel variant and Surrogate over a k-coterie, beside what the
// paper says of the printed one.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/simulated_experiments.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace group_k {
namespace {

enum Algorithm : std::size_t { chain, parallel, surrogate, printed, kAlgorithms };
constexpr std::size_t kLoaded = printed;  // under load the printed one stops, or lets too many in
struct Named {
  std::string_view protocol;
  std::string_view title;
};
constexpr std::array<Named, kAlgorithms> kNames = {{
    {"group-k", "corrected"},
    {"group-k+parallel", "parallel"},
    {"surrogate-k", "Surrogate"},
    {"group-k@costs", "printed"},
}};

// The first is the paper's example of eight nodes.
constexpr std::array<std::string_view, 4> kSystems = {
    "torus:rows=4,cols=2,k=2", "torus:rows=6,cols=4,k=2", "torus:rows=7,cols=4,k=3",
    "torus:rows=12,cols=7,k=2"};

struct Sizes {
  double n;
  double q;      // |Q|
  double s;      // |Q ∪ P|
  double first;  // 1 if process 0 is the first of its registrars, which saves it a hop
};

// A write quorum's best read quorum is the one that adds fewest members.
Sizes sizes_of(const quorum::System& system) {
  const NodeSet write = system.write().home_quorum(0);
  std::vector<quorum::Cost> costs(system.n(), 1);
  for (const NodeId member : write) costs[member] = 0;
  const NodeSet both = write | *system.read().find_quorum(NodeSet::all(system.n()), costs);
  return {static_cast<double>(system.n()), static_cast<double>(write.size()),
          static_cast<double>(both.size()), both.contains(0) ? 1.0 : 0.0};
}

double alone_messages(Algorithm algorithm, const Sizes& sizes) {
  if (algorithm == surrogate) return 3 * sizes.q;
  if (algorithm == printed) return 3 * sizes.q + 2 * sizes.s + 1;
  return 2 * sizes.q + (algorithm == chain ? 2 * sizes.s + 1 : 3 * sizes.s);
}

double alone_hops(Algorithm algorithm, const Sizes& sizes) {
  if (algorithm == surrogate) return 2;
  return algorithm == parallel ? 4 : sizes.s + 3 - sizes.first;
}

// Two ask for the same group, the second while the first is inside, which is for long.
void make_joining(Scenario& scenario) {
  make_alone(scenario, 1);
  scenario.workload.requesters = 2;
  scenario.workload.apart = Distribution::uniform(0, 1000);
  scenario.workload.inside = Distribution::uniform(2000, 4000);
}

class GroupK {
 public:
  GroupK(const Effort& effort, const Progressed& progressed, const std::atomic<bool>& stop)
      : systems_(effort.tiny ? 1 : kSystems.size()),
        alone_(effort, 1),
        joining_(effort, 20),
        loaded_(effort, by_effort<std::uint64_t>(effort, 2, 3, 5)) {
    const auto entries = by_effort<std::uint64_t>(effort, 40, 400, 4000);
    for (std::size_t system = 0; system < systems_; ++system) {
      for (std::size_t i = 0; i < kAlgorithms; ++i) {
        Scenario scenario = scenario_of(kNames[i].protocol, kSystems[system]);
        const std::vector<Cell> key = {std::string(kSystems[system]),
                                       std::string(kNames[i].protocol)};
        scenario.workload.groups = 2 * scenario.setting.max;
        scenario.workload.requests = entries / scenario.setting.processes + 1;
        if (i < kLoaded) loaded_.add(scenario, key);
        scenario.workload.groups = 1;
        make_alone(scenario, 3);
        alone_.add(scenario, key);
        make_joining(scenario);
        joining_.add(scenario, key);
      }
    }
    constexpr double kShareAlone = 0.05;
    alone_.run(part_of(progressed, 0, kShareAlone / 2), stop);
    joining_.run(part_of(progressed, kShareAlone / 2, kShareAlone), stop);
    loaded_.run(part_of(progressed, kShareAlone, 1), stop);
  }

  Report report() const;

 private:
  static std::size_t trial(std::size_t system, Algorithm algorithm) {
    return system * kAlgorithms + algorithm;
  }
  static std::size_t loaded(std::size_t system, Algorithm algorithm) {
    return system * kLoaded + algorithm;
  }
  Sizes sizes(std::size_t system) const {
    return sizes_of(alone_.scenario(trial(system, chain)).setting.system());
  }
  double alone(std::size_t system, Algorithm algorithm, Field field) const {
    return alone_.of(trial(system, algorithm), field).mean;
  }
  // What the second of two costs, at least: seeds differ in who leaves first.
  double joining_messages(std::size_t system, Algorithm algorithm) const {
    const std::vector<double> both =
        joining_.values(trial(system, algorithm), &Measures::messages_per_entry);
    return 2 * *std::min_element(both.begin(), both.end()) -
           alone(system, algorithm, &Measures::messages_per_entry);
  }
  // Every message takes one unit. Who joins a forum waits less than who opened it.
  double joining_hops(std::size_t system, Algorithm algorithm) const {
    const std::size_t at = trial(system, algorithm);
    const std::vector<double> mean = joining_.values(at, &Measures::waiting_time);
    const std::vector<double> most = joining_.values(at, &Measures::waiting_time_max);
    double least = most.front();
    for (std::size_t i = 0; i < mean.size(); ++i) {
      least = std::min(least, algorithm == surrogate ? most[i] : 2 * mean[i] - most[i]);
    }
    return least;
  }

  Sheet table() const;
  void add_findings(std::vector<Finding>& findings) const;

  std::size_t systems_;
  Trials alone_;
  Trials joining_;
  Trials loaded_;
};

Sheet GroupK::table() const {
  Sheet sheet{.name = "table",
              .title = "Messages and hops per entry, beside those of the printed algorithm",
              .columns = {"system", "q", "q_and_p", "algorithm", "alone_messages", "alone_formula",
                          "alone_hops", "joining_messages", "joining_hops", "loaded_messages",
                          "loaded_messages_ci95", "loaded_waiting", "loaded_concurrency"}};
  for (std::size_t system = 0; system < systems_; ++system) {
    const Sizes size = sizes(system);
    const auto row = [&](std::string name, std::vector<Cell> figures) {
      std::vector<Cell> cells = {std::string(kSystems[system]), size.q, size.s, std::move(name)};
      cells.insert(cells.end(), figures.begin(), figures.end());
      sheet.rows.push_back(std::move(cells));
    };
    const std::string none = "";
    row("printed (claims)", {2 * size.q + 2 * size.s + 1, 3 * size.q + 2 * size.s + 1, size.s + 3,
                             2 * size.q + 4, 3.0, 6 * size.n + 2 * size.s + 1, none, none, none});
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      const auto algorithm = static_cast<Algorithm>(i);
      std::vector<Cell> figures = {
          alone(system, algorithm, &Measures::messages_per_entry), alone_messages(algorithm, size),
          alone(system, algorithm, &Measures::waiting_hops), joining_messages(system, algorithm),
          joining_hops(system, algorithm)};
      if (i < kLoaded) {
        const std::size_t at = loaded(system, algorithm);
        const Mean messages = loaded_.of(at, &Measures::messages_per_entry);
        figures.insert(figures.end(),
                       {messages.mean, messages.ci95, loaded_.of(at, &Measures::waiting_time).mean,
                        loaded_.of(at, &Measures::concurrency).mean});
      } else {
        figures.insert(figures.end(), 4, none);
      }
      row(std::string(kNames[i].protocol), std::move(figures));
    }
  }
  return sheet;
}

void GroupK::add_findings(std::vector<Finding>& findings) const {
  const Sizes example = sizes(0);
  findings.push_back(
      {"5", "alone: 2|Q|+2|Q∪P|+1 messages",
       fmt::format("the corrected algorithm costs that, {:g} in the example of eight nodes; the "
                   "messages that the paper lists add up to 3|Q|+2|Q∪P|+1 = {:g}",
                   alone(0, chain, &Measures::messages_per_entry),
                   3 * example.q + 2 * example.s + 1),
       ruling(alone(0, chain, &Measures::messages_per_entry) ==
              2 * example.q + 2 * example.s + 1)});
  findings.push_back(
      {"5", "alone: |Q∪P|+3 hops",
       fmt::format("{:g} hops with |Q∪P| = {:g}; process 0 is the first of its own "
                   "registrars, which saves it one",
                   alone(0, chain, &Measures::waiting_hops), example.s),
       ruling(alone(0, chain, &Measures::waiting_hops) == example.s + 3 - example.first)});
  findings.push_back(
      {"5", "who joins its group: 2|Q|+4 messages",
       fmt::format(
           "{:g} with |Q| = {:g}, which is 3|Q|+2 = {:g}, not {:g}: every member of Q answers, "
           "those that know the leader by a FOLLOW each",
           joining_messages(0, chain), example.q, 3 * example.q + 2, 2 * example.q + 4),
       ruling(joining_messages(0, chain) == 2 * example.q + 4)});
  findings.push_back(
      {"5", "who joins its group: 3 hops",
       fmt::format("{:g} hops; one that is itself a registrar of its group saves one",
                   joining_hops(0, chain)),
       ruling(joining_hops(0, chain) <= 3)});
  bool below = true;
  bool formulas = true;
  double nearest = 0;
  for (std::size_t system = 0; system < systems_; ++system) {
    const Sizes size = sizes(system);
    const double bound = 6 * size.n + 2 * size.s + 1;
    const Mean messages = loaded_.of(loaded(system, chain), &Measures::messages_per_entry);
    below = below && messages.mean <= bound;
    nearest = std::max(nearest, messages.mean / bound);
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      const auto algorithm = static_cast<Algorithm>(i);
      formulas = formulas &&
                 alone(system, algorithm, &Measures::messages_per_entry) ==
                     alone_messages(algorithm, size) &&
                 alone(system, algorithm, &Measures::waiting_hops) == alone_hops(algorithm, size);
    }
  }
  findings.push_back(
      {"5", "under contention: at most 6n+2|Q∪P|+1 messages",
       fmt::format("the mean over a loaded run is at most {} of it", percent(nearest)),
       ruling(below)});
  findings.push_back(
      {"ours",
       "alone: the parallel variant takes 4 hops and 2|Q|+3|Q∪P| messages, Surrogate 2 and 3|Q|",
       fmt::format("on every system here: {}", formulas ? "exactly" : "not exactly"),
       ruling(formulas)});
  const std::size_t last = systems_ - 1;
  const Mean waiting =
      loaded_.ratio(loaded(last, parallel), loaded(last, chain), &Measures::waiting_time);
  findings.push_back({"ours", "asking all registrars at once shortens the waiting under load, too",
                      fmt::format("{} of the chain's on {}", text_of(waiting), kSystems[last]),
                      ruling(is_below(waiting, 1))});
}

Report GroupK::report() const {
  Report report{
      .name = "group-k",
      .title = "Group k-exclusion: messages and hops",
      .source = "Jiang, group k-exclusion by k-write-read coteries, section 5",
      .paragraphs = {
          "Alone: one process, every message takes one unit. Joining: a second one of the same "
          "group "
          "asks while the first is inside; its share of the messages, at least over 20 seeds. "
          "Loaded: "
          "everybody asks, in a closed loop, for one of 2k groups.",
          "The printed algorithm runs alone and joining, where its errors (docs/errata.md) do not "
          "show; with any of them a run of some length under load stops or lets too many in. The "
          "row of claims has what the paper says; in place of the formula stands what the messages "
          "that it lists add up to.",
          "Surrogate over a k-coterie lets two forums of one group take two of the k slots: who "
          "joins may open a second forum, or waits."}};
  report.sheets.push_back(
      loaded_.sheet("loaded", "All measures under load", {"system", "algorithm"}));
  report.sheets.push_back(
      alone_.sheet("alone", "All measures of one alone", {"system", "algorithm"}));
  if (!conclude(report, {&alone_, &joining_, &loaded_})) return report;
  report.sheets.insert(report.sheets.begin(), table());
  add_findings(report.findings);
  return report;
}

}  // namespace
}  // namespace group_k

Report run_group_k(const Effort& effort, const Progressed& progressed,
                   const std::atomic<bool>& stop) {
  return group_k::GroupK(effort, progressed, stop).report();
}

}  // namespace coterie::sim
