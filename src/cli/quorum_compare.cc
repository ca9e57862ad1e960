#include "cli/quorum_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/plot.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/verified_system.h"
#include "quorum/sized.h"
#include "quorum/visible.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using quorum::Estimate;
using quorum::Kind;
using quorum::System;

constexpr std::size_t kMaxTableRows = 11;  // of a range of probabilities that is printed
constexpr double kNoise = 1e-13;           // below it, 1 - p is the rounding of p
constexpr std::size_t kLegendWidth = 44;
constexpr std::size_t kTableSystems = 8;  // side by side in 80 columns

// One family of one system: a row of the table, a curve of the picture.
struct Entry {
  std::string name = {};
  Numbers numbers = {};  // at the last of the probabilities
  std::vector<std::vector<Estimate>> sweep =
      {};  // availability, h = 1..k, at each of the probabilities
};

Entry enter(const System& system, std::size_t index, const std::vector<double>& ups,
            const quorum::Effort& effort) {
  const quorum::Family& family = system.family(index);
  Entry entry{.name = system.spec()};
  if (system.kind() != Kind::coterie) entry.name += " " + family_name(system, index);
  for (const double p : ups) {
    const std::vector<double> up(family.n(), p);
    if (p == ups.back()) {
      entry.numbers = measure(family, up, effort);
      entry.sweep.push_back(entry.numbers.availability);
    } else {
      entry.sweep.push_back(quorum::availability(family, up, effort));
    }
  }
  return entry;
}

std::string letter(std::size_t index) { return {static_cast<char>('A' + index % 26)}; }

enum class Naming : std::uint8_t { names, letters_and_names, letters };

// What stands for an entry at the left of a row; or above it, in the headings.
std::vector<std::string> with_name(Naming naming, const std::string& letter,
                                   const std::string& name, std::vector<std::string> row) {
  if (naming != Naming::letters) row.insert(row.begin(), name);
  if (naming != Naming::names) row.insert(row.begin(), letter);
  return row;
}

bool any_counts(const std::vector<Entry>& entries) {
  return std::any_of(entries.begin(), entries.end(),
                     [](const Entry& entry) { return entry.numbers.k > 1; });
}

Table table_of(const std::vector<Entry>& entries, Naming naming) {
  const bool counts = any_counts(entries);
  std::vector<std::string> headings{"n", "quorum", "E(size)", "load", "f", "up"};
  if (counts) headings.insert(headings.begin() + 1, "k");
  if (counts) headings.emplace_back("k up");
  Table table(with_name(naming, "<", "<system", headings));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Numbers& numbers = entries[i].numbers;
    std::vector<std::string> row{fmt::format("{}", numbers.n),
                                 text_of_size(numbers),
                                 numbers.expected_size ? text_of(*numbers.expected_size, 2) : "-",
                                 text_of_load(numbers),
                                 text_of_resilience(numbers),
                                 text_of(numbers.availability.front(), 5)};
    if (counts) row.insert(row.begin() + 1, fmt::format("{}", numbers.k));
    if (counts) row.push_back(numbers.k > 1 ? text_of(numbers.availability.back(), 5) : "");
    table.add(with_name(naming, letter(i), quorum::visible(entries[i].name), row));
  }
  return table;
}

// How far from the truth what was sampled may be, at most.
struct Interval {
  double size = 0;
  double up = 0;
  double k_up = 0;

  void widen(const Interval& other) {
    size = std::max(size, other.size);
    up = std::max(up, other.up);
    k_up = std::max(k_up, other.k_up);
  }
  bool is_empty() const { return size == 0 && up == 0 && k_up == 0; }
};

// The widest over the probabilities.
Interval interval_of(const Entry& entry) {
  Interval widest;
  if (entry.numbers.expected_size) widest.size = half_width(*entry.numbers.expected_size);
  for (const std::vector<Estimate>& at : entry.sweep) {
    widest.widen(
        {.up = half_width(at.front()), .k_up = entry.numbers.k > 1 ? half_width(at.back()) : 0});
  }
  return widest;
}

