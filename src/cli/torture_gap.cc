#include "cli/torture_gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "sim/torture_gap.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using sim::torture::Gaps;
using sim::torture::GapScene;
using sim::torture::Involved;

constexpr std::array kScenes{
    GapScene{.delay = 0.0001, .is_noticed = true}, GapScene{.delay = 0.0001, .is_noticed = false},
    GapScene{.delay = 0.0005, .is_noticed = true}, GapScene{.delay = 0.0005, .is_noticed = false}};

struct Row {
  Involved involved{};
  std::size_t names = 0;
  double median = 0;  // seconds
  double longest = 0;
};

std::vector<Row> rows_of(const Gaps& gaps) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < gaps.longest.size(); ++i) {
    std::vector<double> sorted = gaps.longest[i];
    if (sorted.empty()) continue;
    std::sort(sorted.begin(), sorted.end());
    rows.push_back(
        {static_cast<Involved>(i), sorted.size(), sorted[sorted.size() / 2], sorted.back()});
  }
  return rows;
}

std::string_view text_of_crash(const GapScene& scene) {
  return scene.is_noticed ? "process" : "machine";
}

std::string in_milliseconds(double seconds) { return fmt::format("{:.1f}", seconds * 1000); }

ordered_json json_of(const GapScene& scene, const Gaps& gaps) {
  ordered_json names = ordered_json::array();
  for (const Row& row : rows_of(gaps)) {
    names.push_back({{"dead_member", text_of(row.involved)},
                     {"names", row.names},
                     {"median_gap", row.median},
                     {"longest_gap", row.longest}});
  }
  return {{"delay", scene.delay},
          {"crash", text_of_crash(scene)},
          {"longest_gap_before", gaps.before},
          {"entries", gaps.entries},
          {"holds_lost", gaps.lost},
          {"names", names}};
}

void print(const std::vector<Gaps>& all) {
  Table table(
      {"delay ms", "<crash of a", "<the dead member had", "names", "median ms", "longest ms"});
  std::uint64_t lost = 0;
  double before = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    lost += all[i].lost;
    before = std::max(before, all[i].before);
    for (const Row& row : rows_of(all[i])) {
      table.add({in_milliseconds(kScenes[i].delay), std::string(text_of_crash(kScenes[i])),
                 std::string(text_of(row.involved)), fmt::format("{}", row.names),
                 in_milliseconds(row.median), in_milliseconds(row.longest)});
    }
  }
  fmt::print(
      "{}",
      wrapped(fmt::format("The longest time without an entry to a name, from the crash of one of "
                          "five members on; lease {:.3g} s, suspected after {:.3g} s.",
                          all.front().lease, all.front().suspect_after),
              0));
  fmt::print("\n{}\n", table.str());
  fmt::print("longest before the crash: {} ms\nholds that clients of others lost: {}\n",
             in_milliseconds(before), lost);
}

}  // namespace

void run_torture_gap(std::uint64_t first_seed, std::uint64_t seeds, bool as_json) {
  interrupted();  // from here on Ctrl-C ends the runs, not the program
  std::vector<Gaps> all;
  Progress progress("scene", kScenes.size());
  for (const GapScene& scene : kScenes) {
    progress.advance(fmt::format("delay {} ms, crash of a {}", in_milliseconds(scene.delay),
                                 text_of_crash(scene)));
    all.push_back(measure_gaps(scene, first_seed, seeds, interruption()));
  }
  if (!as_json) return print(all);
  ordered_json scenes = ordered_json::array();
  for (std::size_t i = 0; i < all.size(); ++i) scenes.push_back(json_of(kScenes[i], all[i]));
  print_json({{"first_seed", first_seed},
              {"seeds", seeds},
              {"complete", !interrupted()},
              {"lease", all.front().lease},
              {"suspect_after", all.front().suspect_after},
              {"scenes", scenes}});
}

}  // namespace coterie::cli
