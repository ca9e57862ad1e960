#include "cli/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "cli/chart_axis.h"
#include "cli/svg.h"

namespace coterie::cli {
namespace {

using sim::Chart;
using sim::Dot;
using sim::Line;

// In pixels.
constexpr double kFont = 13;
constexpr double kTitleFont = 16;
constexpr double kKeyRow = 22;
constexpr double kPad = 14;
constexpr std::size_t kMarkedDots = 24;  // a line of more is drawn without marks

struct Size {
  double width = 0;
  double height = 0;
};

Size panel_size(std::size_t columns) {
  if (columns <= 1) return {660, 400};
  if (columns == 2) return {470, 330};
  return columns == 3 ? Size{400, 290} : Size{320, 250};
}

// Names that do not fit side by side stand upright, and need so much more height.
double upright_names(const Chart& chart, double width) {
  double widest = 0;
  for (const std::string& name : chart.x_names) widest = std::max(widest, width_of(name, kFont));
  constexpr double kAxis = 60;  // what the panel has beside its bars, at least
  const double place =
      (width - kAxis) / static_cast<double>(std::max<std::size_t>(1, chart.x_names.size()));
  return widest + 6 > place ? widest : 0;
}

// How the lines of one title look, in every panel.
struct Style {
  std::string title;
  std::string colour;
  std::size_t mark = 0;
  bool dashed = false;
};

std::vector<Style> styles_of(const sim::Picture& picture) {
  std::vector<Style> styles;
  for (const Chart& chart : picture.charts) {
    for (const Line& line : chart.lines) {
      if (std::any_of(styles.begin(), styles.end(),
                      [&](const Style& style) { return style.title == line.title; })) {
        continue;
      }
      const std::size_t index = styles.size();
      const bool is_black = index % kPalette.size() + 1 == kPalette.size();
      styles.push_back(
          {.title = line.title,
           .colour = is_black ? "currentColor" : std::string(kPalette[index % kPalette.size()]),
           .mark = index + index / kPalette.size(),
           .dashed = line.dashed});
    }
  }
  return styles;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text,
                    std::string_view more = "") {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}'{}{}>{}</text>\n", x, y, anchor,
                     more.empty() ? "" : " ", more, escaped(text));
}

std::string mark_at(double x, double y, const Style& style, const std::string& told) {
  constexpr double kR = 3.6;
  std::string shape;
  switch (style.mark % 4) {
    case 0:
      shape = fmt::format("circle cx='{:.1f}' cy='{:.1f}' r='{}'", x, y, kR);
      break;
    case 1:
      shape = fmt::format("rect x='{:.1f}' y='{:.1f}' width='{}' height='{}'", x - kR + 0.4,
                          y - kR + 0.4, 2 * kR - 0.8, 2 * kR - 0.8);
      break;
    case 2:
      shape = fmt::format("path d='M{:.1f} {:.1f}l{} {}h{}z'", x, y - kR - 0.4, kR + 0.4, 1.8 * kR,
                          -2 * (kR + 0.4));
      break;
    default:
      shape = fmt::format("path d='M{:.1f} {:.1f}l{} {}l{} {}l{} {}z'", x, y - kR - 0.8, kR + 0.8,
                          kR + 0.8, -kR - 0.8, kR + 0.8, -kR - 0.8, -kR - 0.8);
  }
  const std::string title = told.empty() ? "" : fmt::format("<title>{}</title>", escaped(told));
  return fmt::format("<{} fill='{}'>{}</{}>\n", shape, style.colour, title,
                     shape.substr(0, shape.find(' ')));
}

std::string stroke_of(const Style& style) {
  return fmt::format("fill='none' stroke='{}' stroke-width='2' stroke-linejoin='round'{}",
                     style.colour, style.dashed ? " stroke-dasharray='6 4'" : "");
}

bool has_band(const Dot& dot) { return std::isfinite(dot.ci95) && dot.ci95 > 0; }

// The least and the most of what is shown.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void take(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool is_empty() const { return least > most; }
};