void print_intervals(const std::vector<Entry>& entries, Naming naming) {
  Interval widest;
  for (const Entry& entry : entries) widest.widen(interval_of(entry));
  if (widest.is_empty()) return;
  // What nobody's samples are about is left out.
  const auto cells = [&](const std::string& size, const std::string& up, const std::string& k_up) {
    std::vector<std::string> row;
    if (widest.size > 0) row.push_back(size);
    if (widest.up > 0) row.push_back(up);
    if (widest.k_up > 0) row.push_back(k_up);
    return row;
  };
  const auto within = [](double width) {
    // Rounded up, so that no interval is said to be narrower than it is.
    return width > 0 ? fmt::format("+-{:.4f}", std::ceil(width * 1e4) / 1e4) : std::string();
  };
  Table table(with_name(naming, "<", "<sampled: 95 % within", cells("E(size)", "up", "k up")));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Interval own = interval_of(entries[i]);
    if (own.is_empty()) continue;
    table.add(with_name(naming, letter(i), quorum::visible(entries[i].name),
                        cells(within(own.size), within(own.up), within(own.k_up))));
  }
  fmt::print("\n{}{}", naming == Naming::letters ? "sampled: 95 % within\n" : "", table.str());
}

// Names that are too long for the table stand above it.
void print_table(const std::vector<Entry>& entries, bool lettered) {
  const Naming naming = lettered ? Naming::letters_and_names : Naming::names;
  const Table table = table_of(entries, naming);
  if (table.fits()) {
    fmt::print("{}", table.str());
    print_intervals(entries, naming);
    return;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    fmt::print("{}  {}\n", letter(i),
               cut_for_terminal(quorum::visible(entries[i].name), kColumns - 3));
  }
  fmt::print("\n{}", table_of(entries, Naming::letters).str());
  print_intervals(entries, Naming::letters);
}

void print_legend(double p) {
  fmt::print(
      "\nE(size): of a smallest quorum that is up; load: of the busiest member, at best;\n"
      "f: a quorum is left whichever f fail; up, k up: P(one, k disjoint ones are up);\n"
      "each member is up {}; ~ is sampled.{}\n",
      p, interrupted() ? " Interrupted: the rest was not done." : "");
}

// The availability at a few of the probabilities, systems side by side.
void print_sweep(const std::vector<Entry>& entries, const std::vector<double>& ups) {
  for (std::size_t first = 0; first < entries.size(); first += kTableSystems) {
    const std::size_t last = std::min(entries.size(), first + kTableSystems);
    std::vector<std::string> headings{"up"};
    for (std::size_t i = first; i < last; ++i) headings.push_back(letter(i));
    Table table(headings);
    const std::size_t rows = std::min(kMaxTableRows, ups.size());
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t at = rows == 1 ? 0 : row * (ups.size() - 1) / (rows - 1);
      std::vector<std::string> cells{fmt::format("{}", ups[at])};
      for (std::size_t i = first; i < last; ++i)
        cells.push_back(text_of(entries[i].sweep[at].front(), 5));
      table.add(cells);
    }
    fmt::print("\nprobability that a quorum is up\n{}", table.str());
  }
}

Figure figure_of(const std::vector<Entry>& entries, const std::vector<double>& ups) {
  const auto panel = [&](std::string title) {
    return Panel{.title = std::move(title),
                 .x_label = "probability that a member is up",
                 .x_range = {{ups.front(), ups.back()}},
                 .y_range = {{0, 1}}};
  };
  Panel formed = panel("a quorum is up");
  Panel fails = panel("no quorum is up");
  fails.y_range.reset();
  fails.log_y = true;
  Panel all = panel("k disjoint quorums are up (k > 1)");
  Panel legend{.legend = true};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Curve blank{.colour = static_cast<int>(i), .dashed = i >= 7};
    Curve title = blank;
    title.title = shortened(quorum::visible(entries[i].name), kLegendWidth);
    Curve up = blank;
    Curve down = blank;
    Curve every = blank;
    for (std::size_t j = 0; j < ups.size(); ++j) {
      const double formed_here = entries[i].sweep[j].front().value;
      up.points.emplace_back(ups[j], formed_here);
      if (1 - formed_here > kNoise) down.points.emplace_back(ups[j], 1 - formed_here);
      every.points.emplace_back(ups[j], entries[i].sweep[j].back().value);
    }
    legend.curves.push_back(title);
    formed.curves.push_back(up);
    if (!down.points.empty()) fails.curves.push_back(down);
    if (entries[i].numbers.k > 1) all.curves.push_back(every);
  }
  Figure figure{.panels = {formed}, .rows = all.curves.empty() ? 1 : 2};
  if (!fails.curves.empty()) figure.panels.push_back(fails);
  if (!all.curves.empty()) figure.panels.push_back(all);
  figure.panels.push_back(legend);
  const int panels = static_cast<int>(figure.panels.size());
  figure.columns = (panels + figure.rows - 1) / figure.rows;
  return figure;
}

