#include "cli/reproduce_cohorts.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/plot.h"
#include "cli/table.h"
#include "sim/cohorts_experiment.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;

// A file of comma-separated values; complete when the program says so, or an error.
class Csv {
 public:
  Csv(const std::filesystem::path& path, const std::string& headings) : path_(path), file_(path) {
    file_ << headings << '\n';
  }
  void add(const std::string& row) { file_ << row << '\n'; }
  std::string close() {
    file_.close();
    if (!file_) throw Failure(fmt::format("cannot write '{}'", path_.string()), kExitFound);
    return path_.string();
  }

 private:
  std::filesystem::path path_;
  std::ofstream file_;
};

std::string csv_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

Figure figure_of(const std::vector<sim::Figure2Panel>& panels) {
  Figure figure{.title = "(k,h)-availability of 53 sites: cohorts and k-majority",
                .rows = static_cast<int>(sim::kCohortsMaxK),
                .columns = static_cast<int>(sim::kCohortsMaxK),
                .panel_width = 300,
                .panel_height = 230};
  std::size_t next = 0;
  for (std::size_t k = 1; k <= sim::kCohortsMaxK; ++k) {
    for (std::size_t h = 1; h <= sim::kCohortsMaxK; ++h) {
      if (h > k) {
        figure.panels.push_back({.empty = true});
        continue;
      }
      const sim::Figure2Panel& data = panels[next++];
      const bool first = data.k == 1;
      Curve cohorts{.title = first ? "cohorts" : "", .colour = 0};
      Curve rival{.title = first ? "k-majority" : "", .colour = 1, .dashed = true};
      for (std::size_t i = 0; i < data.up.size(); ++i) {
        cohorts.points.emplace_back(data.up[i], data.cohorts[i]);
        rival.points.emplace_back(data.up[i], data.k_majority[i]);
      }
      figure.panels.push_back({.title = fmt::format("({},{})-availability", data.k, data.h),
                               .x_label = k == sim::kCohortsMaxK ? "a site is up" : "",
                               .curves = {cohorts, rival},
                               .x_range = {{0, 1}},
                               .y_range = {{0, 1}}});
    }
  }
  return figure;
}

struct CohortsResults {
  std::vector<sim::Table1Row> table;
  std::vector<sim::Figure2Panel> panels;
  std::vector<sim::ExpectedSizeRow> sizes;
  std::vector<sim::ChoiceRow> choices;
  std::vector<sim::Claim> claims;
};

std::vector<std::string> write_files(const CohortsResults& results,
                                     const std::filesystem::path& folder) {
  std::vector<std::string> files;
  Csv table(folder / "table1.csv", "k,structure,cohorts_min,cohorts_max,k_majority");
  for (const auto& row : results.table) {
    table.add(fmt::format("{},{},{},{},{}", row.k, csv_quoted(row.structure), row.cohorts_min,
                          row.cohorts_max, row.k_majority));
  }
  files.push_back(table.close());

  Csv figure(folder / "figure2.csv", "k,h,p,cohorts,k_majority");
  Csv crossings(folder / "crossings.csv", "k,h,p,better_below");
  for (const auto& panel : results.panels) {
    for (std::size_t i = 0; i < panel.up.size(); ++i) {
      figure.add(fmt::format("{},{},{:.6g},{:.12g},{:.12g}", panel.k, panel.h, panel.up[i],
                             panel.cohorts[i], panel.k_majority[i]));
    }
    bool cohorts_below = panel.cohorts_first;
    for (const double at : panel.crossings) {
      crossings.add(fmt::format("{},{},{:.9f},{}", panel.k, panel.h, at,
                                cohorts_below ? "cohorts" : "k-majority"));
      cohorts_below = !cohorts_below;
    }
  }
  files.push_back(figure.close());
  files.push_back(crossings.close());

  Csv sizes(folder / "expected_size.csv", "k,s,f,l,recursion,closed_form,limit");
  for (const auto& row : results.sizes) {
    sizes.add(fmt::format("{},{},{:.6g},{},{:.12g},{:.12g},{:.12g}", row.k, row.s, row.f, row.l,
                          row.recursion, row.closed_form, row.limit));
  }
  files.push_back(sizes.close());

  Csv choices(folder / "choices.csv", "k,h,p,exact,get_quorum_as_printed,sparing");
  for (const auto& row : results.choices) {
    choices.add(fmt::format("{},{},{:.6g},{:.9f},{:.6f},{:.6f}", row.k, row.h, row.up, row.exact,
                            row.as_printed, row.sparing));
  }
  files.push_back(choices.close());

  Csv claims(folder / "claims.csv", "section,claim,holds,found");
  for (const auto& claim : results.claims) {
    claims.add(fmt::format("{},{},{},{}", csv_quoted(claim.section), csv_quoted(claim.printed),
                           claim.holds ? "yes" : "no", csv_quoted(claim.found)));
  }
  files.push_back(claims.close());

  const std::string picture = (folder / "figure2.svg").string();
  if (const auto error = draw(figure_of(results.panels), picture))
    throw Failure(error->message, kExitFound);
  files.push_back(picture);
  return files;
}

