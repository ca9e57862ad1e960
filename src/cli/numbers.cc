#include "cli/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/table.h"
#include "quorum/visible.h"

namespace coterie::cli {

using nlohmann::ordered_json;
using quorum::Estimate;
using quorum::Method;

namespace {

bool is_exact(const Estimate& estimate) { return estimate.method != Method::sampling; }

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

}  // namespace

Numbers measure(const quorum::Family& family, quorum::Up up, const quorum::Effort& effort) {
  Numbers numbers{.n = family.n(),
                  .k = family.k(),
                  .min_size = family.min_size(),
                  .max_size = family.max_size(),
                  .availability = quorum::availability(family, up, effort),
                  .expected_size = quorum::expected_size(family, up, effort)};
  Budget for_load(effort.steps, effort.stop);
  numbers.load = quorum::optimal_load(family, for_load);
  Budget for_resilience(effort.steps, effort.stop);
  numbers.resilience = quorum::resilience(family, for_resilience);
  Budget for_clients(effort.steps, effort.stop);
  numbers.clients = quorum::clients_range(family, for_clients);
  return numbers;
}

void print_json(const ordered_json& json) {
  // A path need not be UTF-8; JSON must be.
  fmt::print("{}\n", json.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

std::string method_of(const Numbers& numbers) {
  const auto least_exact =
      std::max_element(numbers.availability.begin(), numbers.availability.end(),
                       [](const Estimate& a, const Estimate& b) { return a.method < b.method; });
  return std::string(quorum::name(least_exact->method));
}

ordered_json to_json(const Numbers& numbers) {
  ordered_json json;
  json["n"] = numbers.n;
  json["k"] = numbers.k;
  json["method"] = method_of(numbers);
  json["availability"] = ordered_json::array();
  for (const Estimate& estimate : numbers.availability)
    json["availability"].push_back(estimate.value);
  if (method_of(numbers) == quorum::name(Method::sampling)) {
    json["availability_ci95"] = ordered_json::array();
    for (const Estimate& estimate : numbers.availability) {
      json["availability_ci95"].push_back({estimate.low, estimate.high});
    }
  }
  ordered_json size{{"min", numbers.min_size}, {"max", numbers.max_size}, {"expected", nullptr}};
  if (numbers.expected_size) {
    size["expected"] = numbers.expected_size->value;
    size["method"] = quorum::name(numbers.expected_size->method);
    if (!is_exact(*numbers.expected_size)) {
      size["expected_ci95"] = {numbers.expected_size->low, numbers.expected_size->high};
    }
  }
  json["quorum_size"] = size;
  json["load"] = numbers.load ? ordered_json(numbers.load->load) : ordered_json(nullptr);
  json["capacity"] = numbers.load ? ordered_json(numbers.load->capacity()) : ordered_json(nullptr);
  json["resilience"] = or_null(numbers.resilience);
  json["degree"] = numbers.k;
  json["clients"] = nullptr;
  if (numbers.clients) {
    json["clients"] = {{"min", numbers.clients->first}, {"max", numbers.clients->second}};
  }
  return json;
}

double half_width(const Estimate& estimate) {
  return std::max(estimate.value - estimate.low, estimate.high - estimate.value);
}

std::string text_of(const Estimate& estimate, int digits) {
  if (is_exact(estimate)) return fmt::format("{:.{}f}", estimate.value, digits);
  constexpr int kKnownDigits = 4;
  return fmt::format("~{:.{}f}", estimate.value, std::min(digits, kKnownDigits));
}

std::string text_of_size(const Numbers& numbers) {
  return numbers.min_size == numbers.max_size
             ? fmt::format("{}", numbers.min_size)
             : fmt::format("{}-{}", numbers.min_size, numbers.max_size);
}

std::string text_of_load(const Numbers& numbers) {
  return numbers.load ? fmt::format("{:.4f}", numbers.load->load) : "?";
}

std::string text_of_resilience(const Numbers& numbers) {
  return numbers.resilience ? fmt::format("{}", *numbers.resilience) : "?";
}

std::string title_of(const quorum::System& system) {
  return cut_for_terminal(quorum::visible(system.spec()), kColumns);
}

std::string text_of(NodeId member, const quorum::System& system) {
  return quorum::visible(system.label(member));
}

std::string text_of(const NodeSet& set, const quorum::System& system) {
  std::vector<std::string> labels;
  for (const NodeId member : set) labels.push_back(text_of(member, system));
  return fmt::format("{{{}}}", fmt::join(labels, ","));
}

ordered_json to_json(const NodeSet& set, const quorum::System& system) {
  ordered_json json = ordered_json::array();
  for (const NodeId member : set) {
    // A label that is a number is one in JSON too.
    const std::string& label = system.label(member);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), value);
    const bool is_number = error == std::errc{} && end == label.data() + label.size() &&
                           std::to_string(value) == label;  // "007" is a name
    json.push_back(is_number ? ordered_json(value) : ordered_json(label));
  }
  return json;
}

std::string family_name(const quorum::System& system, std::size_t index) {
  switch (system.kind()) {
    case quorum::Kind::coterie:
      return "quorums";
    case quorum::Kind::write_read:
      return index == 0 ? "write" : "read";
    case quorum::Kind::groups:
      return fmt::format("group {}", index);
  }
  return {};
}

std::size_t shown_families(const quorum::System& system, std::size_t groups) {
  const std::size_t families = system.family_count();
  return system.kind() == quorum::Kind::groups ? std::min(families, groups) : families;
}

std::string text_of_rest(const quorum::System& system, std::size_t groups) {
  const std::size_t rest = system.family_count() - shown_families(system, groups);
  if (rest == 0) return "";
  return fmt::format("\n{} more group{}: --groups {} shows all\n", rest, rest == 1 ? "" : "s",
                     system.family_count());
}

}  // namespace coterie::cli
