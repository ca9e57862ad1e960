// Tables for a terminal of 80 columns, and plain text when piped: nothing is cut that a program may read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coterie::cli {

inline constexpr std::size_t kColumns = 80;

// "1 member", "2 members".
std::string counted(std::size_t count, const std::string& noun);

// `text` in at most `width` characters: the middle of a long one gives way.
std::string shortened(const std::string& text, std::size_t width);

// How many columns a line of standard output may have: no matter how many, unless it is a terminal.
std::size_t most_columns();

// Shortened if standard output is a terminal, and else whole: rows that are cut may look alike.
std::string cut_for_terminal(const std::string& text, std::size_t width);

// In at most `width` characters; the end of a long one gives way.
std::string begun(const std::string& text, std::size_t width);

// `text` in lines of at most so many columns, broken at spaces; every line but the first is indented.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns = kColumns);

// The command on lines of 80 columns that a shell takes as one, the first after `indent` columns.
std::string text_of_command(const std::string& command, std::size_t indent);

class Table {
 public:
  // A heading that begins with '<' is of a column of words, aligned left; others are of numbers.
  explicit Table(std::vector<std::string> headings);
  void add(std::vector<std::string> row);
  // One line per row; the widest column of words gives way if a line would be too long for a terminal.
  std::string str() const;
  // Whether no column has to give way.
  bool fits() const;

 private:
  static constexpr std::size_t kGap = 2;

  std::vector<std::size_t> widths() const;

  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  // the headings first
};

}  // namespace coterie::cli