class Panel {
 public:
  Panel(const Chart& chart, Size size, const std::vector<Style>& styles)
      : chart_(chart),
        styles_(styles),
        axes_(axes_of(chart, size)),
        left_(kPad + (chart.y_label.empty() ? 0 : kFont + 8)),
        right_(size.width - kPad - 4),
        top_(chart.title.empty() ? kPad : kPad + kFont + 12),
        bottom_(size.height - kPad - kFont - 4 - (chart.x_label.empty() ? 0 : kFont + 6)),
        size_(size),
        upright_(upright_names(chart, size.width)) {
    bottom_ -= upright_;
    double widest = 0;
    for (const Tick& tick : axes_.y.ticks()) widest = std::max(widest, width_of(tick.text, kFont));
    left_ += widest;
  }

  std::string svg() {
    draw_frame();
    if (chart_.bars) {
      for (const Line& line : chart_.lines) draw_bars(line);
      return svg_;
    }
    for (const Line& line : chart_.lines) draw_band(line);
    for (const Line& line : chart_.lines) draw_line(line);
    return svg_;
  }

 private:
  struct Axes {
    Axis x;
    Axis y;
  };

  static bool is_shown(const Chart& chart, const Dot& dot) {
    return std::isfinite(dot.x) && std::isfinite(dot.y) && (!chart.log_x || dot.x > 0) &&
           (!chart.log_y || dot.y > 0);
  }

  static Axes axes_of(const Chart& chart, Size size) {
    Extent x;
    Extent y;
    for (const Line& line : chart.lines) {
      for (const Dot& dot : line.dots) {
        if (!is_shown(chart, dot)) continue;
        x.take(dot.x);
        y.take(dot.y);
        if (!has_band(dot)) continue;
        y.take(dot.y + dot.ci95);
        if (!chart.log_y || dot.y > dot.ci95) y.take(dot.y - dot.ci95);
      }
    }
    if (x.is_empty()) x = {1, 1};
    if (y.is_empty()) y = {1, 1};
    // Zero belongs to what is compared by its size, but would hide what varies a little around a value.
    const bool is_near_zero = y.least > 0 && y.least < 0.6 * y.most;
    if (!chart.log_y && (is_near_zero || chart.bars)) y.take(0);
    const auto columns = static_cast<std::size_t>(size.width / 70);
    const auto rows =
        static_cast<std::size_t>((size.height - upright_names(chart, size.width)) / 48);
    return {!chart.x_names.empty() ? Axis::named(chart.x_names)
            : chart.log_x          ? Axis::logarithmic(x.least, x.most, false)
                                   : Axis::exact(x.least, x.most, columns),
            chart.log_y ? Axis::logarithmic(y.least, y.most, true)
                        : Axis::rounded(y.least, y.most, rows)};
  }

  double x_of(double value) const { return left_ + axes_.x.place(value) * (right_ - left_); }
  double y_of(double value) const { return bottom_ - axes_.y.place(value) * (bottom_ - top_); }

  void draw_frame() {
    if (!chart_.title.empty())
      svg_ +=
          text_at((left_ + right_) / 2, kPad + kFont, "middle", chart_.title, "font-weight='600'");
    for (const Tick& tick : axes_.y.ticks()) {
      const double y = y_of(tick.value);
      svg_ += fmt::format(
          "<path stroke='currentColor' stroke-opacity='0.15' d='M{:.1f} {:.1f}H{:.1f}'/>\n", left_,
          y, right_);
      svg_ += text_at(left_ - 7, y + kFont * 0.35, "end", tick.text);
    }
    draw_x_ticks();
    svg_ += fmt::format(
        "<path stroke='currentColor' stroke-opacity='0.6' fill='none' d='M{:.1f} "
        "{:.1f}V{:.1f}H{:.1f}'/>\n",
        left_, top_, bottom_, right_);
    if (!chart_.x_label.empty())
      svg_ += text_at((left_ + right_) / 2, size_.height - kPad, "middle", chart_.x_label);
    if (!chart_.y_label.empty()) {
      const double y = (top_ + bottom_) / 2;
      svg_ += text_at(kFont + 4, y, "middle", chart_.y_label,
                      fmt::format("transform='rotate(-90 {:.1f} {:.1f})'", kFont + 4, y));
    }
  }

