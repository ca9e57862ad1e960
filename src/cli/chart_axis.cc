#include "cli/chart_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"

namespace coterie::cli {
namespace {

// 1, 2 or 5 times a power of ten: the least that needs no more than `ticks` steps.
double round_step(double span, std::size_t ticks) {
  const double rough = span / static_cast<double>(ticks);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// One value alone would have no axis.
std::pair<double, double> opened(double least, double most) {
  if (most > least) return {least, most};
  const double around = least == 0 ? 1 : std::abs(least) / 2;
  return {least - around, most + around};
}

std::string text_of_tick(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return fmt::format("{:.3g}", value);
  return fmt::format("{:.6g}", value);
}

}  // namespace

Axis Axis::rounded(double least, double most, std::size_t ticks) {
  const auto [from, to] = opened(least, most);
  const double step = round_step(to - from, ticks);
  Axis axis(std::floor(from / step + 1e-9) * step, std::ceil(to / step - 1e-9) * step, false);
  axis.mark_steps(step);
  return axis;
}

Axis Axis::exact(double least, double most, std::size_t ticks) {
  const auto [from, to] = opened(least, most);
  Axis axis(from, to, false);
  axis.mark_steps(round_step(to - from, ticks));
  return axis;
}

Axis Axis::logarithmic(double least, double most, bool is_rounded) {
  COTERIE_ASSERT(least > 0);
  if (most <= least) {
    least /= 2;
    most *= 2;
  }
  constexpr std::array<double, 3> kWithin{1, 2, 5};
  const double decades = std::log10(most / least);
  const std::size_t each = decades > 3 ? 1 : kWithin.size();  // marks per decade
  const auto marks = [&](double decade) {
    std::vector<double> values;
    for (std::size_t i = 0; i < each; ++i) values.push_back(kWithin[i] * std::pow(10, decade));
    return values;
  };
  std::vector<double> values;
  for (double decade = std::floor(std::log10(least)); decade <= std::ceil(std::log10(most));
       ++decade) {
    for (const double value : marks(decade)) values.push_back(value);
  }
  if (is_rounded) {
    const auto above = std::upper_bound(values.begin(), values.end(), least * (1 + 1e-9));
    if (above != values.begin()) least = *std::prev(above);
    const auto below = std::lower_bound(values.begin(), values.end(), most * (1 - 1e-9));
    if (below != values.end()) most = *below;
  }
  Axis axis(least, most, true);
  for (const double value : values) {
    if (value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9))
      axis.ticks_.push_back({value, text_of_tick(value)});
  }
  return axis;
}

Axis Axis::named(const std::vector<std::string>& names) {
  Axis axis(-0.5, static_cast<double>(names.size()) - 0.5, false);
  for (std::size_t i = 0; i < names.size(); ++i)
    axis.ticks_.push_back({static_cast<double>(i), names[i]});
  return axis;
}

double Axis::place(double value) const {
  const double place = is_log_ ? std::log(value / least_) / std::log(most_ / least_)
                               : (value - least_) / (most_ - least_);
  return std::clamp(place, 0.0, 1.0);
}

void Axis::mark_steps(double step) {
  const double first = std::ceil(least_ / step - 1e-9);
  const double last = std::floor(most_ / step + 1e-9);
  for (double i = first; i <= last; ++i) {
    const double value = i == 0 ? 0 : i * step;  // no minus before zero
    ticks_.push_back({value, text_of_tick(value)});
  }
}

}  // namespace coterie::cli
