#include "cli/quorum_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/verified_system.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using quorum::Family;
using quorum::System;

constexpr std::size_t kMaxCounted = 100'000;  // quorums, before the count is given up
constexpr std::size_t kMaxRows = 24;          // of an arrangement that is drawn

struct Listing {
  std::vector<NodeSet> first;
  std::size_t count = 0;
  bool complete = true;  // false: there are more than `count`
};

Listing list_quorums(const Family& family, std::size_t limit) {
  Listing listing;
  listing.complete = family.for_each_quorum([&](const NodeSet& quorum) {
    if (listing.count == std::max(limit, kMaxCounted)) return false;
    if (listing.first.size() < limit) listing.first.push_back(quorum);
    ++listing.count;
    return true;
  });
  return listing;
}

// The arrangement, with [ ] around the members of `marked`.
std::string drawing(const System& system, const NodeSet& marked) {
  std::size_t width = 1;
  for (NodeId member = 0; member < system.n(); ++member) {
    width = std::max(width, text_of(member, system).size());
  }
  std::string out;
  std::size_t lines = 0;
  for (const auto& row : system.layout()) {
    std::string line = "  ";
    for (const NodeId member : row) {
      const bool in = marked.contains(member);
      const std::string cell =
          fmt::format("{}{:>{}}{}", in ? '[' : ' ', text_of(member, system), width, in ? ']' : ' ');
      const bool is_list = system.layout().size() == 1;
      if (line.size() + cell.size() > (is_list ? kColumns : most_columns()) - 4) {
        if (is_list && lines < kMaxRows) {  // it goes on below
          out += line + "\n";
          line = "  ";
          ++lines;
        } else {
          line += " ..";
          break;
        }
      }
      line += cell;
    }
    if (++lines > kMaxRows) return out + "   ..\n";
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string size_text(const Family& family) {
  const std::string most = counted(family.max_size(), "member");
  return family.min_size() == family.max_size() ? most
                                                : fmt::format("{} to {}", family.min_size(), most);
}

void print_family(const System& system, std::size_t index, const ShowOptions& options) {
  const Family& family = system.family(index);
  const Listing listing = list_quorums(family, options.limit);
  const std::string count = listing.complete ? fmt::format("{}", listing.count)
                                             : fmt::format("more than {}", listing.count);
  fmt::print("\n{}: {} of {}, at most {} disjoint\n", family_name(system, index), count,
             size_text(family), family.k());
  const auto member = static_cast<NodeId>(options.member);
  fmt::print("{}", drawing(system, family.home_quorum(member)));
  fmt::print("  [ ] the home quorum of member {}\n", text_of(member, system));
  for (const NodeSet& quorum : listing.first) {
    fmt::print("  {}\n", cut_for_terminal(text_of(quorum, system), kColumns - 2));
  }
  if (!listing.complete || listing.count > listing.first.size()) fmt::print("  ..\n");
}

ordered_json family_json(const System& system, std::size_t index, const ShowOptions& options) {
  const Family& family = system.family(index);
  const Listing listing = list_quorums(family, options.limit);
  ordered_json quorums = ordered_json::array();
  for (const NodeSet& quorum : listing.first) quorums.push_back(to_json(quorum, system));
  return {{"k", family.k()},
          {"quorum_size", {{"min", family.min_size()}, {"max", family.max_size()}}},
          {"count", listing.complete ? ordered_json(listing.count) : ordered_json(nullptr)},
          {"home_quorum", to_json(family.home_quorum(static_cast<NodeId>(options.member)), system)},
          {"quorums", quorums}};
}

ordered_json system_json(const System& system, const ShowOptions& options) {
  ordered_json json{{"spec", system.spec()}, {"n", system.n()}, {"k", system.k()}};
  json["members"] = to_json(NodeSet::all(system.n()), system);
  switch (system.kind()) {
    case quorum::Kind::coterie:
      json["kind"] = "coterie";
      json.update(family_json(system, 0, options));
      break;
    case quorum::Kind::write_read:
      json["kind"] = "write-read";
      json["write"] = family_json(system, 0, options);
      json["read"] = family_json(system, 1, options);
      break;
    case quorum::Kind::groups:
      json["kind"] = "groups";
      json["group_count"] = system.family_count();
      json["groups"] = ordered_json::array();
      for (std::size_t i = 0; i < shown_families(system, options.groups); ++i) {
        json["groups"].push_back(family_json(system, i, options));
      }
      break;
  }
  return json;
}

}  // namespace

void show(const ShowOptions& options) {
  const System system = read_verified_system(options.spec);
  if (options.member >= system.n()) {
    throw Failure(
        fmt::format("--member must be from 0 to {}, not {}", system.n() - 1, options.member));
  }
  if (options.json) {
    print_json(system_json(system, options));
    return;
  }
  fmt::print("{}\n{}, k = {}\n", title_of(system), counted(system.n(), "member"), system.k());
  const std::size_t shown = shown_families(system, options.groups);
  for (std::size_t i = 0; i < shown; ++i) print_family(system, i, options);
  fmt::print("{}", text_of_rest(system, options.groups));
}

}  // namespace coterie::cli