  // A text that would stand on the one before it is left out; its mark is not.
  void draw_x_ticks() {
    double free_from = 0;
    for (const Tick& tick : axes_.x.ticks()) {
      const double x = x_of(tick.value);
      if (tick.text.empty()) continue;
      svg_ += fmt::format(
          "<path stroke='currentColor' stroke-opacity='0.6' fill='none' d='M{:.1f} {:.1f}v5'/>\n",
          x, bottom_);
      if (upright_ > 0) {
        const double y = bottom_ + 9;
        svg_ += text_at(x + kFont * 0.35, y, "end", tick.text,
                        fmt::format("transform='rotate(-90 {:.1f} {:.1f})'", x + kFont * 0.35, y));
        continue;
      }
      const double half = width_of(tick.text, kFont) / 2;
      if (x - half < free_from) continue;
      free_from = x + half + 6;
      const double centre = std::min(x, size_.width - half - 2);
      svg_ += text_at(centre, bottom_ + kFont + 6, "middle", tick.text);
    }
  }

  std::vector<Dot> shown_of(const Line& line) const {
    std::vector<Dot> dots;
    std::copy_if(line.dots.begin(), line.dots.end(), std::back_inserter(dots),
                 [&](const Dot& dot) { return is_shown(chart_, dot); });
    return dots;
  }
  const Style& style_of(const Line& line) const {
    return *std::find_if(styles_.begin(), styles_.end(),
                         [&](const Style& style) { return style.title == line.title; });
  }
  double low_of(const Dot& dot) const {
    return has_band(dot) ? std::max(dot.y - dot.ci95, axes_.y.least()) : dot.y;
  }
  static double high_of(const Dot& dot) { return has_band(dot) ? dot.y + dot.ci95 : dot.y; }

  void draw_band(const Line& line) {
    const std::vector<Dot> dots = shown_of(line);
    if (!std::any_of(dots.begin(), dots.end(), has_band)) return;
    if (dots.size() == 1) {
      draw_whisker(dots.front(), style_of(line).colour);
      return;
    }
    std::string path;
    for (const Dot& dot : dots)
      path +=
          fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', x_of(dot.x), y_of(high_of(dot)));
    for (const Dot& dot : dots | std::views::reverse)
      path += fmt::format("L{:.1f} {:.1f}", x_of(dot.x), y_of(low_of(dot)));
    svg_ +=
        fmt::format("<path d='{}z' fill='{}' fill-opacity='0.2'/>\n", path, style_of(line).colour);
  }

  void draw_whisker(const Dot& dot, std::string_view colour) {
    svg_ += fmt::format(
        "<path d='M{0:.1f} {1:.1f}V{2:.1f}m-5 0h10M{3:.1f} {1:.1f}h10' stroke='{4}' "
        "stroke-width='1.5' fill='none'/>\n",
        x_of(dot.x), y_of(low_of(dot)), y_of(high_of(dot)), x_of(dot.x) - 5, colour);
  }

  std::string told_of(const Line& line, const Dot& dot) const {
    const std::string x = chart_.x_names.empty() ? fmt::format("{:.6g}: ", dot.x) : "";
    return fmt::format("{}{}{}{:.6g}{}", line.title, line.title.empty() ? "" : ", ", x, dot.y,
                       has_band(dot) ? fmt::format(" ± {:.3g}", dot.ci95) : "");
  }

  void draw_line(const Line& line) {
    const Style& style = style_of(line);
    const std::vector<Dot> dots = shown_of(line);
    std::string path;
    for (const Dot& dot : dots)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', x_of(dot.x), y_of(dot.y));
    if (dots.size() > 1) svg_ += fmt::format("<path d='{}' {}/>\n", path, stroke_of(style));
    if (dots.size() > kMarkedDots || (line.dashed && dots.size() > 1)) return;
    for (const Dot& dot : dots)
      svg_ += mark_at(x_of(dot.x), y_of(dot.y), style, told_of(line, dot));
  }

