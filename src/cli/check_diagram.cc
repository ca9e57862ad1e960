#include "cli/check_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "cli/check_trace.h"
#include "cli/svg.h"

namespace coterie::cli {
namespace {

using check::Scene;
using spec::Place;

// In pixels.
constexpr double kRow = 26;
constexpr double kGutter = 46;  // of the step numbers
constexpr double kBar = 12;
constexpr double kHeadRow = 18;
constexpr double kLetter = 6.1;      // a letter of 11 pixels is about so wide,
constexpr double kBoldLetter = 7.2;  // and so if it is bold
constexpr double kLeastColumn = 160;
constexpr double kMostColumn = 560;
constexpr double kLeastWidth = 560;

struct Arrow {
  NodeId from = 0;
  NodeId to = 0;
  std::size_t sent = 0;                 // the step
  std::optional<std::size_t> received;  // nothing: still under way
  std::string text;
};

std::vector<Arrow> arrows_of(const std::vector<Scene>& scenes) {
  std::vector<Arrow> arrows;
  std::map<std::pair<NodeId, NodeId>, std::deque<std::size_t>> channels;
  for (std::size_t step = 0; step < scenes.size(); ++step) {
    const check::Event& event = scenes[step].event;
    if (event.is_delivery) {
      auto& channel = channels[{event.from, event.process}];
      const auto taken = channel.begin() + static_cast<std::ptrdiff_t>(event.index);
      arrows[*taken].received = step + 1;
      channel.erase(taken);
    }
    if (event.is_link) {  // nothing of the old one arrives
      channels[{event.process, event.from}].clear();
      channels[{event.from, event.process}].clear();
    }
    for (const Scene::Sent& sent : scenes[step].sent) {
      channels[{sent.from, sent.to}].push_back(arrows.size());
      arrows.push_back({sent.from, sent.to, step + 1, {}, sent.message});
    }
  }
  return arrows;
}

// What a process does from one step to another.
struct Stay {
  NodeId process = 0;
  Place place = Place::outside;
  protocol::Group group = 0;
  std::size_t from = 0;
  std::size_t to = 0;
};

std::vector<Stay> stays_of(const check::Space& space, const std::vector<Scene>& scenes) {
  std::vector<Stay> stays;
  const auto initial = space.initial();
  for (NodeId process = 0; process < space.processes(); ++process) {
    const check::Space::Local& start = space.local(initial[process]);
    Stay now{process, start.place, start.group, 0, 0};
    for (std::size_t step = 0; step < scenes.size(); ++step) {
      const Place place = scenes[step].places[process];
      const protocol::Group group = scenes[step].groups[process];
      const bool is_inside = place == Place::inside || place == Place::leaving;
      if (place == now.place && (!is_inside || group == now.group)) continue;
      now.to = step + 1;
      if (now.place != Place::outside) stays.push_back(now);
      now = {process, place, group, step + 1, 0};
    }
    now.to = scenes.size() + 1;
    if (now.place != Place::outside) stays.push_back(now);
  }
  return stays;
}

// How long the clients of lives that crashed go on believing that they are inside.
std::vector<Stay> stays_of_clients(const std::vector<Scene>& scenes) {
  std::vector<Stay> stays;
  for (std::size_t step = 0; step < scenes.size(); ++step) {
    for (const NodeId process : scenes[step].outlived)
      stays.push_back(
          {process, Place::inside, *scenes[step].outliving[process], step + 1, scenes.size() + 1});
    for (const NodeId process : scenes[step].ended) {
      const auto last = std::find_if(stays.rbegin(), stays.rend(),
                                     [&](const Stay& stay) { return stay.process == process; });
      last->to = step + 1;
    }
  }
  return stays;
}

// What a process does of its own, in short: the token without the number.
std::string own_text(const Scene& scene) {
  const std::size_t at = scene.token.find(' ');
  return at == std::string::npos ? scene.token : scene.token.substr(at + 1);
}

class Drawing {
 public:
  Drawing(const check::Space& space, const std::vector<Scene>& scenes,
          const std::vector<std::string>& heading)
      : processes_(space.processes()),
        has_groups_(has_groups(space.config())),
        scenes_(scenes),
        arrows_(arrows_of(scenes)),
        stays_(stays_of(space, scenes)),
        column_(column_for(scenes, arrows_)),
        width_(std::max(kLeastWidth, kGutter + columns() + 2 * kLeastMargin)),
        margin_((width_ - kGutter - columns()) / 2) {
    fold(heading);
  }

