// Our locks beside those of others, in one run: `peers --redis PORTS --redis-durable PORTS --etcd PORTS ...`, each
// with the ports of servers that run on loopback (run.sh starts them). Kinds take turns; medians.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../live/cluster.h"
#include "locker.h"

namespace coterie::bench {
namespace {

struct Scenario {
  std::string title;
  std::size_t clients = 0;
  bool is_shared = false;
  std::uint32_t limit = 0;  // of a semaphore

  int most() const { return limit == 0 ? 1 : static_cast<int>(limit); }  // inside at once
};
// A table each.
const std::vector<Scenario> kLocks = {{"128 clients, a lock each", 128, false},
                                      {"8 clients on one lock", 8, true}};
const std::vector<Scenario> kSemaphores = {{"limit 3, 8 clients", 8, true, 3},
                                           {"limit 100, 128 clients", 128, true, 100}};

// Entries in a second, of threads that lock and unlock. No more are inside than may be, or there is no result.
double rate_of(const MakeLocker& make, const Scenario& scenario) {
  std::vector<std::unique_ptr<Locker>> lockers;
  for (std::size_t i = 0; i < scenario.clients; ++i) lockers.push_back(make(i));
  std::atomic<std::size_t> entries = 0;
  std::atomic<int> inside = 0;
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < scenario.clients; ++i) {
    threads.emplace_back([&, i] {
      const std::string name =
          scenario.is_shared ? fmt::format("shared-{}", scenario.limit) : fmt::format("lock-{}", i);
      while (!is_over) {
        lockers[i]->lock(name);
        if (scenario.is_shared && inside.fetch_add(1) >= scenario.most())
          fail("too many are inside");
        ++entries;
        if (scenario.is_shared) --inside;
        lockers[i]->unlock(name);
      }
    });
  }
  std::this_thread::sleep_for(kWarming);
  const std::size_t before = entries;
  const double begin = seconds_now();
  std::this_thread::sleep_for(kMeasured);
  const double found = static_cast<double>(entries - before) / (seconds_now() - begin);
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  return found;
}

struct Kind {
  std::string title;
  std::function<double(const Scenario&)> rate;
  bool counts = false;                                    // it has semaphores
  std::map<std::string, std::vector<double>> rates = {};  // by scenario
};

Ports ports_of(const std::string& text) {
  Ports ports;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t used = 0;
    ports.push_back(static_cast<std::uint16_t>(std::stoul(text.substr(at), &used)));
    at += used + 1;
  }
  return ports;
}

// Who fails to get a lock tries again; how soon is best depends on the load, so the best of three counts.
double best_redlock(const Ports& ports, const Scenario& scenario) {
  if (!scenario.is_shared)
    return rate_of([&](std::size_t) { return make_redlock(ports, 1); }, scenario);
  double best = 0;
  for (const unsigned pause_ms : {1U, 4U, 16U})
    best = std::max(best,
                    rate_of([&](std::size_t) { return make_redlock(ports, pause_ms); }, scenario));
  return best;
}

std::vector<Kind> kinds_of(const std::map<std::string, std::string>& options, Cluster& cluster) {
  std::vector<Kind> kinds;
  kinds.push_back({"coterie, 3 members",
                   [&cluster](const Scenario& scenario) {
                     return bench::rate_of(cluster, scenario.clients, scenario.is_shared,
                                           scenario.limit);
                   },
                   true});
  const auto add = [&](const std::string& option, const std::string& title, auto rate,
                       bool counts = false) {
    const auto given = options.find(option);
    if (given == options.end()) return;
    kinds.push_back({title,
                     [ports = ports_of(given->second), rate](const Scenario& scenario) {
                       return rate(ports, scenario);
                     },
                     counts});
  };
  const auto etcd = [](const Ports& ports, const Scenario& scenario) {
    return rate_of([&](std::size_t client) { return make_etcd(ports, client); }, scenario);
  };
  const auto zookeeper = [](const Ports& ports, const Scenario& scenario) {
    const auto make = [&](std::size_t client) {
      return scenario.limit == 0 ? make_zookeeper(ports, client)
                                 : make_zookeeper_semaphore(ports, client, scenario.limit);
    };
    return rate_of(make, scenario);
  };
  add("--redis", "Redlock, 5 Redis, in memory", best_redlock);
  add("--redis-durable", "Redlock, 5 Redis, fsync always", best_redlock);
  add("--etcd", "etcd, 3 members, in memory", etcd);
  add("--etcd-durable", "etcd, 3 members, on disk", etcd);
  add("--zookeeper", "ZooKeeper, 3 servers, no fsync", zookeeper, true);
  add("--zookeeper-durable", "ZooKeeper, 3 servers, on disk", zookeeper, true);
  return kinds;
}

void print(const std::vector<Kind>& kinds, const std::string& what,
           const std::vector<Scenario>& scenarios, nlohmann::json& rows) {
  fmt::print("{:<32}", what);
  for (const Scenario& scenario : scenarios) fmt::print("{:>24}", scenario.title);
  fmt::print("\n");
  for (const Kind& kind : kinds) {
    if (!kind.rates.contains(scenarios.front().title)) continue;
    fmt::print("{:<32}", kind.title);
    for (const Scenario& scenario : scenarios) {
      const double rate = median(kind.rates.at(scenario.title));
      const double ratio = median(kinds.front().rates.at(scenario.title)) / rate;
      fmt::print("{:>12.0f} /s {:>6.1f} x", rate, ratio);
      rows.push_back({{"what", kind.title},
                      {"scenario", scenario.title},
                      {"entries_per_second", rate},
                      {"ours_in_theirs", ratio}});
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

int run(const std::map<std::string, std::string>& options) {
  const auto given = options.find("--rounds");
  const std::size_t rounds = given == options.end() ? 3 : std::stoul(given->second);
  Cluster cluster(3, "2s", false);
  std::vector<Kind> kinds = kinds_of(options, cluster);
  const auto measure = [](Kind& kind, const std::vector<Scenario>& scenarios) {
    for (const Scenario& scenario : scenarios)
      kind.rates[scenario.title].push_back(kind.rate(scenario));
  };
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Kind& kind : kinds) {
      measure(kind, kLocks);
      if (kind.counts) measure(kind, kSemaphores);
    }
  }
  auto rows = nlohmann::json::array();
  print(kinds, "locks", kLocks, rows);
  print(kinds, "semaphores", kSemaphores, rows);
  if (const auto json = options.find("--json"); json != options.end())
    std::ofstream(json->second) << rows.dump(2) << '\n';
  return 0;
}

}  // namespace
}  // namespace coterie::bench

int main(int argc, char** argv) {
  using namespace coterie::bench;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--member") return run_member(words[1]);
  std::map<std::string, std::string> options;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) options[words[i]] = words[i + 1];
  try {
    return run(options);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}
