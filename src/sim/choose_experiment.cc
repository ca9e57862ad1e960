// Which algorithm and which quorum system to take: fifteen members in three regions or on one local network,
// short and long stays inside, light and heavy load, few and many groups; every candidate on equal terms.
//
// The criterion is the mean waiting time. Candidates that the runs cannot tell from the best are ties, and
// of these the one with the fewest messages is taken.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "coterie/analysis.h"
#include "sim/simulated_experiments.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace choose {
namespace {

constexpr std::size_t kRegions = 3;
constexpr std::size_t kPerRegion = 5;
constexpr std::size_t kMembers = kRegions * kPerRegion;

// One way, in milliseconds: the east of North America, the west of Europe, Japan.
const std::vector<std::vector<double>> kWanMeans = {{0.4, 38, 78}, {38, 0.4, 108}, {78, 108, 0.4}};
constexpr double kLanMean = 0.1;
constexpr double kJitter = 0.1;  // sigma of a log-normal factor of mean 1

struct Candidate {
  std::string_view protocol;
  std::string_view system;   // empty: needs none
  bool takes_groups = true;  // or serves one at a time, whatever the group
  bool is_quorum_based() const { return !system.empty(); }
  std::string text() const {
    return is_quorum_based() ? fmt::format("{}/{}", protocol, system) : std::string(protocol);
  }
};
constexpr std::string_view kGrid = "grid:rows=3,cols=5";
constexpr std::string_view kMajority = "majority:n=15";
constexpr std::string_view kTree = "tree:n=15";
constexpr std::string_view kRegional = "majority:n=3@majority:n=5";
constexpr std::array kCandidates = {
    Candidate{"surrogate+entry", kGrid},
    Candidate{"surrogate+entry", kMajority},
    Candidate{"surrogate+entry", kTree},
    Candidate{"surrogate+entry", kRegional},
    Candidate{"surrogate+no-failed", kTree},
    Candidate{"surrogate+no-failed", kRegional},
    Candidate{"toyomura", kGrid},
    Candidate{"toyomura", kMajority},
    Candidate{"toyomura", kTree},
    Candidate{"toyomura", kRegional},
    Candidate{"maekawa-s", kTree},
    Candidate{"maekawa-s", kRegional},
    Candidate{"maekawa", kTree, false},
    Candidate{"maekawa", kRegional, false},
    Candidate{"ricart-agrawala", "", false},
    Candidate{"suzuki-kasami", "", false},
    Candidate{"raymond", "", false},
    Candidate{"central", "", false},
};

struct Case {
  bool wan = false;
  bool is_long = false;
  bool heavy = false;
  std::uint32_t groups = 2;