void print_results(const CohortsResults& results) {
  fmt::print("Cohorts (Jiang and Huang), 53 sites\n\nTable 1: quorum sizes\n");
  Table table({"k", "<structure", "cohorts min", "max", "k-majority"});
  for (const auto& row : results.table) {
    table.add({fmt::format("{}", row.k), row.structure, fmt::format("{}", row.cohorts_min),
               fmt::format("{}", row.cohorts_max), fmt::format("{}", row.k_majority)});
  }
  fmt::print("{}\nQuorums taken one after another, a site is up 0.9\n", table.str());
  Table choices({"k", "h", "h disjoint are up", "Get_Quorum as printed", "sparing choice"});
  for (const auto& row : results.choices) {
    choices.add({fmt::format("{}", row.k), fmt::format("{}", row.h),
                 fmt::format("{:.6f}", row.exact), fmt::format("{:.4f}", row.as_printed),
                 fmt::format("{:.4f}", row.sparing)});
  }
  fmt::print("{}\nClaims\n", choices.str());
  for (const auto& claim : results.claims) {
    const std::string verdict = claim.holds ? "true " : "FALSE";
    fmt::print("{}", wrapped(fmt::format("{}  {}: {}.", verdict, claim.section, claim.printed), 7));
    fmt::print("{}", wrapped("       " + claim.found, 7));
  }
}

ordered_json to_json(const CohortsResults& results, const std::vector<std::string>& files) {
  ordered_json json{{"experiment", "cohorts"}, {"claims", ordered_json::array()}};
  for (const auto& claim : results.claims) {
    json["claims"].push_back({{"section", claim.section},
                              {"claim", claim.printed},
                              {"holds", claim.holds},
                              {"found", claim.found}});
  }
  json["crossings"] = ordered_json::array();
  for (const auto& panel : results.panels) {
    json["crossings"].push_back(
        {{"k", panel.k},
         {"h", panel.h},
         {"p", panel.crossings},
         {"better_at_first", panel.cohorts_first ? "cohorts" : "k-majority"}});
  }
  json["choices"] = ordered_json::array();
  for (const auto& row : results.choices) {
    json["choices"].push_back({{"k", row.k},
                               {"h", row.h},
                               {"p", row.up},
                               {"exact", row.exact},
                               {"as_printed", row.as_printed},
                               {"sparing", row.sparing}});
  }
  json["files"] = files;
  return json;
}

std::filesystem::path make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw Failure(
        fmt::format("cannot make the folder '{}': {}", folder.string(), failed.message()));
  return folder;
}

}  // namespace

void reproduce_cohorts(const ReproduceOptions& options) {
  for (const double f : options.fractions) {
    if (!(f > 0 && f <= 1))
      throw Failure(fmt::format("--fractions must be above 0 and at most 1, not {}", f));
  }
  constexpr double kUp = 0.9;
  const std::filesystem::path folder = make_folder(std::filesystem::path(options.out) / "cohorts");
  CohortsResults results{.table = sim::table_1(),
                         .panels = sim::figure_2(options.points),
                         .sizes = sim::expected_sizes(options.fractions, options.levels),
                         .choices = sim::compare_choices(kUp, options.samples, options.seed),
                         .claims = {}};
  results.claims = sim::judge_claims(results.panels);
  const std::vector<std::string> files = write_files(results, folder);
  if (options.json) {
    print_json(to_json(results, files));
    return;
  }
  print_results(results);
  fmt::print("\nwritten: {}\nreplay: coterie reproduce cohorts --seed {} --samples {}\n",
             fmt::join(files, "\n         "), options.seed, options.samples);
}

}  // namespace coterie::cli
