#include "sim/measures.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/assert.h"

namespace coterie::sim {
namespace {

constexpr std::array kMetrics = {
    Metric{"messages_per_entry", "messages per entry", "messages sent, those to oneself included",
           &Measures::messages_per_entry, true},
    Metric{"messages_per_entry_remote", "remote messages per entry",
           "messages sent to other machines", &Measures::messages_per_entry_remote, true},
    Metric{"bits_per_entry", "bits per entry",
           "ceil(log2 n) + 32 + ceil(log2 groups) for every request that a remote message names",
           &Measures::bits_per_entry, false},
    Metric{"waiting_time", "waiting time", "from asking to being inside; floors: to being outside",
           &Measures::waiting_time, true},
    Metric{"waiting_time_median", "waiting time, median", "half of the requests waited no longer",
           &Measures::waiting_time_median, false},
    Metric{"waiting_time_p99", "waiting time, p99", "99 of 100 requests waited no longer",
           &Measures::waiting_time_p99, true},
    Metric{"waiting_time_max", "waiting time, longest", "of all requests",
           &Measures::waiting_time_max, false},
    Metric{"waiting_hops", "hops to enter",
           "remote messages on the chain that ended the waiting, from what a user did on",
           &Measures::waiting_hops, true},
    Metric{"sync_delay", "synchronization delay",
           "from when there is room again to the next entry, if somebody waits",
           &Measures::sync_delay, true},
    Metric{"sync_hops", "synchronization hops", "remote messages on the chain of that entry",
           &Measures::sync_hops, false},
    Metric{"throughput", "throughput", "entries per unit of time", &Measures::throughput, true},
    Metric{"concurrency", "concurrency", "mean number inside, while anybody is",
           &Measures::concurrency, true},
    Metric{"concurrency_max", "most inside at once", "at any time", &Measures::concurrency_max,
           false},
    Metric{"context_switches", "context switches per entry",
           "entries of a group other than the last one's, and not yet inside",
           &Measures::context_switches, false},
    Metric{"longest_overtaking", "longest overtaking",
           "requests that came later than one and were served before it, at most",
           &Measures::longest_overtaking, false},
    Metric{"jain_index", "fairness (Jain's index)",
           "of the mean waiting times of the processes: 1 is even, 1/n is all with one",
           &Measures::jain_index, false},
    Metric{"load_max", "load of the busiest node", "its share of all messages handled",
           &Measures::load_max, false},
    Metric{"load_mean", "mean load", "the share of a node if all were equal", &Measures::load_mean,
           false},
    Metric{"entries", "entries", "requests served", &Measures::entries, false},
    Metric{"time", "time", "how long it was measured: the whole run, or after a warm-up",
           &Measures::time, false},
};

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Of a 95 % interval by Student's t, from the sum of the squares of the residuals.
double half_width(double squares, std::size_t seeds) {
  if (seeds == 1) return kUnknown;
  const auto count = static_cast<double>(seeds);
  constexpr double kEachSide = 0.975;  // 95 % in the middle
  const boost::math::students_t student(count - 1);
  return boost::math::quantile(student, kEachSide) * std::sqrt(squares / (count - 1) / count);
}

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric* find_metric(std::string_view name) {
  const auto* const place = std::find_if(kMetrics.begin(), kMetrics.end(),
                                         [&](const Metric& metric) { return metric.name == name; });
  return place == kMetrics.end() ? nullptr : place;
}

Mean mean_of(std::span<const double> values) {
  if (values.empty()) return {kUnknown, kUnknown};
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, half_width(squares, values.size())};
}

Mean weighted_mean_of(std::span<const double> values, std::span<const double> weights) {
  COTERIE_ASSERT(values.size() == weights.size());
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(weight > 0)) return mean_of(values);
  const double mean =
      std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) / weight;
  const double mean_weight = weight / static_cast<double>(weights.size());
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double residual = weights[i] * (values[i] - mean) / mean_weight;
    squares += residual * residual;
  }
  return {mean, half_width(squares, values.size())};
}

double Measures::*weight_of(double Measures::*field) {
  if (field == &Measures::throughput) return &Measures::time;
  if (field == &Measures::concurrency) return &Measures::time_occupied;
  const bool is_of_syncs = field == &Measures::sync_delay || field == &Measures::sync_hops;
  return is_of_syncs ? &Measures::synchronizations : nullptr;
}

Mean mean_ratio(std::span<const double> a, std::span<const double> b) {
  COTERIE_ASSERT(a.size() == b.size());
  std::vector<double> ratios(a.size());
  std::transform(a.begin(), a.end(), b.begin(), ratios.begin(), std::divides<>());
  return mean_of(ratios);
}

}  // namespace coterie::sim
