// Tables for a terminal of 80 columns, and plain text when piped.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coterie::cli {

inline constexpr std::size_t kColumns = 80;

// `text` in at most `width` characters: the middle of a long one gives way.
std::string shortened(const std::string& text, std::size_t width);

class Table {
 public:
  // A heading that begins with '<' is of a column of words, aligned left; others are of numbers.
  explicit Table(std::vector<std::string> headings);
  void add(std::vector<std::string> row);
  // One line per row; the first column of words gives way if a line would be too long.
  std::string str() const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  // the headings first
};

}  // namespace coterie::cli