  void draw_bars(const Line& line) {
    constexpr double kShare = 0.64;  // of the place between two bars
    const double place = (right_ - left_) / static_cast<double>(axes_.x.ticks().size());
    const double wide = std::min(place * kShare, 90.0);
    for (const Dot& dot : shown_of(line)) {
      const double top = y_of(dot.y);
      svg_ += fmt::format(
          "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}' "
          "fill-opacity='0.75'><title>{}</title></rect>\n",
          x_of(dot.x) - wide / 2, top, wide, bottom_ - top, style_of(line).colour,
          escaped(told_of(line, dot)));
      if (has_band(dot)) draw_whisker(dot, "currentColor");
    }
  }

  const Chart& chart_;
  const std::vector<Style>& styles_;
  Axes axes_;
  double left_;
  double right_;
  double top_;
  double bottom_;
  Size size_;
  double upright_;  // how high the names are; 0: they lie
  std::string svg_;
};

// The key, in rows below `y`; answers where it ends.
double draw_key(const std::vector<Style>& styles, bool is_bars, double width, double y,
                std::string& svg) {
  const bool is_needed = std::any_of(styles.begin(), styles.end(),
                                     [](const Style& style) { return !style.title.empty(); });
  if (!is_needed) return y;
  constexpr double kSwatch = 34;
  double x = kPad;
  for (const Style& style : styles) {
    const double needs = kSwatch + width_of(style.title, kFont) + 22;
    if (x + needs > width && x > kPad) {
      x = kPad;
      y += kKeyRow;
    }
    const double middle = y + kKeyRow / 2;
    if (is_bars) {
      svg += fmt::format(
          "<rect x='{:.1f}' y='{:.1f}' width='20' height='12' fill='{}' fill-opacity='0.75'/>\n",
          x + 6, middle - 6, style.colour);
    } else {
      svg += fmt::format("<path d='M{:.1f} {:.1f}h26' {}/>\n", x, middle, stroke_of(style));
      if (!style.dashed) svg += mark_at(x + 13, middle, style, "");
    }
    svg += text_at(x + kSwatch, middle + kFont * 0.35, "start", style.title);
    x += needs;
  }
  return y + kKeyRow;
}

}  // namespace

std::string draw_picture(const sim::Picture& picture) {
  const std::size_t columns =
      std::max<std::size_t>(1, std::min(picture.columns, picture.charts.size()));
  const std::size_t rows = (picture.charts.size() + columns - 1) / columns;
  Size size = panel_size(columns);
  double upright = 0;
  for (const Chart& chart : picture.charts)
    upright = std::max(upright, upright_names(chart, size.width));
  size.height += upright;
  const double width = size.width * static_cast<double>(columns);
  const std::vector<Style> styles = styles_of(picture);
  const bool is_bars = std::any_of(picture.charts.begin(), picture.charts.end(),
                                   [](const Chart& chart) { return chart.bars; });
  std::string body;
  double y = kPad;
  if (!picture.title.empty()) {
    body += text_at(kPad, y + kTitleFont, "start", picture.title,
                    fmt::format("font-size='{}' font-weight='600'", kTitleFont));
    y += kTitleFont + 12;
  }
  y = draw_key(styles, is_bars, width, y, body);
  for (std::size_t i = 0; i < picture.charts.size(); ++i) {
    if (picture.charts[i].lines.empty()) continue;
    const std::size_t row = i / columns;
    body += fmt::format("<g transform='translate({:.1f} {:.1f})'>\n{}</g>\n",
                        static_cast<double>(i % columns) * size.width,
                        y + static_cast<double>(row) * size.height,
                        Panel(picture.charts[i], size, styles).svg());
  }
  const double height = y + static_cast<double>(rows) * size.height;
  return svg_file(picture.title, width, height, body);
}

}  // namespace coterie::cli
