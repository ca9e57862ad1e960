#include "cli/csv.h"

#include <fmt/format.h>

#include <cmath>

namespace coterie::cli {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

struct Printed {
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(double value) const {
    return std::isfinite(value) ? fmt::format("{:.10g}", value) : "";
  }
  std::string operator()(std::uint64_t value) const { return fmt::format("{}", value); }
};

}  // namespace

std::string csv_text(const sim::Cell& cell) { return std::visit(Printed{}, cell); }

std::string csv_of(const std::vector<std::string>& columns,
                   const std::vector<std::vector<sim::Cell>>& rows) {
  std::string text;
  const auto end_line = [&] {
    text.pop_back();  // the last comma
    text += '\n';
  };
  for (const std::string& column : columns) text += quoted(column) + ",";
  end_line();
  for (const auto& row : rows) {
    for (const sim::Cell& cell : row) text += csv_text(cell) + ",";
    end_line();
  }
  return text;
}

}  // namespace coterie::cli
