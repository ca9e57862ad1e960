// What one client costs another: `bystander [--names N] [--clients C] [--lasting N]`. An honest client has a hold at the first
// member while others do their worst within their limits, at all members. Printed is for how long the hold was good at
// least, before that and meanwhile: the difference is what renewals were late by. And how long it took to enter another name.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cluster.h"

namespace coterie::bench {
namespace {

using namespace std::chrono_literals;

struct Options {
  std::size_t names = 16'384;
  std::size_t clients = 5;
  std::size_t lasting = 0;
  std::size_t seconds = 20;
};

constexpr std::chrono::duration<double> kSession = 3s;  // members' default

// Names that it asks for all at once, and keeps.
class Flood {
 public:
  Flood(Client client, const std::string& prefix, std::size_t names) : client_(std::move(client)) {
    for (std::size_t i = 0; i < names; ++i) {
      client_.start(Request::mutex(prefix + std::to_string(i)), [this](Outcome<Hold> hold) {
        const std::scoped_lock lock(mutex_);
        hold ? holds_.push_back(*std::move(hold)) : static_cast<void>(++refused_);
      });
    }
  }
  std::size_t entered() {
    const std::scoped_lock lock(mutex_);
    return holds_.size();
  }
  std::size_t valid() {
    const std::scoped_lock lock(mutex_);
    return static_cast<std::size_t>(std::count_if(
        holds_.begin(), holds_.end(), [](const Hold& hold) { return hold.is_valid(); }));
  }
  std::size_t refused() const { return refused_; }

 private:
  std::mutex mutex_;
  std::vector<Hold> holds_;
  std::atomic<std::size_t> refused_ = 0;
  Client client_;
};

// The worst of what is looked at every few milliseconds.
struct Worst {
  double left = kSession.count();  // seconds
  double entered = 0;              // seconds
};

class Bystander {
 public:
  explicit Bystander(const Cluster& cluster) : client_(cluster.connect(0)) {
    auto hold = client_.mutex("honest");
    if (!hold) fail(hold.error().text);
    hold_ = std::move(*hold);
    thread_ = std::jthread([this](const std::stop_token& end) { watch(end); });
  }
  // Since it was asked last.
  Worst worst() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(worst_, {});
  }

 private:
  void watch(const std::stop_token& end) {
    while (!end.stop_requested()) {
      const std::chrono::duration<double> left = hold_->valid_until() - Clock::now();
      const double begin = seconds_now();
      const auto quick = client_.mutex("quick");
      if (!quick) fail(quick.error().text);
      {
        const std::scoped_lock lock(mutex_);
        worst_.left = std::min(worst_.left, left.count());
        worst_.entered = std::max(worst_.entered, seconds_now() - begin);
      }
      std::this_thread::sleep_for(2ms);
    }
  }

  Client client_;
  std::optional<Hold> hold_;
  std::mutex mutex_;
  Worst worst_;
  std::jthread thread_;
};

void take_lasting(const Cluster& cluster, const Options& options) {
  std::vector<std::jthread> threads;
  constexpr std::size_t kThreads = 64;
  const auto begin = seconds_now();
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Client client = cluster.connect(t % cluster.members());
      for (std::size_t i = t; i < options.lasting; i += kThreads) {
        const auto held = client.hold_for("o", Request::mutex("lasting" + std::to_string(i)));
        if (!held) fail(held.error().text);
      }
    });
  }
  threads.clear();
  fmt::print("{} lasting holds in {:.1f} s\n", options.lasting, seconds_now() - begin);
}

void run(const Options& options) {
  const Cluster cluster(3, "2s", false);
  Bystander bystander(cluster);
  std::this_thread::sleep_for(3s);
  const Worst before = bystander.worst();
  Worst meanwhile;
  std::vector<std::unique_ptr<Flood>> floods;
  const double begin = seconds_now();
  for (std::size_t i = 0; i < options.clients; ++i)
    floods.push_back(std::make_unique<Flood>(cluster.connect(i % cluster.members()),
                                             "m" + std::to_string(i / 2) + '.', options.names));
  if (options.lasting > 0) take_lasting(cluster, options);
  while (seconds_now() - begin < static_cast<double>(options.seconds)) {
    std::this_thread::sleep_for(1s);
    std::string line;
    for (const auto& flood : floods)
      line += fmt::format(" {}/{}", flood->valid(), flood->entered());
    const Worst now = bystander.worst();
    meanwhile.left = std::min(meanwhile.left, now.left);
    meanwhile.entered = std::max(meanwhile.entered, now.entered);
    fmt::print(
        "{:.1f} s: good for {:.2f} s, entry {:.3f} s, {:.1f} s of members' work, valid/entered{}\n",
        seconds_now() - begin, now.left, now.entered, cluster.cpu_seconds(), line);
    std::fflush(stdout);
  }
  fmt::print(
      "before: good for {:.2f} s at least, longest entry {:.3f} s\n"
      "meanwhile: good for {:.2f} s at least, longest entry {:.3f} s; renewals late by {:.0f} % of "
      "a "
      "session\n",
      before.left, before.entered, meanwhile.left, meanwhile.entered,
      100 * (before.left - meanwhile.left) / kSession.count());
}

}  // namespace
}  // namespace coterie::bench

int main(int argc, char** argv) {
  using coterie::bench::Options;
  if (argc == 3 && std::string(argv[1]) == "--member") return coterie::bench::run_member(argv[2]);
  Options options;
  CLI::App app("what one client costs another");
  app.add_option("--names", options.names, "that each asks for");
  app.add_option("--clients", options.clients, "that flood");
  app.add_option("--lasting", options.lasting, "holds for an owner besides");
  app.add_option("--seconds", options.seconds, "to look");
  CLI11_PARSE(app, argc, argv);
  coterie::bench::run(options);
}
