// What a run tells, and what many runs of one scenario tell together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::sim {

// Of one run. An entry is one request served: for floors and bands an exit and the entry after it.
struct Measures {
  double messages_per_entry = 0;         // all
  double messages_per_entry_remote = 0;  // without those to oneself
  double bits_per_entry = 0;  // remote; by the papers' measure: the requests that messages name
  double waiting_time = 0;    // mean; from asking to being inside (floors: outside)
  double waiting_time_median = 0;
  double waiting_time_p99 = 0;
  double waiting_time_max = 0;
  double waiting_hops = 0;  // mean; messages on the chain that ended the waiting
  double sync_delay = 0;    // mean; from the end of one forum to the start of the next, if
  double sync_hops = 0;     // somebody waited; the same in messages on the chain
  double throughput = 0;    // entries per unit of time
  double concurrency = 0;   // mean number inside, while anybody is
  double concurrency_max = 0;
  double context_switches = 0;    // per entry: the group inside is another than before
  double longest_overtaking = 0;  // entries of others that asked later, while one waited
  double jain_index = 0;          // of the mean waiting times of the processes: 1 is even
  double load_max = 0;            // messages handled by the busiest node, of all: share
  double load_mean = 0;
  double entries = 0;
  double time = 0;              // how long it was measured
  double time_occupied = 0;     // of that, with anybody inside
  double synchronizations = 0;  // how many sync_delay and sync_hops are means of

  friend bool operator==(const Measures&, const Measures&) = default;
};

struct Metric {
  std::string_view name;   // waiting_time
  std::string_view label;  // "waiting time", for tables and axes
  std::string_view meaning;
  double Measures::*field;
  bool in_summary = false;  // in the table that is shown when nobody asks for more
};
std::span<const Metric> metrics();
const Metric* find_metric(std::string_view name);

// Messages of one type per entry, those to oneself included.
struct TypeCount {
  std::string name;
  double per_entry = 0;
};

// A mean over seeds with the half width of its 95 % confidence interval (Student's t). One seed: no
// interval is known, and ci95 is not a number.
struct Mean {
  double mean = 0;
  double ci95 = 0;
};
Mean mean_of(std::span<const double> values);
// The same of values that are quotients, each with its denominator as its weight: the sum of the numerators by that of
// the denominators. Where denominators differ from seed to seed, the plain mean of the quotients is not what long runs
// tend to: of 1/T it is more than 1/mean(T). The interval is by the residuals of the numerators (the delta method).
Mean weighted_mean_of(std::span<const double> values, std::span<const double> weights);
// The denominator of a measure that is a quotient by what differs from run to run; nothing of others.
double Measures::*weight_of(double Measures::*field);
// Of the ratios a[i] / b[i] of paired runs.
Mean mean_ratio(std::span<const double> a, std::span<const double> b);

}  // namespace coterie::sim
