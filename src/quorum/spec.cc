// The table of constructions, and from a spec to a system.
#include "coterie/spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "coterie/constructions.h"
#include "quorum/arguments.h"
#include "quorum/limits.h"
#include "quorum/shapes.h"
#include "quorum/spec_text.h"

namespace coterie::quorum {
namespace {

struct Construction {
  ConstructionInfo info;
  std::array<std::string_view, 4> keys;       // as many as are not empty
  Result<System> (*build)(Arguments& given);  // none for a file: it has no parameters

  std::span<const std::string_view> known_keys() const {
    const auto count =
        std::count_if(keys.begin(), keys.end(), [](auto key) { return !key.empty(); });
    return std::span(keys).first(static_cast<std::size_t>(count));
  }
};

// A construction whose one parameter is n.
template <Result<System> (*Make)(std::size_t)>
Result<System> build_from_n(Arguments& given) {
  const std::size_t n = given.number("n");
  return given.build([&] { return Make(n); });
}

template <Result<System> (*Make)(std::size_t, std::size_t)>
Result<System> build_from_n_and_k(Arguments& given) {
  const std::size_t n = given.number("n");
  const std::size_t k = given.number("k");
  return given.build([&] { return Make(n, k); });
}

Result<System> build_majority(Arguments& given) {
  const std::size_t n = given.number("n");
  const bool halves = given.yes_or_no("halves", true);
  return given.build([&] { return majority(n, halves); });
}

Result<System> build_weighted(Arguments& given) {
  const std::vector<std::size_t> votes = given.list("votes");
  const std::size_t threshold = given.number_or("threshold", 0);
  return given.build([&] { return weighted(votes, threshold); });
}

Result<System> build_grid(Arguments& given) {
  if (given.has("n")) {
    given.refuse("rows", "rows follow from n: give n and cols, or rows and cols");
    const std::size_t n = given.number("n");
    const std::size_t cols = given.number_or("cols", near_square_cols(n));
    return given.build([&] { return grid(n, cols); });
  }
  const std::size_t rows = given.number("rows");
  const std::size_t cols = given.number("cols");
  return given.build([&]() -> Result<System> {
    if (auto error = outside("rows", rows, 1, kMaxMembers)) return std::move(*error);
    if (auto error = outside("cols", cols, 1, kMaxMembers)) return std::move(*error);
    return grid(rows * cols, cols);
  });
}

Result<System> build_grid_rw(Arguments& given) {
  const std::size_t rows = given.number("rows");
  const std::size_t cols = given.number("cols");
  return given.build([&] { return grid_rw(rows, cols); });
}

Result<System> build_plane(Arguments& given) {
  if (given.has("n")) {
    given.refuse("order", "order follows from n: give one of them");
    return build_from_n<plane_of>(given);
  }
  const std::size_t order = given.number("order");
  return given.build([&] { return plane(order); });
}

Result<System> build_torus(Arguments& given) {
  if (given.has("n")) {
    given.refuse("rows", "rows follow from n and k: give rows, cols and k, or n and k");
    given.refuse("cols", "cols follow from n and k: give rows, cols and k, or n and k");
    return build_from_n_and_k<torus_of>(given);
  }
  const std::size_t rows = given.number("rows");
  const std::size_t cols = given.number("cols");
  const std::size_t k = given.number("k");
  return given.build([&] { return torus(rows, cols, k); });
}

Result<System> build_cohorts(Arguments& given) {
  if (given.has("n")) {
    given.refuse("sizes", "sizes follow from n and k: give k and sizes, or n and k");
    return build_from_n_and_k<cohorts_of>(given);
  }
  const std::size_t k = given.number("k");
  const std::vector<std::size_t> sizes = given.list("sizes");
  return given.build([&] { return cohorts(k, sizes); });
}

Result<System> build_surficial(Arguments& given) {
  const std::size_t groups = given.number("groups");
  const std::size_t degree = given.number("degree");
  return given.build([&] { return surficial(groups, degree); });
}

Result<System> build_wall(Arguments& given) {
  if (given.has("n")) {
    given.refuse("widths", "widths follow from n: give one of them");
    return build_from_n<wall_of>(given);
  }
  const std::vector<std::size_t> widths = given.list("widths");
  return given.build([&] { return wall(widths); });
}

constexpr std::array kConstructions = {
    Construction{{"majority", "n=N[,halves=yes|no]", "majority:n=5",
                  "more than half; of an even n also the halves that have member 0"},
                 {"n", "halves"},
                 build_majority},
    Construction{{"weighted", "votes=V/V/...[,threshold=T]", "weighted:votes=3/1/1",
                  "members whose votes reach the threshold, by default more than half"},
                 {"votes", "threshold"},
                 build_weighted},
    Construction{{"grid", "rows=R,cols=C or n=N[,cols=C]", "grid:rows=5,cols=5",
                  "a full row and a full column"},
                 {"rows", "cols", "n"},
                 build_grid},
    Construction{{"grid-rw", "rows=R,cols=C", "grid-rw:rows=2,cols=3",
                  "write: one of each row; read: a full row"},
                 {"rows", "cols"},
                 build_grid_rw},
    Construction{{"plane", "order=Q or n=N", "plane:order=3",
                  "a line of the projective plane over a field of Q elements"},
                 {"order", "n"},
                 build_plane},
    Construction{
        {"torus", "rows=R,cols=C,k=K or n=N,k=K", "torus:rows=6,cols=4,k=2",
         "write: a full row and one of each of the next R/(K+1) rows; read: one of each row"},
        {"rows", "cols", "k", "n"},
        build_torus},
    Construction{{"cohorts", "k=K,sizes=S/S/... or n=N,k=K", "cohorts:k=2,sizes=2/3/3",
                  "all but K-1 of one cohort and one of each cohort after it"},
                 {"k", "sizes", "n"},
                 build_cohorts},
    Construction{
        {"k-majority", "n=N,k=K", "k-majority:n=9,k=2", "any (N+1)/(K+1) members, rounded up"},
        {"n", "k"},
        build_from_n_and_k<k_majority>},
    Construction{{"k-singleton", "n=N,k=K", "k-singleton:n=5,k=2", "one of the first K members"},
                 {"n", "k"},
                 build_from_n_and_k<k_singleton>},
    Construction{{"surficial", "groups=M,degree=D", "surficial:groups=3,degree=2",
                  "for each group its own; quorums of different groups meet in one member"},
                 {"groups", "degree"},
                 build_surficial},
    Construction{{"tree", "n=N", "tree:n=7",
                  "a path from the root to a leaf, both ways around each missing member"},
                 {"n"},
                 build_from_n<tree>},
    Construction{{"wall", "widths=W/W/... or n=N", "wall:widths=1/2/3",
                  "a full row and one of each row below it"},
                 {"widths", "n"},
                 build_wall},
    Construction{{"wheel", "n=N", "wheel:n=5", "member 0 and one other, or all others"},
                 {"n"},
                 build_from_n<wheel>},
    Construction{{"all", "n=N", "all:n=3", "everybody"}, {"n"}, build_from_n<all>},
    Construction{{"file", "PATH", "file:quorums.json", "what a JSON file lists"}, {}, nullptr},
};

constexpr auto kInfos = [] {
  std::array<ConstructionInfo, kConstructions.size()> infos;
  std::transform(kConstructions.begin(), kConstructions.end(), infos.begin(),
                 [](const Construction& construction) { return construction.info; });
  return infos;
}();

// Insertions, deletions and replacements of characters that make one word of the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

Error unknown_name(std::string_view name, std::size_t at) {
  constexpr std::size_t kLongestShown = 40;
  const std::string_view shown = name.substr(0, kLongestShown);
  std::string meant(shown);
  for (char& c : meant) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto distance = [&](const ConstructionInfo& info) {
    return edit_distance(meant, info.name);
  };
  const auto nearest =
      std::min_element(kInfos.begin(), kInfos.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  if (distance(*nearest) <= nearest->name.size() / 2) {
    return error_at(
        at, fmt::format("there is no system '{}'; did you mean '{}'?", shown, nearest->name));
  }
  std::array<std::string_view, kInfos.size()> names;
  std::transform(kInfos.begin(), kInfos.end(), names.begin(),
                 [](const auto& info) { return info.name; });
  return error_at(
      at, fmt::format("there is no system '{}'; there are {}", shown, fmt::join(names, ", ")));
}

class Builder {
 public:
  Builder(std::string_view spec, const ReadFile& read_file) : spec_(spec), read_file_(read_file) {}

  Result<System> build(const SystemText& text) const {
    Result<System> outer = build_base(text);
    if (!outer || text.inner.empty()) return outer;
    if (text.is_list && text.inner.size() != outer->n()) {
      return error_at(text.inner_at,
                      fmt::format("a list has one system for each member of {}, so {}, not {}",
                                  outer->spec(), outer->n(), text.inner.size()));
    }
    std::vector<System> inner;
    std::size_t n = 0;
    for (const SystemText& inner_text : text.inner) {
      Result<System> system = build(inner_text);
      if (!system) return system;
      n += system->n();
      // Said here too, so that a list of large systems is not built first.
      if (n > kMaxMembers) {
        return error_at(inner_text.at, fmt::format("there may be {} members in all", kMaxMembers));
      }
      inner.push_back(std::move(*system));
    }
    Result<System> whole = compose(*outer, inner);
    if (whole) return whole;
    return error_at(text.inner_at, whole.error().message);
  }

 private:
  Result<System> build_base(const SystemText& text) const {
    const auto construction =
        std::find_if(kConstructions.begin(), kConstructions.end(),
                     [&](const Construction& c) { return c.info.name == text.name; });
    if (construction == kConstructions.end()) return unknown_name(text.name, text.at);
    if (construction->build == nullptr) return build_file(text);
    Arguments given(text, construction->info.parameters, construction->known_keys());
    Result<System> system = construction->build(given);
    if (system) return system;
    Error error = system.error();
    if (error.nearest.empty()) return error;
    error.nearest = nearest_whole(text, completed(text, error.nearest));
    if (error.nearest.empty()) return error;
    // One mistake may hide another: what is named must be legal.
    const Result<System> again = parse(error.nearest, read_file_);
    if (!again) error.nearest = again.error().nearest;
    return error;
  }

  Result<System> build_file(const SystemText& text) const {
    if (!read_file_) return error_at(text.path_at, "files cannot be read here");
    const std::string path(text.path);
    const Result<std::string> content = read_file_(path);
    if (!content) return error_at(text.path_at, content.error().message);
    Result<System> system = explicit_system(*content, path);
    if (system) return system;
    return error_at(text.path_at, system.error().message);
  }

  // A construction may name only the parameter to change: n=1.
  std::string completed(const SystemText& text, const std::string& nearest) const {
    const std::size_t equals = nearest.find('=');
    if (equals == std::string::npos || nearest.find(':') != std::string::npos) return nearest;
    for (const ParameterText& parameter : text.parameters) {
      if (parameter.key != std::string_view(nearest).substr(0, equals)) continue;
      std::string base(spec_.substr(text.at, text.end - text.at));
      return base.replace(parameter.value_at - text.at, parameter.value.size(),
                          nearest.substr(equals + 1));
    }
    return {};
  }

  // The whole spec, with the nearest legal base in the place of the one at fault; nothing if that
  // would need another number of inner systems.
  std::string nearest_whole(const SystemText& text, const std::string& base) const {
    if (text.is_list || base.empty()) return {};
    return std::string(spec_.substr(0, text.at)) + base + std::string(spec_.substr(text.end));
  }

  std::string_view spec_;
  const ReadFile& read_file_;
};

}  // namespace

Result<System> parse(std::string_view spec, const ReadFile& read_file) {
  const Result<SystemText> text = read_system(spec);
  if (!text) return text.error();
  return Builder(spec, read_file).build(*text);
}

std::span<const ConstructionInfo> constructions() { return kInfos; }

}  // namespace coterie::quorum
