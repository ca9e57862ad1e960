#include "cli/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/svg.h"

namespace coterie::cli {
namespace {

// In pixels.
constexpr double kFont = 13;
constexpr double kTitleFont = 16;
constexpr double kPad = 14;
constexpr double kLine = 17;
constexpr double kLeastCell = 96;
constexpr double kMostCell = 170;
constexpr double kMostHead = 240;

using Lines = std::vector<std::string>;

// Broken where the text says so, and at blanks where a line would be too wide.
Lines lines_of(std::string_view text, double width) {
  Lines lines{""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string word(text.substr(0, end));
    if (!lines.back().empty() && width_of(lines.back() + " " + word, kFont) > width) {
      lines.push_back(word);
    } else {
      lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
    if (end == text.size()) break;
    if (text[end] == '\n') lines.emplace_back();
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Of a text that is broken wherever it can be.
double widest_word(const std::vector<std::string>& texts) {
  double width = 0;
  for (const std::string& text : texts) {
    for (const std::string& word : lines_of(text, 0))
      width = std::max(width, width_of(word, kFont));
  }
  return width;
}

double widest(const std::vector<std::string>& texts) {
  double width = 0;
  for (const std::string& text : texts) width = std::max(width, width_of(text, kFont));
  return width;
}

// White mixed with the colour: dark text stays legible on it, on paper of any colour.
std::string tinted(std::string_view colour, double share) {
  std::string out = "#";
  for (std::size_t i = 1; i < colour.size(); i += 2) {
    int part = 0;
    std::from_chars(colour.data() + i, colour.data() + i + 2, part, 16);
    out += fmt::format("{:02x}", std::lround(255 + (part - 255) * share));
  }
  return out;
}

class Drawing {
 public:
  explicit Drawing(const sim::HeatMap& map) : map_(map) {
    for (const auto& row : map.squares) {
      for (const auto& square : row) {
        if (std::find(groups_.begin(), groups_.end(), square.group) == groups_.end())
          groups_.push_back(square.group);
      }
    }
    std::vector<std::string> texts = map.columns;
    for (const auto& row : map.squares) {
      for (const auto& square : row) texts.push_back(square.text);
    }
    head_ = std::min(widest(map.rows) + 16, kMostHead);
    cell_ =
        std::max(std::clamp(widest(texts) + 16, kLeastCell, kMostCell), widest_word(texts) + 16);
  }

  std::string svg() {
    const double width = 2 * kPad + head_ + cell_ * static_cast<double>(map_.columns.size());
    double y = kPad;
    for (const std::string& line : title_lines(width)) {
      text(kPad, y + kTitleFont, "start", line,
           fmt::format("font-size='{}' font-weight='600'", kTitleFont));
      y += kTitleFont + 6;
    }
    y = draw_columns(y + 6);
    for (std::size_t i = 0; i < map_.rows.size(); ++i) y = draw_row(i, y);
    y = draw_key(y + 12, width);
    return svg_file(map_.title, width, y + kPad, svg_);
  }

 private:
  Lines title_lines(double width) const {
    return map_.title.empty() ? Lines{} : lines_of(map_.title, (width - 2 * kPad) * 0.78);
  }

  double x_of(std::size_t column) const {
    return kPad + head_ + cell_ * static_cast<double>(column);
  }

  void text(double x, double y, std::string_view anchor, std::string_view text,
            std::string_view more = "") {
    svg_ += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' {}>{}</text>\n", x, y, anchor,
                        more, escaped(text));
  }

  // In the middle of what begins at y and is so high.
  void block(double x, double y, double height, std::string_view anchor, const Lines& lines,
             std::string_view more = "") {
    double at = y + (height - static_cast<double>(lines.size()) * kLine) / 2 + kLine * 0.75;
    for (const std::string& line : lines) {
      text(x, at, anchor, line, more);
      at += kLine;
    }
  }

  double draw_columns(double y) {
    std::vector<Lines> heads;
    std::size_t most = 1;
    for (const std::string& name : map_.columns) {
      heads.push_back(lines_of(name, cell_ - 10));
      most = std::max(most, heads.back().size());
    }
    const double height = static_cast<double>(most) * kLine + 8;
    for (std::size_t i = 0; i < heads.size(); ++i)
      block(x_of(i) + cell_ / 2, y, height, "middle", heads[i], "font-weight='600'");
    return y + height;
  }

  double draw_row(std::size_t row, double y) {
    const auto& squares = map_.squares[row];
    const Lines head = lines_of(map_.rows[row], head_ - 12);
    std::size_t most = head.size();
    std::vector<Lines> texts;
    for (const auto& square : squares) {
      texts.push_back(lines_of(square.text, cell_ - 10));
      most = std::max(most, texts.back().size());
    }
    const double height = static_cast<double>(most) * kLine + 14;
    block(kPad + head_ - 10, y, height, "end", head);
    for (std::size_t i = 0; i < squares.size(); ++i) {
      svg_ += fmt::format(
          "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='3' fill='{}'/>\n",
          x_of(i) + 1, y + 1, cell_ - 2, height - 2,
          tinted(colour_of(squares[i].group), 0.62 - 0.47 * std::clamp(squares[i].value, 0., 1.)));
      block(x_of(i) + cell_ / 2, y, height, "middle", texts[i], "fill='#111111'");
    }
    return y + height;
  }

  double draw_key(double y, double width) {
    if (groups_.size() < 2) return y;
    double x = kPad;
    for (const std::string& group : groups_) {
      const double needs = 24 + width_of(group, kFont) + 20;
      if (x + needs > width && x > kPad) {
        x = kPad;
        y += kLine + 5;
      }
      svg_ += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='17' height='13' fill='{}'/>\n", x, y,
                          tinted(colour_of(group), 0.62));
      text(x + 24, y + 11, "start", group);
      x += needs;
    }
    return y + kLine;
  }

  std::string_view colour_of(const std::string& group) const {
    const auto at = std::find(groups_.begin(), groups_.end(), group) - groups_.begin();
    return kPalette[static_cast<std::size_t>(at) % kPalette.size()];
  }

  const sim::HeatMap& map_;
  std::vector<std::string> groups_;
  double head_ = 0;
  double cell_ = 0;
  std::string svg_;
};

}  // namespace

std::string draw_heat_map(const sim::HeatMap& map) { return Drawing(map).svg(); }

}  // namespace coterie::cli
