// A member's brain alone: what an entry costs it, and what a name that is held costs in memory.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coterie/spec.h"
#include "member/member.h"

namespace coterie::member {
namespace {

// Members whose frames arrive at once; time stands still unless it is moved.
class Cluster {
 public:
  explicit Cluster(std::size_t members) : hosts_(members) {
    Config config{.self = 0,
                  .names = std::vector<std::string>(members, "m"),
                  .system = quorum::parse("majority:n=" + std::to_string(members)).value()};
    for (NodeId self = 0; self < members; ++self) {
      config.self = self;
      hosts_[self].cluster = this;
      hosts_[self].self = self;
      hosts_[self].brain =
          std::make_unique<Member>(config, Start{Birth::cluster, 1, 0, {}}, now_, hosts_[self]);
    }
    for (int i = 0; i < 4; ++i) pass();
    hosts_[0].brain->open(1, "client", 1, now_);
  }
  void pass() {
    now_ = now_ + Duration::milliseconds(250);
    for (Host& host : hosts_) host.brain->tick(now_);
    if (hosts_[0].brain->has_session(1)) hosts_[0].brain->keep_alive(1, ++beat_, now_);
    deliver();
  }
  void enter(RequestId request, const std::string& name) {
    Wish wish;
    wish.request = request;
    wish.name = name;
    wish.secret = {1, request};
    hosts_[0].brain->acquire(1, wish, now_);
    deliver();
  }
  void leave(RequestId request) {
    hosts_[0].brain->release(1, request, now_);
    deliver();
  }
  std::size_t granted() const { return granted_; }

 private:
  struct Host final : Outlet {
    Cluster* cluster = nullptr;
    NodeId self = 0;
    std::unique_ptr<Member> brain;
    void save(const Durable& /*durable*/) override {}
    void keep(const std::string& /*name*/, const Bytes& /*keepsake*/) override {}
    void send(NodeId to, const Frame& frame) override {
      cluster->frames_.emplace_back(std::pair(self, to), frame);
    }
    void tell(SessionId /*session*/, const Event& event) override {
      if (std::holds_alternative<Granted>(event)) ++cluster->granted_;
    }
  };
  void deliver() {
    while (!frames_.empty()) {
      const auto [way, frame] = std::move(frames_.front());
      frames_.pop_front();
      hosts_[way.second].brain->receive(way.first, frame, now_);
    }
  }

  Instant now_{Duration::seconds(1'000).ns};
  std::vector<Host> hosts_;
  std::deque<std::pair<std::pair<NodeId, NodeId>, Frame>> frames_;
  std::size_t granted_ = 0;
  std::uint64_t beat_ = 1;
};

// Entering again what nobody else wants: no message.
void enter_again(benchmark::State& state) {
  Cluster cluster(3);
  RequestId request = 0;
  for (auto _ : state) {
    cluster.enter(++request, "name");
    cluster.leave(request);
  }
  if (cluster.granted() != request) state.SkipWithError("not every request was granted");
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(enter_again);

// Entering a name that is not in use: a quorum is asked, and answers. All members' work on one core.
void enter_new(benchmark::State& state) {
  Cluster cluster(static_cast<std::size_t>(state.range(0)));
  RequestId request = 0;
  for (auto _ : state) {
    ++request;
    cluster.enter(request, "name " + std::to_string(request));
    cluster.leave(request);
    if (request % 1'000 == 0) {
      state.PauseTiming();
      for (int i = 0; i < 12; ++i) cluster.pass();  // what is kept is given back
      state.ResumeTiming();
    }
  }
  if (cluster.granted() != request) state.SkipWithError("not every request was granted");
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(enter_new)->Arg(3)->Arg(5);

// Bytes of all three members together for each name that is held: a bundle at one, an entry at two.
void memory_of_holds(benchmark::State& state) {
  const auto holds = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    Cluster cluster(3);
    const auto before = mallinfo2().uordblks;
    for (RequestId request = 1; request <= holds; ++request)
      cluster.enter(request, "name " + std::to_string(request));
    const auto held = mallinfo2().uordblks;
    state.counters["bytes_per_hold"] =
        static_cast<double>(held - before) / static_cast<double>(holds);
    for (RequestId request = 1; request <= holds; ++request) cluster.leave(request);
    for (int i = 0; i < 12; ++i) cluster.pass();
    state.counters["bytes_per_forgotten"] =
        (static_cast<double>(mallinfo2().uordblks) - static_cast<double>(before)) /
        static_cast<double>(holds);
  }
}
BENCHMARK(memory_of_holds)
    ->Arg(1'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace coterie::member

BENCHMARK_MAIN();
