#include "cli/check_list.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "cli/table.h"
#include "protocol/catalogue.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using protocol::Entry;
using protocol::Problem;

std::string_view text_of(Problem problem) {
  switch (problem) {
    case Problem::mutex:
      return "at most one inside";
    case Problem::semaphore:
      return "at most k inside";
    case Problem::room:
      return "one group inside";
    case Problem::rooms:
      return "at most k groups inside";
    case Problem::floor:
      return "at least l inside";
    case Problem::band:
      return "at least l and at most k inside";
  }
  return "";
}

// The items of a list, their names in one column.
void print_items(char mark, const auto& items) {
  std::size_t width = 0;
  for (const auto& item : items) width = std::max(width, item.name.size());
  for (const auto& item : items) {
    fmt::print("{}", wrapped(fmt::format("  {}{:<{}}  {}", mark, item.name, width, item.meaning),
                             width + 5));
  }
}

ordered_json json_of(const auto& items) {
  ordered_json json = ordered_json::array();
  for (const auto& item : items) json.push_back({{"name", item.name}, {"meaning", item.meaning}});
  return json;
}

}  // namespace

void list_protocols(bool json) {
  if (json) {
    ordered_json all = ordered_json::array();
    for (const Entry& entry : protocol::catalogue()) {
      all.push_back({{"name", entry.name},
                     {"paper", entry.title},
                     {"rule", text_of(entry.problem)},
                     {"needs_system", entry.needs_system},
                     {"parts", entry.parts},
                     {"variants", json_of(entry.variants)},
                     {"mutants", json_of(entry.mutants)}});
    }
    print_json(ordered_json{{"protocols", all}});
    return;
  }
  for (const Entry& entry : protocol::catalogue()) {
    const std::string parts = entry.parts == 0 ? "" : entry.parts == 1 ? "[part]" : "[part;part]";
    fmt::print("{}",
               wrapped(fmt::format("{}{}: {}", entry.name, parts, text_of(entry.problem)), 2));
    fmt::print("{}", wrapped(fmt::format("  {}", entry.title), 2));
    print_items('+', entry.variants);
    print_items('@', entry.mutants);
    fmt::print("\n");
  }
  fmt::print("{}", wrapped("+variants are ways of an algorithm, as in surrogate+entry+multi; "
                           "@mutants are errors of printed versions, one at a time, as in "
                           "surrogate@E1.",
                           0));
}

}  // namespace coterie::cli
