#include "cli/quorum_check.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "coterie/properties.h"
#include "quorum/visible.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using quorum::Finding;
using quorum::Kind;
using quorum::Report;
using quorum::System;
using quorum::Verdict;

struct Property {
  std::string_view key;
  std::string_view title;
  const Finding Report::*finding;
  bool defining;  // what makes it a quorum system; not being dominated is a merit
};

constexpr std::array<Property, 6> kProperties = {{
    {"intersection", "intersection", &Report::intersection, true},
    {"non_intersection", "non-intersection", &Report::non_intersection, true},
    {"minimality", "minimality", &Report::minimality, true},
    {"write_read_intersection", "write-read intersection", &Report::write_read_intersection, true},
    {"group_intersection", "group intersection", &Report::group_intersection, true},
    {"nondominated", "nondominated", &Report::nondominated, false},
}};

bool applies(const Property& property, const System& system) {
  if (property.finding == &Report::minimality) return true;
  if (property.finding == &Report::intersection) return true;
  if (property.finding == &Report::write_read_intersection)
    return system.kind() == Kind::write_read;
  if (property.finding == &Report::group_intersection) return system.kind() == Kind::groups;
  return system.kind() != Kind::groups;
}

std::string_view how_text(quorum::How how) {
  switch (how) {
    case quorum::How::search:
      return "by search";
    case quorum::How::theorem:
      return "by theorem";
    case quorum::How::none:
      return "";
  }
  return "";
}

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::yes:
      return "yes";
    case Verdict::no:
      return "NO";
    case Verdict::not_decided:
      return "not decided";
  }
  return "";
}

ordered_json finding_json(const Finding& finding, bool applied, const System& system) {
  ordered_json json;
  json["holds"] = finding.holds == Verdict::not_decided
                      ? ordered_json(nullptr)
                      : ordered_json(finding.holds == Verdict::yes);
  json["witness"] = ordered_json::array();
  for (const NodeSet& set : finding.witness) json["witness"].push_back(to_json(set, system));
  json["applies"] = applied;
  if (finding.how != quorum::How::none) json["how"] = how_text(finding.how).substr(3);
  if (!finding.why.empty()) json["why"] = finding.why;
  return json;
}

void print_report(const Report& report, const System& system) {
  fmt::print("{}\n{}, k = {}\n\n", title_of(system), counted(system.n(), "member"), system.k());
  for (const Property& property : kProperties) {
    const Finding& finding = report.*property.finding;
    if (!applies(property, system)) continue;
    fmt::print("{:<24} {:<12} {}\n", property.title, verdict_text(finding.holds),
               how_text(finding.how));
    if (finding.holds == Verdict::yes) continue;
    if (!finding.why.empty()) fmt::print("{}", wrapped("  " + finding.why, 2));
    for (const NodeSet& set : finding.witness) {
      fmt::print("    {}\n", cut_for_terminal(text_of(set, system), kColumns - 4));
    }
  }
}

}  // namespace

int check(const CheckOptions& options) {
  const System system = read_system(options.spec);
  interrupted();  // from here on Ctrl-C leaves what is not decided yet
  const Report report = quorum::check(system, options.steps, interrupted);
  if (options.json) {
    ordered_json json{{"spec", system.spec()}, {"n", system.n()}, {"k", system.k()}};
    for (const Property& property : kProperties) {
      json[std::string(property.key)] =
          finding_json(report.*property.finding, applies(property, system), system);
    }
    print_json(json);
  } else {
    print_report(report, system);
  }
  for (const Property& property : kProperties) {
    if (property.defining && (report.*property.finding).holds == Verdict::no) return kExitFound;
  }
  return 0;
}

}  // namespace coterie::cli
