#include "cli/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/report_style.h"
#include "cli/svg.h"

namespace coterie::cli {
namespace {

using sim::Ruling;

constexpr std::array kRulings{Ruling::holds, Ruling::differs, Ruling::open};
constexpr std::size_t kMostRows = 24;     // of a sheet that the page shows
constexpr std::size_t kFewRows = 8;       // of a longer one
constexpr std::size_t kMostColumns = 12;  // of a sheet: as many as fit on paper

std::string badge(Ruling ruling, std::string_view text) {
  return fmt::format("<span class=\"ruling {}\">{}</span>", word_of(ruling), escaped(text));
}

std::size_t count_of(const sim::Report& report, Ruling ruling) {
  return static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const sim::Finding& finding) { return finding.ruling == ruling; }));
}

std::string contents(std::span<const Exhibit> exhibits) {
  std::string html =
      "<div class=\"wide\"><table>\n<thead><tr><th>experiment</th><th>from</th>"
      "<th>claims</th></tr></thead>\n<tbody>\n";
  for (const Exhibit& exhibit : exhibits) {
    std::string counts;
    for (const Ruling ruling : kRulings) {
      const std::size_t count = count_of(exhibit.report, ruling);
      if (count > 0) counts += badge(ruling, fmt::format("{} {}", count, word_of(ruling))) + " ";
    }
    if (!exhibit.report.is_complete) counts += "<span class=\"soft\">partial</span>";
    html += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a>: {1}</td><td class=\"soft\">{2}</td><td "
        "class=\"counts\">{3}</td></tr>\n",
        escaped(exhibit.report.name), escaped(exhibit.report.title), escaped(exhibit.report.source),
        counts);
  }
  return html + "</tbody></table></div>\n";
}

std::string claims(const sim::Report& report) {
  if (report.findings.empty()) return "";
  std::string html =
      "<h3>Claims</h3>\n<div class=\"wide\"><table class=\"claims\">\n<thead><tr><th>where</th>"
      "<th>claim</th><th>our figure</th><th>verdict</th></tr></thead>\n<tbody>\n";
  for (const sim::Finding& finding : report.findings) {
    html += fmt::format("<tr><td class=\"where\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        escaped(finding.where), escaped(finding.claim), escaped(finding.found),
                        badge(finding.ruling, word_of(finding.ruling)));
  }
  return html + "</tbody></table></div>\n";
}

struct Shown {
  std::string operator()(const std::string& text) const {
    return fmt::format("<td>{}</td>", escaped(text));
  }
  std::string operator()(double value) const {
    return fmt::format("<td class=\"number\">{}</td>",
                       std::isfinite(value) ? fmt::format("{:.5g}", value) : "");
  }
  std::string operator()(std::uint64_t value) const {
    return fmt::format("<td class=\"number\">{}</td>", value);
  }
};

std::string sheet_table(const sim::Report& report, const sim::Sheet& sheet) {
  const bool is_cut = sheet.rows.size() > kMostRows;
  const std::size_t rows = is_cut ? kFewRows : sheet.rows.size();
  const std::size_t columns = std::min(kMostColumns, sheet.columns.size());
  std::string html =
      fmt::format("<h3>{}</h3>\n<div class=\"wide\"><table class=\"sheet\">\n<thead><tr>",
                  escaped(sheet.title.empty() ? sheet.name : sheet.title));
  for (std::size_t i = 0; i < columns; ++i) {
    const bool is_text = sheet.rows.empty() || i >= sheet.rows.front().size() ||
                         std::holds_alternative<std::string>(sheet.rows.front()[i]);
    std::string heading = sheet.columns[i];
    std::replace(heading.begin(), heading.end(), '_', ' ');
    html += fmt::format("<th{}>{}</th>", is_text ? "" : " class=\"number\"", escaped(heading));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < rows; ++i) {
    html += "<tr>";
    const std::size_t cells = std::min(columns, sheet.rows[i].size());
    for (std::size_t j = 0; j < cells; ++j) html += std::visit(Shown{}, sheet.rows[i][j]);
    html += "</tr>\n";
  }
  std::string more =
      is_cut ? fmt::format("the first {} of {} rows; ", rows, sheet.rows.size()) : "";
  if (columns < sheet.columns.size())
    more += fmt::format("the first {} of {} columns; ", columns, sheet.columns.size());
  return html + fmt::format(
                    "</tbody></table></div>\n<p class=\"soft\">{}all of it: "
                    "<a href=\"{}/{}.csv\">{}.csv</a></p>\n",
                    more, escaped(report.name), escaped(sheet.name), escaped(sheet.name));
}

std::string section(const Exhibit& exhibit) {
  const sim::Report& report = exhibit.report;
  std::string html = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"soft\">{}: {}</p>\n",
                                 escaped(report.name), escaped(report.title), escaped(report.name),
                                 escaped(report.source));
  if (!report.is_complete)
    html += "<p class=\"partial\">Interrupted: this is what was finished by then.</p>\n";
  for (const std::string& paragraph : report.paragraphs)
    html += fmt::format("<p>{}</p>\n", escaped(paragraph));
  html += claims(report);
  for (const std::string& drawn : exhibit.drawn)
    html += fmt::format("<figure>\n{}</figure>\n", drawn);
  for (const sim::Sheet& sheet : report.sheets) html += sheet_table(report, sheet);
  return html +
         fmt::format("<h3>Again</h3>\n<pre>{}</pre>\n</section>\n", escaped(exhibit.command));
}

}  // namespace

std::string_view word_of(Ruling ruling) {
  switch (ruling) {
    case Ruling::holds:
      return "holds";
    case Ruling::differs:
      return "differs";
    case Ruling::open:
      return "open";
  }
  return "";
}

std::string tally(const std::vector<const sim::Report*>& reports) {
  std::array<std::size_t, kRulings.size()> counts{};
  for (const sim::Report* report : reports) {
    for (std::size_t i = 0; i < kRulings.size(); ++i) counts[i] += count_of(*report, kRulings[i]);
  }
  return fmt::format("{} {}, {} {}, {} open", counts[0], counts[0] == 1 ? "holds" : "hold",
                     counts[1], counts[1] == 1 ? "differs" : "differ", counts[2]);
}

std::string page_of(std::span<const Exhibit> exhibits) {
  std::vector<const sim::Report*> reports;
  std::size_t claim_count = 0;
  for (const Exhibit& exhibit : exhibits) {
    reports.push_back(&exhibit.report);
    claim_count += exhibit.report.findings.size();
  }
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Coterie: the papers' experiments, run again</title>\n<style>{}</style>\n</head>\n"
      "<body>\n<h1>The papers' experiments, run again</h1>\n"
      "<p>What the papers claim, what the same algorithms do here, and whether the two agree. "
      "Every verdict follows from computed numbers. Of {} claims: {}.</p>\n",
      kReportStyle, claim_count, tally(reports));
  html += contents(exhibits);
  for (const Exhibit& exhibit : exhibits) html += section(exhibit);
  return html + "</body>\n</html>\n";
}

}  // namespace coterie::cli
