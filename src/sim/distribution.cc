#include "sim/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/assert.h"
#include "base/text.h"

namespace coterie::sim {
namespace {

constexpr double kMaxTime = 1e12;       // of one draw: sums of them must stay exact enough
constexpr double kMaxLogarithm = 20.0;  // exp(20) is half a billion

// Box and Muller's transformation. One of its two values is thrown away, so that a draw has no memory.
double draw_normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

template <class... Visitor>
struct Overloaded : Visitor... {
  using Visitor::operator()...;
};
template <class... Visitor>
Overloaded(Visitor...) -> Overloaded<Visitor...>;

Error wrong(std::string message) {
  Error error;
  error.message = std::move(message);
  return error;
}

// The numbers after the name, each in the limits.
Result<std::vector<double>> parse_parameters(std::string_view text, std::size_t count, double least,
                                             double most) {
  std::vector<std::string_view> parts = split(text, ':');
  const std::string name(parts.front());
  parts.erase(parts.begin());
  if (parts.size() != count) {
    return wrong(fmt::format("{} takes {} number{}, not {}, in \"{}\"", name, count,
                             count == 1 ? "" : "s", parts.size(), text));
  }
  std::vector<double> numbers;
  for (const std::string_view part : parts) {
    const auto number = number_in<double>(part);
    if (!number || !(*number >= least && *number <= most)) {
      return wrong(
          fmt::format(R"("{}" in "{}" must be a number from {} to {})", part, text, least, most));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

Distribution Distribution::constant(double value) {
  return {Constant{value}, fmt::format("const:{}", value)};
}

Distribution Distribution::uniform(double least, double most) {
  return {Uniform{least, most}, fmt::format("uniform:{}:{}", least, most)};
}

Distribution Distribution::exponential(double mean) {
  return {Exponential{mean}, fmt::format("exp:{}", mean)};
}

Distribution Distribution::log_normal(double mu, double sigma) {
  return {LogNormal{mu, sigma}, fmt::format("lognormal:{}:{}", mu, sigma)};
}

Distribution Distribution::of_values(std::vector<double> values, std::string text) {
  COTERIE_ASSERT(!values.empty());
  return {Values{std::move(values)}, std::move(text)};
}

double Distribution::draw(Random& random) const {
  return std::visit(
      Overloaded{
          [](const Constant& it) { return it.value; },
          [&](const Uniform& it) { return it.least + (it.most - it.least) * random.uniform(); },
          [&](const Exponential& it) { return -it.mean * std::log(1 - random.uniform()); },
          [&](const LogNormal& it) { return std::exp(it.mu + it.sigma * draw_normal(random)); },
          [&](const Values& it) { return it.values[random.below(it.values.size())]; }},
      kind_);
}

double Distribution::mean() const {
  return std::visit(
      Overloaded{[](const Constant& it) { return it.value; },
                 [](const Uniform& it) { return (it.least + it.most) / 2; },
                 [](const Exponential& it) { return it.mean; },
                 [](const LogNormal& it) { return std::exp(it.mu + it.sigma * it.sigma / 2); },
                 [](const Values& it) {
                   return std::accumulate(it.values.begin(), it.values.end(), 0.0) /
                          static_cast<double>(it.values.size());
                 }},
      kind_);
}

Result<Distribution> parse_distribution(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const bool has_one = name == "const" || name == "exp";
  if (has_one || name == "uniform") {
    const auto numbers = parse_parameters(text, has_one ? 1 : 2, 0, kMaxTime);
    if (!numbers) return numbers.error();
    if (name == "const") return Distribution::constant(numbers->front());
    if (name == "exp") return Distribution::exponential(numbers->front());
    if (numbers->front() > numbers->back()) {
      return wrong(fmt::format("the least of \"{}\" is more than the most", text));
    }
    return Distribution::uniform(numbers->front(), numbers->back());
  }
  if (name == "lognormal") {
    const auto numbers = parse_parameters(text, 2, -kMaxLogarithm, kMaxLogarithm);
    if (!numbers) return numbers.error();
    if (numbers->back() < 0) {
      return wrong(fmt::format("the standard deviation of \"{}\" is negative", text));
    }
    return Distribution::log_normal(numbers->front(), numbers->back());
  }
  return wrong(
      fmt::format("\"{}\" is no distribution; there are const:VALUE, uniform:LEAST:MOST, "
                  "exp:MEAN, lognormal:MU:SIGMA and file:PATH",
                  text));
}

Result<std::vector<double>> parse_values(std::string_view text) {
  std::vector<double> values;
  std::size_t line_number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++line_number;
    std::string_view rest = line;
    while (true) {
      constexpr std::string_view kBetween = " \t\r,";
      rest.remove_prefix(std::min(rest.find_first_not_of(kBetween), rest.size()));
      if (rest.empty()) break;
      const std::string_view item = rest.substr(0, rest.find_first_of(kBetween));
      rest.remove_prefix(item.size());
      const auto value = number_in<double>(item);
      if (!value || !(*value >= 0 && *value <= kMaxTime)) {
        return wrong(fmt::format("line {}: \"{}\" must be a number from 0 to {}", line_number, item,
                                 kMaxTime));
      }
      values.push_back(*value);
    }
  }
  if (values.empty()) return wrong("it has no numbers");
  return values;
}

}  // namespace coterie::sim
