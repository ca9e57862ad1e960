// Pictures: panels of curves, drawn by gnuplot into an SVG or PNG file.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coterie/result.h"

namespace coterie::cli {

struct Curve {
  std::string title = {};  // empty: not in the key
  std::vector<std::pair<double, double>> points = {};
  int colour = 0;  // index into the palette
  bool dashed = false;
};

struct Panel {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  std::vector<Curve> curves = {};
  std::optional<std::pair<double, double>> x_range = {};
  std::optional<std::pair<double, double>> y_range = {};
  bool log_x = false;
  bool log_y = false;
  bool empty = false;   // an empty place in the arrangement
  bool legend = false;  // only the titles of the curves
};

struct Figure {
  std::string title = {};
  std::vector<Panel> panels = {};  // row by row
  int rows = 1;
  int columns = 1;
  int panel_width = 460;  // in pixels
  int panel_height = 340;
};

// Nothing if it was drawn. The format follows from the ending: .svg or .png.
std::optional<Error> draw(const Figure& figure, const std::string& path);
// What would be refused about the path, before any work is done for it.
std::optional<Error> check_picture_path(const std::string& path);

}  // namespace coterie::cli
