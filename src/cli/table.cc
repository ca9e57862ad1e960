#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace coterie::cli {

std::string shortened(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  if (width <= 3) return text.substr(0, width);
  const std::size_t head = (width - 2 + 1) / 2;
  return text.substr(0, head) + ".." + text.substr(text.size() - (width - 2 - head));
}

Table::Table(std::vector<std::string> headings) {
  for (std::string& heading : headings) {
    left_.push_back(heading.starts_with('<'));
    if (left_.back()) heading.erase(0, 1);
  }
  rows_.push_back(std::move(headings));
}

void Table::add(std::vector<std::string> row) {
  COTERIE_ASSERT(row.size() == left_.size());
  rows_.push_back(std::move(row));
}

std::string Table::str() const {
  constexpr std::size_t kGap = 2;
  constexpr std::size_t kLeastWords = 12;
  std::vector<std::size_t> widths(left_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  const std::size_t total =
      std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
  const auto words =
      static_cast<std::size_t>(std::find(left_.begin(), left_.end(), true) - left_.begin());
  if (total > kColumns && words < widths.size()) {
    const std::size_t over = std::min(total - kColumns, widths[words]);
    widths[words] = std::max(std::min(kLeastWords, widths[words]), widths[words] - over);
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = shortened(row[i], widths[i]);
      if (i > 0) line.append(kGap, ' ');
      line += left_[i] ? fmt::format("{:<{}}", cell, widths[i])
                       : fmt::format("{:>{}}", cell, widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace coterie::cli
