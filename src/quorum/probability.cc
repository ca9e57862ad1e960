#include "quorum/probability.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>

namespace coterie::quorum {

double at_least(std::size_t count, std::size_t trials, double p) {
  if (count == 0) return 1;
  if (count > trials || p <= 0) return 0;
  if (p >= 1) return 1;
  const auto a = static_cast<double>(count);
  const auto b = static_cast<double>(trials - count + 1);
  return boost::math::ibeta(a, b, p);
}

double between(std::size_t a, std::size_t b, std::size_t trials, double p) {
  if (a > b) return 0;
  double sum = 0;
  // Few terms are summed, so that small probabilities are not lost in a difference of large ones.
  for (std::size_t i = a; i <= std::min(b, trials); ++i) {
    if (p <= 0 || p >= 1) {
      sum += i == (p <= 0 ? 0 : trials) ? 1 : 0;
    } else {
      sum += boost::math::ibeta_derivative(static_cast<double>(i) + 1,
                                           static_cast<double>(trials - i) + 1, p) /
             static_cast<double>(trials + 1);
    }
  }
  return sum;
}

double at_least(std::size_t count, std::span<const double> up) {
  if (count == 0) return 1;
  if (count > up.size()) return 0;
  if (all_equal(up)) return at_least(count, up.size(), up.front());
  // exactly[i]: P(i are up so far), for i < count; the rest has already reached the count.
  std::vector<double> exactly(count, 0.0);
  exactly[0] = 1;
  double reached = 0;
  for (const double p : up) {
    reached += exactly[count - 1] * p;
    for (std::size_t i = count - 1; i > 0; --i) {
      exactly[i] = exactly[i] * (1 - p) + exactly[i - 1] * p;
    }
    exactly[0] *= 1 - p;
  }
  return reached;
}

std::vector<double> count_distribution(std::span<const double> up) {
  std::vector<double> exactly(up.size() + 1, 0.0);
  exactly[0] = 1;
  std::size_t seen = 0;
  for (const double p : up) {
    ++seen;
    for (std::size_t i = seen; i > 0; --i) {
      exactly[i] = exactly[i] * (1 - p) + exactly[i - 1] * p;
    }
    exactly[0] *= 1 - p;
  }
  return exactly;
}

bool all_equal(std::span<const double> up) {
  return std::adjacent_find(up.begin(), up.end(), std::not_equal_to<>()) == up.end();
}

}  // namespace coterie::quorum