ordered_json json_of(const Entry& entry) {
  ordered_json json{{"system", entry.name}};
  json.update(to_json(entry.numbers));
  if (entry.sweep.size() > 1) {
    ordered_json all_values = ordered_json::array();
    ordered_json all_intervals = ordered_json::array();
    bool sampled = false;
    for (const auto& at : entry.sweep) {
      ordered_json values = ordered_json::array();
      ordered_json intervals = ordered_json::array();
      for (const Estimate& estimate : at) {
        values.push_back(estimate.value);
        intervals.push_back({estimate.low, estimate.high});
        sampled = sampled || estimate.method == quorum::Method::sampling;
      }
      all_values.push_back(values);
      all_intervals.push_back(intervals);
    }
    json["availability_by_up"] = all_values;
    if (sampled) json["availability_by_up_ci95"] = all_intervals;
  }
  return json;
}

void draw_or_fail(const Figure& figure, const std::string& path, bool json) {
  if (const auto error = draw(figure, path)) throw Failure(error->message, kExitFound);
  if (!json) fmt::print("\npicture: {}\n", path);
}

void compare_side_by_side(const CompareOptions& options, const std::vector<double>& ups) {
  std::vector<System> systems;
  systems.reserve(options.specs.size());
  std::vector<std::string> unverified;  // specs of those of whose k only the file knows
  for (const std::string& spec : options.specs) {
    systems.push_back(read_system(spec));
    if (!verify_k(systems.back(), options.effort)) unverified.push_back(systems.back().spec());
  }
  std::vector<Entry> entries;
  {
    Progress progress("compared", systems.size());
    for (const System& system : systems) {
      if (interrupted()) break;
      progress.advance(quorum::visible(system.spec()));
      for (std::size_t i = 0; i < shown_families(system, options.groups); ++i) {
        entries.push_back(enter(system, i, ups, options.effort));
        if (interrupted()) entries.pop_back();  // cut short: what it says is not worth much
      }
    }
  }
  if (options.json) {
    ordered_json json{
        {"up", ups}, {"k_not_verified", unverified}, {"systems", ordered_json::array()}};
    for (const Entry& entry : entries) json["systems"].push_back(json_of(entry));
    print_json(json);
  } else {
    print_table(entries, ups.size() > 1);
    print_legend(ups.back());
    for (const std::string& spec : unverified)
      fmt::print("{}: k is as the file says; not verified: allow more --steps\n",
                 quorum::visible(spec));
    if (ups.size() > 1) print_sweep(entries, ups);
    for (const System& system : systems) {
      const std::string rest = text_of_rest(system, options.groups);
      if (!rest.empty()) fmt::print("\n{}:{}", title_of(system), rest);
    }
  }
  if (!options.plot.empty() && !entries.empty())
    draw_or_fail(figure_of(entries, ups), options.plot, options.json);
}

// The system of about n members.
System system_of_size(const std::string& spec, std::size_t n) {
  const std::string text = quorum::filled(spec, std::array{quorum::Hole{'N', n}});
  Result<System> system = quorum::parse_filled(text, read_file);
  if (!system) throw Failure(quorum::explain(system.error(), text));
  return *std::move(system);
}

struct Growth {
  std::string spec;  // with N in it
  std::vector<Entry> entries = {};
};

std::vector<Growth> measure_growth(const CompareOptions& options,
                                   const std::vector<std::size_t>& sizes, double p) {
  std::vector<Growth> growths;
  Progress progress("measured", options.specs.size() * sizes.size());
  for (const std::string& spec : options.specs) {
    if (!quorum::has_hole(spec, 'N')) {
      throw Failure(fmt::format(
          "with --sizes each spec must have =N where the size goes, such as majority:n=N, "
          "not '{}'",
          spec));
    }
    Growth& growth = growths.emplace_back(Growth{.spec = spec});
    std::unordered_set<std::string> seen;
    for (const std::size_t n : sizes) {
      if (interrupted()) return growths;
      const System system = system_of_size(spec, n);
      progress.advance(quorum::visible(system.spec()));
      if (!seen.insert(system.spec()).second) continue;
      growth.entries.push_back(enter(system, 0, {p}, options.effort));
      if (interrupted()) {
        growth.entries.pop_back();
        return growths;
      }
      growth.entries.back().name = system.spec();  // of a pair, the write quorums
    }
  }
  return growths;
}