  double inside() const { return is_long ? 1000 : 1; }
  // To hand over takes about a round trip between regions, or on the local network.
  double handover() const { return wan ? 100 : 2 * kLanMean; }
  // Of a mutual exclusion: a fifth of what it can serve, or half as much again as that.
  double apart() const {
    return static_cast<double>(kMembers) * (inside() + handover()) / (heavy ? 1.5 : 0.2);
  }
  std::string row() const {
    return fmt::format("{}, {} inside, {} load", wan ? "3 regions" : "LAN",
                       is_long ? "1 s" : "1 ms", heavy ? "heavy" : "light");
  }
  std::string column() const { return fmt::format("{} groups", groups); }
};

std::vector<Case> make_cases(const Effort& effort) {
  std::vector<Case> cases;
  for (const bool wan : {false, true}) {
    for (const bool is_long : {false, true}) {
      for (const bool heavy : {false, true}) {
        if (effort.tiny && (is_long || !heavy)) continue;
        for (const std::uint32_t groups : {2U, 5U, 30U})
          cases.push_back({wan, is_long, heavy, groups});
      }
    }
  }
  return cases;
}

Sites make_sites(bool wan) {
  Sites sites{std::vector<std::uint32_t>(kMembers, 0), {{kLanMean}}};
  if (!wan) return sites;
  sites.means = kWanMeans;
  for (std::size_t i = 0; i < kMembers; ++i) {
    sites.site_of[i] = static_cast<std::uint32_t>(i / kPerRegion);
  }
  return sites;
}

// The quorum that answers soonest: least for the sum of the delays, which a member pays as costs.
std::vector<NodeSet> nearest_quorums(const quorum::System& system, const Sites& sites) {
  constexpr double kCostsPerMillisecond = 1000;
  std::vector<NodeSet> homes;
  for (NodeId self = 0; self < kMembers; ++self) {
    std::vector<quorum::Cost> costs;
    for (NodeId other = 0; other < kMembers; ++other) {
      const double delay = sites.means[sites.site_of[self]][sites.site_of[other]];
      // Among equals the next ones round, so that the work spreads.
      costs.push_back(static_cast<quorum::Cost>(delay * kCostsPerMillisecond) +
                      (other + kMembers - self) % kMembers);
    }
    homes.push_back(system.write().find_quorum(NodeSet::all(kMembers), costs).value());
  }
  return homes;
}

Scenario make_scenario(const Candidate& candidate, const Case& one, std::uint64_t requests) {
  Scenario scenario = candidate.is_quorum_based()
                          ? scenario_of(candidate.protocol, candidate.system)
                          : scenario_of(candidate.protocol, kMembers);
  const Sites sites = make_sites(one.wan);
  if (candidate.is_quorum_based() && one.wan) {
    scenario.setting.homes = nearest_quorums(scenario.setting.system(), sites);
  }
  // A mutual exclusion knows one group only.
  scenario.workload.groups = candidate.takes_groups ? one.groups : 1;
  scenario.workload.requests = requests;
  scenario.workload.apart = Distribution::exponential(one.apart());
  scenario.workload.inside = Distribution::exponential(one.inside());
  scenario.network.delay = Distribution::log_normal(-kJitter * kJitter / 2, kJitter);
  scenario.network.sites = sites;
  return scenario;
}

class Choose {
 public:
  Choose(const Effort& effort, const Progressed& progressed, const std::atomic<bool>& stop)
      : cases_(make_cases(effort)), trials_(effort, by_effort<std::uint64_t>(effort, 2, 4, 6)) {
    const auto requests = by_effort<std::uint64_t>(effort, 2, 20, 80);
    for (const Case& one : cases_) {
      for (const Candidate& candidate : kCandidates) {
        trials_.add(make_scenario(candidate, one, requests),
                    {one.row(), static_cast<std::uint64_t>(one.groups), candidate.text()});
      }
    }
    trials_.run(progressed, stop);
  }

  Report report() const;

 private:
  using Filter = bool (*)(const Candidate&);
  static bool any(const Candidate& /*candidate*/) { return true; }
  static bool leaderless(const Candidate& candidate) { return candidate.is_quorum_based(); }
  static bool yardstick(const Candidate& candidate) { return !candidate.takes_groups; }

  static std::size_t trial(std::size_t at, std::size_t candidate) {
    return at * kCandidates.size() + candidate;
  }
  double waiting(std::size_t at, std::size_t candidate) const {
    return trials_.of(trial(at, candidate), &Measures::waiting_time).mean;
  }
  double messages(std::size_t at, std::size_t candidate) const {
    return trials_.of(trial(at, candidate), &Measures::messages_per_entry_remote).mean;
  }
  bool is_tie(std::size_t at, std::size_t candidate, std::size_t with) const {
    return candidate == with ||
           !is_above(trials_.ratio(trial(at, candidate), trial(at, with), &Measures::waiting_time),
                     1);
  }
  std::size_t best(std::size_t at, Filter filter,
                   std::optional<std::size_t> but = std::nullopt) const;
  bool has_case(std::size_t at) const;

  HeatMap heat_map(std::string name, std::string title, Filter filter) const;
  Sheet table() const;
  Chart ranking(std::size_t at) const;
  Finding groups_pay() const;
  Finding one_for_all() const;

