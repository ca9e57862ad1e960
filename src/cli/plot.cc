#include "cli/plot.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "cli/svg.h"

namespace coterie::cli {
namespace {

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    // A name from a file may hold anything; a line of gnuplot may not.
    const bool is_control = static_cast<unsigned char>(c) < ' ';
    out += is_control ? ' ' : c;
    if (c == '\'') out += '\'';
  }
  return out + "'";
}

std::string terminal(const Figure& figure, const std::filesystem::path& path) {
  const int width = figure.panel_width * figure.columns;
  const int height = figure.panel_height * figure.rows + (figure.title.empty() ? 0 : 40);
  const bool png = path.extension() == ".png";
  return fmt::format("set terminal {} size {},{} {} font 'sans,11' background '#ffffff'\n",
                     png ? "pngcairo" : "svg", width, height,
                     png ? "noenhanced" : "noenhanced dynamic");
}

std::string range(const std::optional<std::pair<double, double>>& range) {
  return range ? fmt::format("[{}:{}]", range->first, range->second) : "[*:*]";
}

std::string style_of(const Curve& curve) {
  return fmt::format("lw 2 dt {} lc rgb '{}' {}", curve.dashed ? 2 : 1,
                     kPalette[static_cast<std::size_t>(curve.colour) % kPalette.size()],
                     curve.title.empty() ? "notitle" : "title " + gnuplot_text(curve.title));
}

// A place of its own for the titles, so that they stand on no curve.
std::string legend_of(const Panel& panel) {
  std::vector<std::string> plots;
  plots.reserve(panel.curves.size());
  for (const Curve& curve : panel.curves) plots.push_back("NaN with lines " + style_of(curve));
  return fmt::format(
      "unset title\nunset xlabel\nunset ylabel\nunset logscale\nset xrange [0:1]\nset yrange "
      "[0:1]\n"
      "unset border\nunset tics\nset key center center Left reverse\nplot {}\n"
      "set border 3\nset tics nomirror\nset key bottom right noreverse Right\n",
      fmt::join(plots, ", "));
}

std::string script_of(const Panel& panel) {
  if (panel.empty) return "set multiplot next\n";
  if (panel.legend) return legend_of(panel);
  std::string script;
  script += fmt::format("{}set logscale x\n{}set logscale y\n", panel.log_x ? "" : "un",
                        panel.log_y ? "" : "un");
  script += fmt::format("set format y '{}'\n", panel.log_y ? "%.0e" : "%g");
  script += fmt::format("set title {} offset 0,-0.4\nset xlabel {}\nset ylabel {}\n",
                        gnuplot_text(panel.title), gnuplot_text(panel.x_label),
                        gnuplot_text(panel.y_label));
  script +=
      fmt::format("set xrange {}\nset yrange {}\n", range(panel.x_range), range(panel.y_range));
  std::vector<std::string> plots;
  std::string data;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = panel.curves[i];
    data += fmt::format("$curve{} << EOD\n", i);
    for (const auto& [x, y] : curve.points) data += fmt::format("{} {}\n", x, y);
    data += "EOD\n";
    plots.push_back(fmt::format("$curve{} using 1:2 with {} {}", i,
                                curve.points.size() > 24 ? "lines" : "linespoints pt 7 ps 0.5",
                                style_of(curve)));
  }
  return script + data + fmt::format("plot {}\n", fmt::join(plots, ", "));
}

std::string script_of(const Figure& figure, const std::filesystem::path& picture,
                      const std::filesystem::path& path) {
  std::string script = terminal(figure, path);
  script += fmt::format("set output {}\n", gnuplot_text(picture.string()));
  script += "set encoding utf8\nset grid lc rgb '#dddddd' lw 1\nset border 3 lc rgb '#555555'\n";
  script += "set tics nomirror\nset key bottom right\n";
  script += fmt::format(
      "set multiplot layout {},{}{}\n", figure.rows, figure.columns,
      figure.title.empty() ? "" : " title " + gnuplot_text(figure.title) + " font ',14'");
  for (const Panel& panel : figure.panels) script += script_of(panel);
  return script + "unset multiplot\n";
}

Error error_about(std::string message) {
  return {.message = std::move(message), .parameter = "plot", .position = {}, .nearest = {}};
}

}  // namespace

std::optional<Error> check_picture_path(const std::string& path) {
  const std::filesystem::path file(path);
  if (file.extension() != ".svg" && file.extension() != ".png") {
    return error_about(
        fmt::format("--plot must name a file that ends in .svg or .png, not '{}'", path));
  }
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    return error_about(fmt::format("there is no folder '{}' for the picture", folder.string()));
  }
  if (std::filesystem::is_directory(file, ignored)) {
    return error_about(fmt::format("'{}' is a folder, not a file", path));
  }
  return std::nullopt;
}

std::optional<Error> draw(const Figure& figure, const std::string& path) {
  if (auto error = check_picture_path(path)) return error;
  // Drawn beside its place and moved there when it is whole, so that no half picture is left.
  const std::filesystem::path target(path);
  const std::filesystem::path draft = target.string() + ".drawing";
  const std::string script = script_of(figure, draft, target);

  // If gnuplot is not there, writing to it must fail, not kill us.
  const auto previous = std::signal(SIGPIPE, SIG_IGN);
  FILE* gnuplot = ::popen("gnuplot >/dev/null 2>&1", "w");
  bool written = false;
  int status = -1;
  if (gnuplot != nullptr) {
    written = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
    status = ::pclose(gnuplot);
  }
  static_cast<void>(std::signal(SIGPIPE, previous));

  std::error_code failed;
  if (!written || status != 0) {
    std::filesystem::remove(draft, failed);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
      return error_about("pictures are drawn by gnuplot, which is not installed");
    }
    return error_about(fmt::format("gnuplot could not draw '{}': is the folder writable?", path));
  }
  std::filesystem::rename(draft, target, failed);
  if (failed) return error_about(fmt::format("cannot write '{}': {}", path, failed.message()));
  return std::nullopt;
}

}  // namespace coterie::cli