Figure figure_of(const std::vector<Growth>& growths) {
  double least = 1e9;
  double most = 1;
  for (const Growth& growth : growths) {
    for (const Entry& entry : growth.entries) {
      least = std::min(least, static_cast<double>(entry.numbers.n));
      most = std::max(most, static_cast<double>(entry.numbers.n));
    }
  }
  const auto panel = [&](std::string title) {
    return Panel{.title = std::move(title),
                 .x_label = "members",
                 .x_range = {{least / 1.1, most * 1.1}},
                 .log_x = true};
  };
  Panel size = panel("expected quorum size");
  Panel load = panel("load");
  Panel resilience = panel("resilience");
  Panel down = panel("no quorum is up");
  Panel legend{.legend = true};
  down.log_y = true;
  for (std::size_t i = 0; i < growths.size(); ++i) {
    const Curve blank{.colour = static_cast<int>(i), .dashed = i >= 7};
    Curve title = blank;
    title.title = shortened(quorum::visible(growths[i].spec), kLegendWidth);
    legend.curves.push_back(title);
    Curve sizes = blank;
    Curve loads = blank;
    Curve failures = blank;
    Curve downs = blank;
    for (const Entry& entry : growths[i].entries) {
      const Numbers& numbers = entry.numbers;
      const auto n = static_cast<double>(numbers.n);
      if (numbers.expected_size) sizes.points.emplace_back(n, numbers.expected_size->value);
      if (numbers.load) loads.points.emplace_back(n, numbers.load->load);
      if (numbers.resilience)
        failures.points.emplace_back(n, static_cast<double>(*numbers.resilience));
      const double unavailable = 1 - numbers.availability.front().value;
      if (unavailable > kNoise) downs.points.emplace_back(n, unavailable);
    }
    for (auto [to, curve] :
         {std::pair{&size, &sizes}, {&load, &loads}, {&resilience, &failures}, {&down, &downs}}) {
      if (!curve->points.empty()) to->curves.push_back(*curve);
    }
  }
  Figure figure{.rows = 2, .columns = 3};
  for (Panel* each : {&size, &load, &resilience, &down, &legend}) {
    each->empty = each->curves.empty();
    figure.panels.push_back(*each);
  }
  return figure;
}

void compare_growth(const CompareOptions& options, double p) {
  const std::vector<Growth> growths =
      measure_growth(options, read_sizes(options.sizes, "--sizes"), p);
  if (options.json) {
    ordered_json json{{"up", p}, {"growth", ordered_json::array()}};
    for (const Growth& growth : growths) {
      ordered_json systems = ordered_json::array();
      for (const Entry& entry : growth.entries) systems.push_back(json_of(entry));
      json["growth"].push_back({{"spec", growth.spec}, {"systems", systems}});
    }
    print_json(json);
  } else {
    for (const Growth& growth : growths) {
      print_table(growth.entries, false);
      fmt::print("\n");
    }
    print_legend(p);
  }
  if (!options.plot.empty()) draw_or_fail(figure_of(growths), options.plot, options.json);
}

}  // namespace

void compare(const CompareOptions& given) {
  CompareOptions options = given;
  const std::vector<double> ups = read_probabilities(options.up, "--up");
  if (!options.plot.empty()) {
    if (const auto error = check_picture_path(options.plot)) throw Failure(error->message);
    if (options.sizes.empty() && ups.size() == 1) {
      throw Failure(
          "--plot draws curves: give a range, such as --up 0.5:0.99:0.01, or --sizes 5:50:5");
    }
  }
  interrupted();
  options.effort.stop = interrupted;
  if (options.sizes.empty()) {
    compare_side_by_side(options, ups);
    return;
  }
  if (ups.size() != 1) throw Failure("with --sizes, --up must be one probability");
  compare_growth(options, ups.front());
}

}  // namespace coterie::cli