  std::vector<Case> cases_;
  Trials trials_;
};

bool Choose::has_case(std::size_t at) const {
  for (std::size_t i = 0; i < kCandidates.size(); ++i) {
    if (!trials_.is_good(trial(at, i))) return false;
  }
  return true;
}

std::size_t Choose::best(std::size_t at, Filter filter, std::optional<std::size_t> but) const {
  std::vector<std::size_t> in;
  for (std::size_t i = 0; i < kCandidates.size(); ++i) {
    if (filter(kCandidates[i]) && i != but) in.push_back(i);
  }
  const std::size_t quickest = *std::min_element(
      in.begin(), in.end(),
      [&](std::size_t a, std::size_t b) { return waiting(at, a) < waiting(at, b); });
  std::erase_if(in, [&](std::size_t i) { return !is_tie(at, i, quickest); });
  return *std::min_element(in.begin(), in.end(), [&](std::size_t a, std::size_t b) {
    return messages(at, a) < messages(at, b);
  });
}

std::string three_digits(double value) {
  constexpr double kThreeDigits = 100;
  return value < kThreeDigits ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

// The shade: how much of the best mutual exclusion's waiting is left.
HeatMap Choose::heat_map(std::string name, std::string title, Filter filter) const {
  HeatMap map{.name = std::move(name), .title = std::move(title)};
  for (std::size_t at = 0; at < cases_.size(); ++at) {
    if (!has_case(at)) continue;
    const Case& one = cases_[at];
    if (std::find(map.columns.begin(), map.columns.end(), one.column()) == map.columns.end()) {
      map.columns.push_back(one.column());
    }
    if (map.rows.empty() || map.rows.back() != one.row()) {
      map.rows.push_back(one.row());
      map.squares.emplace_back();
    }
    const std::size_t take = best(at, filter);
    const double left = waiting(at, take) / waiting(at, best(at, yardstick));
    map.squares.back().push_back({fmt::format("{}\n{} ms, {:.0f} msg", kCandidates[take].text(),
                                              three_digits(waiting(at, take)), messages(at, take)),
                                  std::min(left, 1.0), std::string(kCandidates[take].protocol)});
  }
  return map;
}

Sheet Choose::table() const {
  Sheet sheet{.name = "choices",
              .title = "What to take: the least waiting, ties by messages",
              .columns = {"case", "groups", "take", "waiting_ms", "waiting_ci95", "messages",
                          "entries_per_s", "inside_together", "runner_up", "runner_up_waits_times",
                          "best_mutex", "best_mutex_waits_times"}};
  constexpr double kMsPerSecond = 1000;
  for (std::size_t at = 0; at < cases_.size(); ++at) {
    if (!has_case(at)) continue;
    const std::size_t take = best(at, any);
    const std::size_t next = best(at, any, take);
    const std::size_t mutex = best(at, yardstick);
    const Mean wait = trials_.of(trial(at, take), &Measures::waiting_time);
    sheet.rows.push_back({cases_[at].row(), static_cast<std::uint64_t>(cases_[at].groups),
                          kCandidates[take].text(), wait.mean, wait.ci95, messages(at, take),
                          kMsPerSecond * trials_.of(trial(at, take), &Measures::throughput).mean,
                          trials_.of(trial(at, take), &Measures::concurrency).mean,
                          kCandidates[next].text(), waiting(at, next) / wait.mean,
                          kCandidates[mutex].text(), waiting(at, mutex) / wait.mean});
  }
  return sheet;
}

// Every candidate in one case.
Chart Choose::ranking(std::size_t at) const {
  Chart chart{.title = fmt::format("{}, {}", cases_[at].row(), cases_[at].column()),
              .x_label = "",
              .y_label = "waiting, ms",
              .bars = true};
  std::vector<At> places;
  for (std::size_t i = 0; i < kCandidates.size(); ++i) {
    chart.x_names.push_back(kCandidates[i].text());
    places.push_back({static_cast<double>(i), trial(at, i)});
  }
  chart.lines.push_back(line_of("mean waiting", trials_, &Measures::waiting_time, places));
  return chart;
}

Finding Choose::groups_pay() const {
  std::size_t heavy = 0;
  std::size_t pays = 0;
  double most = 1;
  for (std::size_t at = 0; at < cases_.size(); ++at) {
    if (!cases_[at].heavy) continue;
    ++heavy;
    const std::size_t take = best(at, any);
    if (kCandidates[take].takes_groups) ++pays;
    most = std::max(most, waiting(at, best(at, yardstick)) / waiting(at, take));
  }
  return {
      "ours", "under heavy load an algorithm that knows groups beats every mutual exclusion",
      fmt::format("in {} of {} cases; the best mutual exclusion waits up to {:.1f} times as long",
                  pays, heavy, most),
      ruling(pays == heavy)};
}

// The candidate whose worst case, relative to the best of each case, is least bad.
Finding Choose::one_for_all() const {
  constexpr double kNearly = 2;
  double least = 0;
  std::size_t take = 0;
  for (std::size_t i = 0; i < kCandidates.size(); ++i) {
    if (!leaderless(kCandidates[i])) continue;
    double worst = 1;
    for (std::size_t at = 0; at < cases_.size(); ++at) {
      worst = std::max(worst, waiting(at, i) / waiting(at, best(at, any)));
    }
    if (least == 0 || worst < least) {
      least = worst;
      take = i;
    }
  }
  return {"ours", "one leaderless choice is nearly the best everywhere (within a factor of two)",
          fmt::format("{}: never more than {:.2f} times the waiting of the best",
                      kCandidates[take].text(), least),
          ruling(least <= kNearly)};
}

Report Choose::report() const {
  Report report{
      .name = "choose",
      .title = "Which algorithm, which quorum system",
      .source = "ours",
      .paragraphs = {
          fmt::format(
              "{} members, each asking in a closed loop. Three regions of {}: {} ms one way "
              "between the first and the second, {} and {} ms to the third, {} ms within "
              "one; or one local network, {} ms. Delays vary by a log-normal factor "
              "(sigma {}). Times are in milliseconds.",
              kMembers, kPerRegion, kWanMeans[0][1], kWanMeans[0][2], kWanMeans[1][2],
              kWanMeans[0][0], kLanMean, kJitter),
          "Time inside is exponential, 1 ms or 1 s. Light load asks for a fifth of what a mutual "
          "exclusion can serve (time inside and a hand-over), heavy load for half as much again as "
          "it can. Between regions each member uses the quorum that is nearest to it.",
          "Taken is the least mean waiting; of those that the runs cannot tell from it (95 %), the "
          "one "
          "with the fewest messages. Mutual exclusions serve one at a time, whatever the group: "
          "they "
          "show what groups buy. Nobody fails here: a coordinator and a token are lost with one "
          "member, a quorum system with more (resilience.csv)."}};
  report.heat_maps.push_back(heat_map(
      "take", "What to take (darker: more is gained over the best mutual exclusion)", any));
  report.heat_maps.push_back(
      heat_map("leaderless", "What to take without a single point of failure", leaderless));
  if (const auto last = cases_.size() - 1; !cases_.empty()) {
    Picture picture{
        .name = "ranking", .title = "Every candidate, heavy load in three regions", .columns = 1};
    for (std::size_t at = last - 2; at <= last; ++at) picture.charts.push_back(ranking(at));
    report.pictures.push_back(std::move(picture));
  }
  report.sheets.push_back(table());
  report.sheets.push_back(
      trials_.sheet("measures", "Every candidate in every case", {"case", "groups", "candidate"}));

  Sheet resilience{.name = "resilience",
                   .title = "How many members may fail, whichever they are",
                   .columns = {"system", "quorum", "survives"}};
  for (const std::string_view spec : {kGrid, kMajority, kTree, kRegional}) {
    const quorum::System system = system_of(spec);
    Budget budget;
    const auto survives = quorum::resilience(system.write(), budget);
    resilience.rows.push_back({std::string(spec),
                               static_cast<std::uint64_t>(system.write().min_size()),
                               static_cast<std::uint64_t>(survives.value_or(0))});
  }
  report.sheets.push_back(std::move(resilience));

  if (!conclude(report, {&trials_})) return report;
  report.findings.push_back(groups_pay());
  report.findings.push_back(one_for_all());
  return report;
}

}  // namespace
}  // namespace choose

Report run_choose(const Effort& effort, const Progressed& progressed,
                  const std::atomic<bool>& stop) {
  return choose::Choose(effort, progressed, stop).report();
}

}  // namespace coterie::sim