  std::string svg() {
    for (const Arrow& arrow : arrows_)
      if (!arrow.received) under_way_.push_back(&arrow);
    const double end = y_of(scenes_.size() + under_way_.size()) + kRow;
    draw_frame(end);
    for (const Arrow& arrow : arrows_)
      if (arrow.received) draw_arrow(arrow, *arrow.received, false);
    for (std::size_t i = 0; i < under_way_.size(); ++i)
      draw_arrow(*under_way_[i], scenes_.size() + 1 + i, true);
    for (const Stay& stay : stays_of_clients(scenes_)) draw_clients(stay);
    for (const Stay& stay : stays_) draw_stay(stay);
    draw_points();
    const double height = draw_legend(end + 12);
    return fmt::format(
               "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' "
               "viewBox='0 0 {0:.0f} {1:.0f}' font-family='DejaVu Sans, Verdana, sans-serif' "
               "font-size='11'>\n"
               "<defs>\n"
               "<marker id='head' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' "
               "markerHeight='7' orient='auto'><path d='M0 0.8L8 4L0 7.2z' "
               "fill='#555555'/></marker>\n"
               "</defs>\n"
               "<rect width='100%' height='100%' fill='#ffffff'/>\n",
               width_, height) +
           lines_ + bars_ + labels_ + "</svg>\n";
  }

 private:
  static constexpr double kLeastMargin = 60;

  // As wide as the longest label, within reason.
  static double column_for(const std::vector<Scene>& scenes, const std::vector<Arrow>& arrows) {
    std::size_t longest = 0;
    std::size_t longest_own = 0;
    for (const Arrow& arrow : arrows) longest = std::max(longest, arrow.text.size());
    for (const Scene& scene : scenes) {
      if (!scene.event.is_delivery) longest_own = std::max(longest_own, own_text(scene).size());
    }
    const double widest = std::max(static_cast<double>(longest) * kLetter,
                                   static_cast<double>(longest_own) * kBoldLetter);
    return std::clamp(widest + 2 * kBar + 6, kLeastColumn, kMostColumn);
  }
  double columns() const { return column_ * static_cast<double>(processes_ - 1); }
  double x_of(NodeId process) const {
    return kGutter + margin_ + column_ * static_cast<double>(process);
  }
  double y_of(std::size_t step) const { return top_ + kRow * static_cast<double>(step); }

  // Text with a white edge, so that a line behind it does not hurt.
  void label(double x, double y, std::string_view anchor, std::string_view text,
             std::string_view more = "") {
    labels_ += fmt::format(
        "<text x='{:.1f}' y='{:.1f}' text-anchor='{}' stroke='#ffffff' stroke-width='3' "
        "stroke-linejoin='round' paint-order='stroke' {}>{}</text>\n",
        x, y, anchor, more.empty() ? "fill='#222222'" : more, escaped(text));
  }
  // A label between two lines. Of one that is too long, what comes first tells most; the rest is shown by who points
  // at it.
  void fitting_label(double x, double y, std::string_view anchor, const std::string& text,
                     std::string_view more = "") {
    const double letter = more.empty() ? kLetter : kBoldLetter;
    const auto most = static_cast<std::size_t>((column_ - 2 * kBar - 2) / letter);
    if (text.size() <= most) return label(x, y, anchor, text, more);
    labels_ += fmt::format("<g><title>{}</title>", escaped(text));
    label(x, y, anchor, text.substr(0, most - 2) + "..", more);
    labels_ += "</g>\n";
  }

