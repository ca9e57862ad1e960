// Jiang and Huang's Section 5 as a report.
#include <fmt/format.h>

#include <array>

#include "sim/cohorts_experiment.h"

namespace coterie::sim {
namespace {

constexpr double kUp = 0.9;  // of a site, where quorums are taken one after another

Sheet table_1_sheet() {
  Sheet sheet{.name = "table1",
              .title = "Table 1: sizes of quorums, 53 sites",
              .columns = {"k", "structure", "cohorts_min", "cohorts_max", "k_majority"},
              .rows = {}};
  for (const Table1Row& row : table_1()) {
    sheet.rows.push_back({row.k, row.structure, row.cohorts_min, row.cohorts_max, row.k_majority});
  }
  return sheet;
}

Sheet figure_2_sheet(const std::vector<Figure2Panel>& panels) {
  Sheet sheet{.name = "figure2",
              .title = "Figure 2: (k,h)-availability where a site is up with probability p",
              .columns = {"k", "h", "p", "cohorts", "k_majority"},
              .rows = {}};
  for (const Figure2Panel& panel : panels) {
    for (std::size_t i = 0; i < panel.up.size(); ++i) {
      sheet.rows.push_back({panel.k, panel.h, panel.up[i], panel.cohorts[i], panel.k_majority[i]});
    }
  }
  return sheet;
}

Sheet crossings_sheet(const std::vector<Figure2Panel>& panels) {
  Sheet sheet{.name = "crossings",
              .title = "Where the curves of Figure 2 cross, and who is better below",
              .columns = {"k", "h", "p", "better_below"},
              .rows = {}};
  for (const Figure2Panel& panel : panels) {
    bool cohorts_below = panel.cohorts_first;
    for (const double at : panel.crossings) {
      sheet.rows.push_back(
          {panel.k, panel.h, at, std::string(cohorts_below ? "cohorts" : "k-majority")});
      cohorts_below = !cohorts_below;
    }
  }
  return sheet;
}

Sheet sizes_sheet() {
  constexpr std::array kFractions{0.25, 0.5, 0.75, 1.0};
  constexpr std::size_t kLevels = 50;
  Sheet sheet{.name = "expected_size",
              .title = "The expected size ES(l) of a quorum, k = 2",
              .columns = {"k", "s", "f", "l", "recursion", "closed_form", "limit"},
              .rows = {}};
  for (const ExpectedSizeRow& row : expected_sizes(kFractions, kLevels)) {
    sheet.rows.push_back({row.k, row.s, row.f, row.l, row.recursion, row.closed_form, row.limit});
  }
  return sheet;
}

Sheet choices_sheet(const Effort& effort) {
  const std::uint64_t samples = effort.quick ? 2'000 : 20'000;
  Sheet sheet{.name = "choices",
              .title = fmt::format("How often h quorums can be taken one after another, a site is "
                                   "up {}; {} draws",
                                   kUp, samples),
              .columns = {"k", "h", "p", "exact", "get_quorum_as_printed", "sparing"},
              .rows = {}};
  for (const ChoiceRow& row : compare_choices(kUp, samples, effort.seed)) {
    sheet.rows.push_back({row.k, row.h, row.up, row.exact, row.as_printed, row.sparing});
  }
  return sheet;
}

Picture figure_2_picture(const std::vector<Figure2Panel>& panels) {
  Picture picture{.name = "figure2",
                  .title = "(k,h)-availability of 53 sites: cohorts and k-majority",
                  .columns = kCohortsMaxK,
                  .charts = {}};
  std::size_t next = 0;
  for (std::size_t k = 1; k <= kCohortsMaxK; ++k) {
    for (std::size_t h = 1; h <= kCohortsMaxK; ++h) {
      Chart& chart = picture.charts.emplace_back();
      if (h > k) continue;  // an empty place
      const Figure2Panel& data = panels[next++];
      Line cohorts{.title = "cohorts", .dots = {}};
      Line rival{.title = "k-majority", .dots = {}, .dashed = true};
      for (std::size_t i = 0; i < data.up.size(); ++i) {
        cohorts.dots.push_back({.x = data.up[i], .y = data.cohorts[i]});
        rival.dots.push_back({.x = data.up[i], .y = data.k_majority[i]});
      }
      chart.title = fmt::format("({},{})-availability", k, h);
      chart.x_label = k == kCohortsMaxK ? "a site is up" : "";
      chart.lines = {std::move(cohorts), std::move(rival)};
    }
  }
  return picture;
}

}  // namespace

Report run_cohorts(const Effort& effort, const Progressed& progressed,
                   const std::atomic<bool>& stop) {
  Report report{
      .name = "cohorts",
      .title = "Cohorts: quorums for k at once",
      .source =
          "Jiang and Huang, Fault-Tolerant Distributed k-Mutual Exclusion with Constant "
          "Expected Message Cost",
      .paragraphs = {"Section 5 computed again, exactly: the sizes of quorums and the probability "
                     "that h disjoint ones are up, for 53 sites, against k-majority. \"Almost "
                     "every p\" is taken as 90 % of (0,1).",
                     "The availability that the paper computes is not what its Get_Quorum attains "
                     "when it is called again and again, since it starves the next call; taking a "
                     "quorum out of a packing of as many as there are attains it: see choices."},
      .findings = {},
      .sheets = {table_1_sheet()},
      .pictures = {},
      .heat_maps = {}};
  const std::vector<Figure2Panel> panels = figure_2(effort.quick ? 51 : 201);
  report.findings = judge_claims(panels);
  report.sheets.push_back(figure_2_sheet(panels));
  report.sheets.push_back(crossings_sheet(panels));
  report.sheets.push_back(sizes_sheet());
  report.pictures.push_back(figure_2_picture(panels));
  progressed(0.5);
  report.is_complete = !stop;
  if (report.is_complete) report.sheets.push_back(choices_sheet(effort));
  progressed(1);
  return report;
}

}  // namespace coterie::sim
