// The papers' experiments, and ours: each runs, and answers with tables, charts and a verdict on each claim.
// How they are written down (CSV, pictures, a page) is the command's business.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coterie::sim {

using Cell = std::variant<std::string, double, std::uint64_t>;

// Becomes NAME.csv; the page shows it if it is short.
struct Sheet {
  std::string name;
  std::string title;
  std::vector<std::string> columns = {};
  std::vector<std::vector<Cell>> rows = {};
};

struct Dot {
  double x = 0;
  double y = 0;
  double ci95 = 0;  // half the height of the band around it; 0: none
};

struct Line {
  std::string title;
  std::vector<Dot> dots = {};
  bool dashed = false;  // a formula, a bound, a line to compare with
};

// One panel of a picture; without lines, an empty place.
struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Line> lines = {};
  bool log_x = false;
  bool log_y = false;
  std::vector<std::string> x_names = {};  // if there: what stands at x = 0, 1, 2, ...
  bool bars = false;                      // each dot is a bar from 0
};

// Becomes NAME.svg: panels row by row.
struct Picture {
  std::string name;
  std::string title;
  std::size_t columns = 2;
  std::vector<Chart> charts = {};
};

// A table to be read by its colours: what is best where. Becomes NAME.svg.
struct HeatMap {
  std::string name;
  std::string title;
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};
  struct Square {
    std::string text;   // what to take
    double value = 0;   // 0 (good) to 1 (bad), for the shade
    std::string group;  // squares of one group have one colour
  };
  std::vector<std::vector<Square>> squares = {};  // row by row
};

enum class Ruling : std::uint8_t { holds, differs, open };
constexpr Ruling ruled(bool holds) { return holds ? Ruling::holds : Ruling::differs; }

// What a paper says, what we found, and whether they agree.
struct Finding {
  std::string where;  // section, figure, table, theorem
  std::string claim;  // in our words
  std::string found;
  Ruling ruling = Ruling::open;
};

struct Report {
  std::string name;
  std::string title;
  std::string source;                        // the paper; "ours"
  std::vector<std::string> paragraphs = {};  // what was run, and how to read it
  std::vector<Finding> findings = {};
  std::vector<Sheet> sheets = {};
  std::vector<Picture> pictures = {};
  std::vector<HeatMap> heat_maps = {};
  bool is_complete = true;  // false: it was stopped, and has what was finished by then
};

struct Effort {
  bool quick = false;  // a tenth of the work or less: same shape, wider intervals
  bool tiny = false;   // the least that has every part of the report: for tests
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

// Called now and then: what is done of this experiment, 0 to 1.
using Progressed = std::function<void(double done)>;

struct Experiment {
  std::string_view name;
  std::string_view title;
  Report (*run)(const Effort& effort, const Progressed& progressed, const std::atomic<bool>& stop);
  double weight = 1;  // how long it takes beside the others, roughly: for the time left
};
// In the order in which a reader would want them.
std::span<const Experiment> experiments();

}  // namespace coterie::sim
