// How long a member with many lasting holds takes to start: its store opens, and the member takes up what it held. The disk is that
// of the folder COTERIE_BENCH_FOLDER, or of /tmp.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/assert.h"
#include "base/pack.h"
#include "coterie/spec.h"
#include "member/lasting.h"
#include "member/member.h"
#include "net/store.h"

namespace {

using coterie::Bytes;
using coterie::NodeId;
using coterie::net::Store;
namespace member = coterie::member;

// What a member puts on disk goes there, and is counted.
class Driver final : public member::Outlet {
 public:
  explicit Driver(Store& store) : store_(store) {}
  void save(const member::Durable& durable) override {
    COTERIE_ASSERT(!store_.save(durable));
    ++writes;
  }
  // Not what was just read, as in net::Server.
  void keep(const std::string& name, const Bytes& keepsake) override {
    if (is_reading) return;
    COTERIE_ASSERT(!store_.keep(name, keepsake));
    ++writes;
  }
  void send(NodeId /*to*/, const member::Frame& /*frame*/) override {}
  void tell(member::SessionId /*session*/, const member::Event& /*event*/) override {}

  std::uint64_t writes = 0;
  bool is_reading = true;

 private:
  Store& store_;
};

std::string folder_for(std::int64_t holds) {
  const char* const where = std::getenv("COTERIE_BENCH_FOLDER");
  return std::string(where != nullptr ? where : "/tmp") + "/coterie-start-bench-" +
         std::to_string(::getpid()) + '-' + std::to_string(holds);
}

void fill(const std::string& folder, std::int64_t holds) {
  auto store = Store::open(folder);
  COTERIE_ASSERT(store.has_value());
  COTERIE_ASSERT(!store->save({7, 8}));
  for (std::int64_t i = 0; i < holds; ++i) {
    member::Keepsake keepsake;
    keepsake.lastings.push_back({"owner-" + std::to_string(i), static_cast<member::Number>(i + 1),
                                 "", member::Lasting::Stage::given});
    COTERIE_ASSERT(!store->keep("name/" + std::to_string(i), coterie::packed(keepsake)));
  }
  COTERIE_ASSERT(!store->save({7, 8}));
}

void start(benchmark::State& state) {
  const std::string folder = folder_for(state.range(0));
  std::filesystem::remove_all(folder);
  fill(folder, state.range(0));
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  };
  double opening = 0;
  double taking_up = 0;
  std::uint64_t writes = 0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    auto store = Store::open(folder);
    COTERIE_ASSERT(store.has_value());
    const auto opened = Clock::now();
    const member::Config config{.self = 0,
                                .names = {"a", "b", "c"},
                                .system = coterie::quorum::parse("majority:n=3").value()};
    member::Start how{member::Birth::restart, 9, 8, {}};
    how.keepsakes = {store->keepsakes().begin(), store->keepsakes().end()};
    Driver driver(*store);
    const auto member = std::make_unique<member::Member>(config, how, member::Instant{1}, driver);
    const auto end = Clock::now();
    state.SetIterationTime(seconds(end - begin));
    opening += seconds(opened - begin);
    taking_up += seconds(end - opened);
    writes += driver.writes;
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["store_s"] = opening / rounds;
  state.counters["member_s"] = taking_up / rounds;
  state.counters["writes"] = static_cast<double>(writes) / rounds;
  std::filesystem::remove_all(folder);
}

}  // namespace

BENCHMARK(start)->Arg(100'000)->Arg(1'200'000)->Iterations(1)->UseManualTime()->Unit(
    benchmark::kMillisecond);

BENCHMARK_MAIN();
