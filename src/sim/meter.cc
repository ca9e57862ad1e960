#include "sim/meter.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coterie::sim {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

// The least value that at least this part of them does not exceed. Reorders the values.
double quantile(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

Meter::Meter(std::size_t processes, std::uint64_t bits)
    : bits_(bits), handled_(processes), waiters_(processes), by_process_(processes) {}

void Meter::begin(double now) {
  Meter fresh(handled_.size(), bits_);
  fresh.start_ = now;
  fresh.by_type_.resize(by_type_.size());
  fresh.waiters_ = std::move(waiters_);
  fresh.last_waiter_ = last_waiter_;
  fresh.inside_ = inside_;
  fresh.most_inside_ = inside_;
  fresh.inside_since_ = now;
  *this = std::move(fresh);
}

void Meter::asked(NodeId process, double now) {
  waiters_[process] = {last_waiter_, kNobody, now, 0};
  if (last_waiter_ != kNobody) waiters_[last_waiter_].after = process;
  last_waiter_ = process;
}

void Meter::served(NodeId process, double now, std::uint32_t hops) {
  const Waiter& waiter = waiters_[process];
  longest_overtaking_ = std::max(longest_overtaking_, waiter.overtaken);
  for (NodeId other = waiter.before; other != kNobody; other = waiters_[other].before) {
    ++waiters_[other].overtaken;
  }
  if (waiter.before != kNobody) waiters_[waiter.before].after = waiter.after;
  (waiter.after != kNobody ? waiters_[waiter.after].before : last_waiter_) = waiter.before;
  const double time = now - waiter.since;
  add_waiting(time, hops);
  by_process_[process].time += time;
  ++by_process_[process].count;
}

void Meter::add_waiting(double time, std::uint32_t hops) {
  waits_.push_back(time);
  hops_ += hops;
}

void Meter::synchronized(double time, std::uint32_t hops) {
  synchronizations_.time += time;
  ++synchronizations_.count;
  synchronization_hops_ += hops;
}

void Meter::inside(double now, std::size_t count) {
  const double passed = now - inside_since_;
  time_inside_ += passed * static_cast<double>(inside_);
  if (inside_ > 0) time_occupied_ += passed;
  inside_since_ = now;
  inside_ = count;
  most_inside_ = std::max(most_inside_, count);
}

double Meter::jain_index() const {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (const auto& [time, requests] : by_process_) {
    if (requests == 0) continue;
    const double mean = time / static_cast<double>(requests);
    sum += mean;
    squares += mean * mean;
    ++count;
  }
  return squares > 0 ? sum * sum / (count * squares) : 1;
}

Measures Meter::measures(double end) const {
  const auto entries = static_cast<double>(entries_);
  const auto sent =
      static_cast<double>(std::accumulate(by_type_.begin(), by_type_.end(), std::uint64_t{0}));
  const auto handled =
      static_cast<double>(std::accumulate(handled_.begin(), handled_.end(), std::uint64_t{0}));
  const auto syncs = static_cast<double>(synchronizations_.count);
  const auto waits = static_cast<double>(waits_.size());
  std::vector<double> sorted = waits_;
  Measures it;
  it.messages_per_entry = share(sent, entries);
  it.messages_per_entry_remote = share(static_cast<double>(remote_), entries);
  it.bits_per_entry = share(static_cast<double>(named_ * bits_), entries);
  it.waiting_time = share(std::accumulate(waits_.begin(), waits_.end(), 0.0), waits);
  it.waiting_time_median = quantile(sorted, 0.5);
  it.waiting_time_p99 = quantile(sorted, 0.99);
  it.waiting_time_max = quantile(sorted, 1);
  it.waiting_hops = share(static_cast<double>(hops_), waits);
  it.sync_delay = share(synchronizations_.time, syncs);
  it.sync_hops = share(static_cast<double>(synchronization_hops_), syncs);
  it.throughput = share(entries, end - start_);
  it.concurrency = share(time_inside_, time_occupied_);
  it.concurrency_max = static_cast<double>(most_inside_);
  it.context_switches = share(static_cast<double>(switches_), entries);
  it.longest_overtaking = static_cast<double>(longest_overtaking_);
  it.jain_index = jain_index();
  it.load_max =
      share(static_cast<double>(*std::max_element(handled_.begin(), handled_.end())), handled);
  it.load_mean = share(1, static_cast<double>(handled_.size()));
  it.entries = entries;
  it.time = end - start_;
  it.time_occupied = time_occupied_;
  it.synchronizations = syncs;
  return it;
}

}  // namespace coterie::sim
