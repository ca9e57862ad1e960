#include "cli/table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "base/assert.h"

namespace coterie::cli {

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

namespace {

// Within a character of several bytes, which stays whole, or goes.
bool continues(const std::string& text, std::size_t at) {
  return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
}

bool is_terminal() {
  static const bool is_one = ::isatty(STDOUT_FILENO) == 1;
  return is_one;
}

std::size_t dots_in(std::size_t width) { return width <= 3 ? 0 : 2; }

}  // namespace

std::string shortened(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  const std::size_t dots = dots_in(width);
  std::size_t head = (width - dots + 1) / 2;
  std::size_t tail = text.size() - (width - dots - head);
  while (head > 0 && continues(text, head)) --head;
  while (tail < text.size() && continues(text, tail)) ++tail;
  return text.substr(0, head) + std::string(dots, '.') + text.substr(tail);
}

std::size_t most_columns() {
  return is_terminal() ? kColumns : std::numeric_limits<std::size_t>::max();
}

std::string cut_for_terminal(const std::string& text, std::size_t width) {
  return is_terminal() ? shortened(text, width) : text;
}

std::string begun(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  const std::size_t dots = dots_in(width);
  std::size_t head = width - dots;
  while (head > 0 && continues(text, head)) --head;
  return text.substr(0, head) + std::string(dots, '.');
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::string line;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (line.size() > indent && line.size() + 1 + word.size() > columns) {
      out += line + "\n";
      line.assign(indent, ' ');
    } else if (start != 0) {
      line += ' ';
    }
    line += word;
    start = end + 1;
  }
  return out + line + "\n";
}

std::string text_of_command(const std::string& command, std::size_t indent) {
  constexpr std::string_view kMore = " \\";
  std::string text;
  std::size_t column = indent;
  bool is_quoted = false;
  for (std::size_t start = 0; start < command.size();) {
    std::size_t end = start;
    for (; end < command.size() && (is_quoted || command[end] != ' '); ++end)
      if (command[end] == '\'') is_quoted = !is_quoted;
    const std::string word = command.substr(start, end - start);
    if (start > 0 && column + 1 + word.size() + kMore.size() > kColumns) {
      text += fmt::format("{}\n{:{}}", kMore, "", indent + 2);
      column = indent + 2;
    } else if (start > 0) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
    start = end + 1;
  }
  return text;
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

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths(left_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

bool Table::fits() const {
  const std::vector<std::size_t> all = widths();
  return std::accumulate(all.begin(), all.end(), kGap * (all.size() - 1)) <= kColumns;
}

std::string Table::str() const {
  constexpr std::size_t kLeastWords = 12;
  std::vector<std::size_t> widths = this->widths();
  const std::size_t total =
      std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
  std::size_t words = widths.size();
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (left_[i] && (words == widths.size() || widths[i] > widths[words])) words = i;
  }
  if (is_terminal() && total > kColumns && words < widths.size()) {
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