  // The heading in lines that fit.
  void fold(const std::vector<std::string>& heading) {
    double y = 22;
    for (std::size_t i = 0; i < heading.size(); ++i) {
      const bool is_bold = i + 1 < heading.size();
      const std::string_view style =
          is_bold ? "fill='#222222' font-weight='bold'" : "fill='#b00020'";
      const auto most = static_cast<std::size_t>((width_ - 24) / (is_bold ? kBoldLetter : kLetter));
      std::string rest = heading[i];
      while (!rest.empty()) {
        std::size_t cut = rest.size();
        if (cut > most) {
          cut = rest.rfind(' ', most);
          if (cut == std::string::npos || cut == 0) cut = most;
        }
        label(12, y, "start", rest.substr(0, cut), style);
        rest.erase(0, rest.find_first_not_of(' ', cut));
        y += 16;
      }
    }
    top_ = y + kHeadRow + 6;
  }

  void draw_frame(double end) {
    for (std::size_t step = 1; step <= scenes_.size(); ++step) {
      lines_ +=
          fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#eeeeee'/>\n",
                      kGutter, y_of(step), width_ - 10, y_of(step));
      label(kGutter - 10, y_of(step) + 4, "end", fmt::format("{}", step), "fill='#888888'");
    }
    for (NodeId process = 0; process < processes_; ++process) {
      lines_ += fmt::format(
          "<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' stroke='#999999' "
          "stroke-width='1.5'/>\n",
          x_of(process), y_of(0), end);
      label(x_of(process), y_of(0) - 6, "middle", fmt::format("p{}", process),
            "fill='#222222' font-weight='bold' font-size='13'");
    }
    const double last = y_of(scenes_.size()) + kRow * 0.62;
    lines_ += fmt::format(
        "<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#b00020' "
        "stroke-dasharray='2 3'/>\n",
        kGutter, last, width_ - 10, last);
  }

  // To which side of its line a process writes what concerns itself alone.
  double side_of(NodeId process) const { return process + 1 == processes_ ? -1 : 1; }

  void draw_arrow(const Arrow& arrow, std::size_t at, bool is_dashed) {
    const std::string style =
        fmt::format("fill='none' stroke='#555555' stroke-width='1.2'{} marker-end='url(#head)'",
                    is_dashed ? " stroke-dasharray='5 4'" : "");
    const double to = x_of(arrow.to);
    if (arrow.from == arrow.to) {
      const double side = side_of(arrow.to);
      const double bulge = to + side * 34;
      lines_ += fmt::format(
          "<path d='M{0:.1f} {1:.1f}C{2:.1f} {3:.1f} {2:.1f} {4:.1f} {0:.1f} {5:.1f}' {6}/>\n",
          to + side * kBar / 2, y_of(arrow.sent), bulge, y_of(arrow.sent) + 6, y_of(at) - 6,
          y_of(at), style);
      fitting_label(to + side * (kBar / 2 + 4), y_of(at) + 12, side > 0 ? "start" : "end",
                    arrow.text);
      return;
    }
    const double side = arrow.from < arrow.to ? -1 : 1;  // where it comes from
    lines_ += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' {}/>\n",
                          x_of(arrow.from) - side * kBar / 2, y_of(arrow.sent),
                          to + side * kBar / 2, y_of(at), style);
    fitting_label(to + side * (kBar / 2 + 4), y_of(at) + 12, side > 0 ? "start" : "end",
                  arrow.text);
  }

  // What a bar and its place in the legend look like.
  static std::string style_of(Place place, protocol::Group group) {
    if (place == Place::entering) return "fill='#f1ead2' stroke='#b8a76a'";
    return fmt::format("fill='{0}' stroke='{0}'{1}", kPalette[group % kPalette.size()],
                       place == Place::leaving ? " fill-opacity='0.45'" : "");
  }
  static std::string style_of_clients(protocol::Group group) {
    return fmt::format("fill='{0}' fill-opacity='0.15' stroke='{0}' stroke-dasharray='3 2'",
                       kPalette[group % kPalette.size()]);
  }

