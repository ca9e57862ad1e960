// How many messages a second the simulator handles, beside an event loop that does nothing else: the same queue,
// the same letters, the same delays, and nobody at home.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <vector>

#include "coterie/spec.h"
#include "protocol/instance.h"
#include "sim/letters.h"
#include "sim/queue.h"
#include "sim/run.h"
#include "sim/wire.h"

namespace coterie::sim {
namespace {

// Seed 003's standard: 25 processes on a 5 x 5 grid, exponential delays.
Scenario surrogate(std::uint64_t requests) {
  protocol::InstanceText text;
  text.protocol = "surrogate";
  auto instance =
      protocol::make_instance(text, {quorum::parse("grid:rows=5,cols=5").value()}, 25).value();
  Scenario scenario;
  scenario.choice = instance.choice;
  scenario.setting = instance.setting;
  scenario.rule = instance.rule;
  scenario.workload.groups = 5;
  scenario.workload.requests = requests;
  return scenario;
}

double messages_in(const Run& run) {
  return run.measures.messages_per_entry * run.measures.entries;
}

void bm_surrogate(benchmark::State& state) {
  const Scenario scenario = surrogate(1000);
  std::uint64_t seed = 0;
  double messages = 0;
  for (auto _ : state) messages += messages_in(simulate(scenario, ++seed));
  state.SetItemsProcessed(static_cast<std::int64_t>(messages));
}

// As many messages are on their way as in the mean of the run above, and each that arrives is answered by one.
class BareLoop {
 public:
  BareLoop(const Scenario& scenario, std::size_t flying)
      : processes_(scenario.setting.processes), wire_(scenario.network, processes_, 1) {
    for (std::size_t i = 0; i < flying; ++i) send(static_cast<NodeId>(i % processes_));
  }
  void deliver() {
    const auto [time, order, id] = queue_.pop();
    now_ = time;
    const NodeId to = letters_[id].to;
    letters_.give_back(id);
    send(to);
  }

 private:
  void send(NodeId from) {
    const auto to = static_cast<NodeId>((from + 1 + sent_++ % (processes_ - 1)) % processes_);
    const LetterId id = letters_.take();
    Letter& letter = letters_[id];
    letter.from = from;
    letter.to = to;
    // As long as Surrogate's: one in fourteen is a LOCKED with its lists.
    constexpr std::size_t kShort = 7;
    constexpr std::array<char, 100> kText{};
    letter.write({kText.data(), sent_ % 14 == 0 ? kText.size() : kShort});
    queue_.push(wire_.arrival(now_, from, to), id);
  }

  std::size_t processes_;
  Wire wire_;
  Queue<LetterId> queue_;
  Letters letters_;
  double now_ = 0;
  std::size_t sent_ = 0;
};

void bm_bare_loop(benchmark::State& state) {
  const Scenario scenario = surrogate(1000);
  const Measures measures = simulate(scenario, 1).measures;
  // Little's law: the rate of remote messages times the mean delay.
  const double flying =
      measures.throughput * measures.messages_per_entry_remote * scenario.network.delay.mean();
  BareLoop loop(scenario, static_cast<std::size_t>(flying));
  constexpr std::int64_t kBatch = 100'000;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < kBatch; ++i) loop.deliver();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}

// What the calendar is measured against: the same order of the same items, in a binary heap.
class Heap {
 public:
  using Item = Queue<LetterId>::Item;

  void push(double time, LetterId content) {
    items_.push_back({time, ++pushed_, content});
    std::ranges::push_heap(items_, is_after);
  }
  Item pop() {
    std::ranges::pop_heap(items_, is_after);
    const Item item = items_.back();
    items_.pop_back();
    return item;
  }

 private:
  static bool is_after(const Item& a, const Item& b) {
    return a.time > b.time || (a.time == b.time && a.order > b.order);
  }

  std::vector<Item> items_;
  std::uint64_t pushed_ = 0;
};

template <class AnyQueue>
void bm_queue(benchmark::State& state) {
  AnyQueue queue;
  Random random(1);
  const Distribution delay = Distribution::exponential(4);
  for (std::int64_t i = 0; i < state.range(0); ++i) queue.push(delay.draw(random), 0);
  for (auto _ : state) {
    const auto item = queue.pop();
    queue.push(item.time + delay.draw(random), item.content);
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(bm_bare_loop)->Name("sim/bare_loop")->Unit(benchmark::kMillisecond);
BENCHMARK(bm_surrogate)->Name("sim/surrogate")->Unit(benchmark::kMillisecond);
BENCHMARK(bm_queue<Queue<LetterId>>)->Name("sim/queue")->Arg(30)->Arg(1000)->Arg(1'000'000);
BENCHMARK(bm_queue<Heap>)->Name("sim/heap")->Arg(30)->Arg(1000)->Arg(1'000'000);

}  // namespace
}  // namespace coterie::sim

BENCHMARK_MAIN();
