#include "sim/torture_batch.h"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace coterie::sim::torture {
namespace {

// Hands out seeds in order, and adds up results in that order.
class Work {
 public:
  Work(const Batch& batch, const GoOn& go_on, const std::atomic<bool>& stop)
      : batch_(batch), go_on_(go_on), stop_(stop), end_(batch.seeds) {}

  void run_until_done() {
    while (!stop_.load(std::memory_order_relaxed)) {
      const std::uint64_t number = next_.fetch_add(1);
      if (number >= end_.load()) return;
      Run one = run(batch_.first_seed + number, batch_.mode, &stop_);
      if (one.is_stopped) return;
      const std::scoped_lock lock(adding_);
      if (one.violation) end_ = std::min(end_.load(), number + 1);
      done_.emplace(number, std::move(one));
      add_in_order();
    }
  }

  Findings take() { return std::move(findings_); }

 private:
  void add_in_order() {
    for (auto first = done_.begin();
         first != done_.end() && first->first == findings_.runs && !findings_.failed;
         first = done_.begin()) {
      findings_.add(std::move(first->second));
      done_.erase(first);
      // What others have begun they finish: that depends on the threads, but then so does the time.
      if (!go_on_(findings_)) end_ = std::min<std::uint64_t>(end_.load(), next_.load());
    }
  }

  const Batch& batch_;
  const GoOn& go_on_;
  const std::atomic<bool>& stop_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> end_;
  std::mutex adding_;
  std::map<std::uint64_t, Run> done_;  // and not yet added
  Findings findings_;
};

}  // namespace

void Findings::add(Run run) {
  ++runs;
  events += run.events;
  simulated += seconds(run.simulated);
  member_time += seconds(run.simulated) * static_cast<double>(run.members);
  entries += run.entries;
  lastings += run.lastings;
  changes += run.changes;
  resumed += run.resumed;
  moved += run.moved;
  for (std::size_t i = 0; i < kVarieties; ++i) entries_of[i] += run.entries_of[i];
  faults.add(run.faults);
  tally.add(run.tally);
  for (std::size_t i = 0; i < losses.size(); ++i) losses[i] += run.losses[i];
  if (std::any_of(run.losses.begin(), run.losses.end(), [](auto count) { return count > 0; }))
    ++runs_with_losses;
  watched += run.watched;
  const Wait wait{run.seed, seconds(run.worst_wait), seconds(run.bound)};
  if (wait.seconds * worst_wait.bound > worst_wait.seconds * wait.bound || worst_wait.bound == 0)
    worst_wait = wait;
  digest = std::rotl(digest, 1) ^ run.digest;
  if (run.violation) failed = std::move(run);
}

Findings run_batch(const Batch& batch, const GoOn& go_on, const std::atomic<bool>& stop) {
  Work work(batch, go_on, stop);
  {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < batch.threads; ++i)
      helpers.emplace_back([&work] { work.run_until_done(); });
    work.run_until_done();
  }
  return work.take();
}

}  // namespace coterie::sim::torture