  void draw_bar(const Stay& stay, double width, std::string_view style) {
    const double y = y_of(stay.from);
    const double last = y_of(scenes_.size()) + kRow * 0.62;
    bars_ += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' {}/>\n",
                         x_of(stay.process) - width / 2, y, width,
                         std::min(y_of(stay.to), last) - y, style);
  }
  void draw_stay(const Stay& stay) {
    draw_bar(stay, kBar, style_of(stay.place, stay.group));
    kinds_of_stay_.insert({stay.place, stay.place == Place::entering ? 0 : stay.group});
  }
  // Around the line of the process, whose next life may wait or be inside at the same time.
  void draw_clients(const Stay& stay) {
    constexpr double kAround = kBar + 8;
    draw_bar(stay, kAround, style_of_clients(stay.group));
    groups_of_clients_.insert(stay.group);
  }

  void draw_points() {
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const Scene& scene = scenes_[i];
      const double x = x_of(scene.event.process);
      const double y = y_of(i + 1);
      const bool is_own = !scene.event.is_delivery;
      bars_ += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.2' fill='{}' stroke='#222222'/>\n",
                           x, y, is_own ? "#ffffff" : "#222222");
      if (!is_own) continue;
      const double side = side_of(scene.event.process);
      fitting_label(x + side * (kBar / 2 + 4), y - 3, side > 0 ? "start" : "end", own_text(scene),
                    "fill='#222222' font-weight='bold'");
    }
  }

  // Answers where the picture ends.
  double draw_legend(double y) {
    double x = 12;
    const auto item = [&](const std::string& swatch, const std::string& text) {
      const double needs = 24 + static_cast<double>(text.size()) * kLetter + 18;
      if (x + needs > width_ && x > 12) {
        x = 12;
        y += 20;
      }
      bars_ += fmt::format("<g transform='translate({:.1f} {:.1f})'>{}</g>\n", x, y, swatch);
      label(x + 24, y + 10, "start", text);
      x += needs;
    };
    const auto box = [](std::string_view style) {
      return fmt::format("<rect width='18' height='12' {}/>", style);
    };
    const auto inside = [&](protocol::Group group) {
      return has_groups_ ? "inside for " + protocol::Groups::name_of(group) : "inside";
    };
    for (const auto& [place, group] : kinds_of_stay_) {
      item(box(style_of(place, group)), place == Place::entering ? "waits to enter"
                                        : place == Place::leaving
                                            ? inside(group) + ", waits to leave"
                                            : inside(group));
    }
    for (const protocol::Group group : groups_of_clients_)
      item(box(style_of_clients(group)), inside(group) + ": clients of a life that crashed");
    if (!under_way_.empty()) {
      item(
          "<line x1='0' y1='6' x2='18' y2='6' stroke='#555555' "
          "stroke-dasharray='5 4'/>",
          "still under way");
    }
    return y + 26;
  }

  std::size_t processes_;
  bool has_groups_;
  const std::vector<Scene>& scenes_;
  std::vector<Arrow> arrows_;
  std::vector<Stay> stays_;
  double column_;
  double width_;
  double margin_;
  std::vector<const Arrow*> under_way_;
  double top_ = 0;
  std::set<std::pair<Place, protocol::Group>> kinds_of_stay_;
  std::set<protocol::Group> groups_of_clients_;
  std::string lines_;
  std::string bars_;
  std::string labels_;
};

}  // namespace

std::string draw_diagram(const check::Space& space, const std::vector<Scene>& scenes,
                         const std::vector<std::string>& heading) {
  return Drawing(space, scenes, heading).svg();
}

}  // namespace coterie::cli
