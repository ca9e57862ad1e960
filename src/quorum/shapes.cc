#include "quorum/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "coterie/constructions.h"
#include "quorum/limits.h"

namespace coterie::quorum {
namespace {

Error no_such_n(std::string message, std::string nearest) {
  return {.message = std::move(message), .parameter = "n", .nearest = std::move(nearest)};
}

std::optional<Error> check_n_and_k(std::size_t n, std::size_t k) {
  if (auto error = check_members(n)) return error;
  return outside("k", k, 1, n);
}

std::size_t points(std::size_t order) { return order * order + order + 1; }

// The divisors of n, nearest to `ideal` (as a ratio) first.
std::vector<std::size_t> divisors_near(std::size_t n, double ideal) {
  std::vector<std::size_t> divisors;
  for (std::size_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    divisors.push_back(d);
    if (d * d != n) divisors.push_back(n / d);
  }
  const auto distance = [&](std::size_t d) {
    return std::abs(std::log(static_cast<double>(d) / ideal));
  };
  std::sort(divisors.begin(), divisors.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(distance(a), a) < std::pair(distance(b), b);
  });
  return divisors;
}

std::optional<System> legal_torus(std::size_t n, std::size_t k) {
  const double ideal_rows = std::sqrt(static_cast<double>(n) * static_cast<double>(k + 1));
  for (const std::size_t rows : divisors_near(n, ideal_rows)) {
    if (Result<System> system = torus(rows, n / rows, k)) return std::move(*system);
  }
  return std::nullopt;
}

// k rows of any width are always legal, so there is one less than k away; mostly much nearer.
std::string nearest_torus(std::size_t n, std::size_t k) {
  constexpr std::size_t kMaxDistance = 64;
  for (std::size_t distance = 1; distance <= std::min(kMaxDistance, k); ++distance) {
    for (const std::size_t near : {n + distance, n - std::min(distance, n - 1)}) {
      if (near > kMaxMembers || near < k) continue;
      if (const std::optional<System> system = legal_torus(near, k)) return system->spec();
    }
  }
  const Result<System> system = torus(k, std::max<std::size_t>(2, n / k), k);
  return system ? system->spec() : "";
}

}  // namespace

std::size_t near_square_cols(std::size_t n) {
  auto cols = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (cols * cols < n) ++cols;
  return cols;
}

Result<System> plane_of(std::size_t n) {
  if (auto error = check_members(n)) return std::move(*error);
  std::size_t order = 1;
  while (points(order + 1) <= n) ++order;
  if (points(order) == n) return plane(order);
  if (n > points(order) && points(order + 1) - n < n - points(order)) ++order;
  const Result<System> near = plane(order);
  return no_such_n(
      fmt::format("n must be q*q+q+1 for an order q that is a prime or a power of one, "
                  "not {}",
                  n),
      near ? near->spec() : near.error().nearest);
}

Result<System> torus_of(std::size_t n, std::size_t k) {
  if (auto error = check_n_and_k(n, k)) return std::move(*error);
  if (std::optional<System> system = legal_torus(n, k)) return std::move(*system);
  return no_such_n(fmt::format("no torus for k = {} has {} members", k, n), nearest_torus(n, k));
}

Result<System> cohorts_of(std::size_t n, std::size_t k) {
  if (auto error = check_n_and_k(n, k)) return std::move(*error);
  const std::size_t width = k == 1 ? 2 : 2 * k - 1;
  const std::size_t more = (n - k) / width;
  const std::size_t left = (n - k) % width;
  const auto sizes_with = [&](std::size_t count) {
    std::vector<std::size_t> sizes(1 + count, width);
    sizes.front() = k;
    return sizes;
  };
  if (left == 0) return cohorts(k, sizes_with(more));
  const bool is_nearer_above = width - left < left && n + width - left <= kMaxMembers;
  const Result<System> near = cohorts(k, sizes_with(is_nearer_above ? more + 1 : more));
  return no_such_n(fmt::format("cohorts of {} and then {} members each do not add up to {}; give "
                               "sizes, or another n",
                               k, width, n),
                   near ? near->spec() : "");
}

Result<System> wall_of(std::size_t n) {
  if (auto error = check_members(n)) return std::move(*error);
  std::vector<std::size_t> widths;
  std::size_t left = n;
  for (std::size_t width = 1; width <= left; ++width) {
    widths.push_back(width);
    left -= width;
  }
  widths.back() += left;
  return wall(widths);
}

}  // namespace coterie::quorum
