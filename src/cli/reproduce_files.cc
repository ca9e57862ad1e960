#include "cli/reproduce_files.h"

#include "cli/chart.h"
#include "cli/csv.h"
#include "cli/heat_map.h"
#include "cli/output.h"

namespace coterie::cli {
namespace {

std::string claims_csv(const sim::Report& report) {
  std::vector<std::vector<sim::Cell>> rows;
  rows.reserve(report.findings.size());
  for (const sim::Finding& finding : report.findings) {
    rows.push_back(
        {finding.where, finding.claim, std::string(word_of(finding.ruling)), finding.found});
  }
  return csv_of({"where", "claim", "verdict", "found"}, rows);
}

}  // namespace

void write_files(Exhibit& exhibit, const std::filesystem::path& out) {
  const sim::Report& report = exhibit.report;
  make_folder(out / report.name);
  const auto write = [&](const std::string& name, const std::string& text) {
    exhibit.files.push_back(report.name + "/" + name);
    write_file(out / exhibit.files.back(), text);
  };
  for (const sim::Sheet& sheet : report.sheets)
    write(sheet.name + ".csv", csv_of(sheet.columns, sheet.rows));
  if (!report.findings.empty()) write("claims.csv", claims_csv(report));
  const auto draw = [&](const std::string& name, std::string svg) {
    write(name + ".svg", svg);
    exhibit.drawn.push_back(std::move(svg));
  };
  for (const sim::Picture& picture : report.pictures) draw(picture.name, draw_picture(picture));
  for (const sim::HeatMap& map : report.heat_maps) draw(map.name, draw_heat_map(map));
}

}  // namespace coterie::cli
