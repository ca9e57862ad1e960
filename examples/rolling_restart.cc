// Four servers restart at once, and yet three of them serve at every moment: rolling_restart HOST:PORT...
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "coterie/client.h"

using namespace std::chrono_literals;

namespace {

constexpr int kServers = 4;
constexpr int kMin = 3;

std::atomic<int> serving = 0;  // what really is: for this example to see that all went well
std::atomic<int> fewest = kServers;
std::atomic<int> restarted = 0;
std::latch all_serve{kServers};
std::latch all_are_done{kServers};

coterie::Request place_of(int server) {
  return coterie::Request::band("example-web", "web-" + std::to_string(server), kMin,
                                coterie::Kind::kNoMax, coterie::Patience::at_most(30s));
}

void restart(int server) {
  const int left = --serving;
  for (int seen = fewest; left < seen && !fewest.compare_exchange_weak(seen, left);) continue;
  std::printf("web-%d restarts, %d go on\n", server, left);
  std::this_thread::sleep_for(10ms);
  ++serving;
  ++restarted;
}

// A server is inside while it serves. If its hold is lost it goes on serving, but it must be inside again before it may
// leave: until then it is not counted, and others stay for it.
void serve(coterie::Client& client, int server) {
  auto hold = client.acquire(place_of(server));
  ++serving;
  all_serve.arrive_and_wait();
  while (hold) {
    const auto left = hold->leave(coterie::Patience::at_most(30s));
    if (left) {
      restart(server);
      hold = client.acquire(place_of(server));
      break;
    }
    if (left.error().reason != coterie::Reason::lost) break;
    hold = client.acquire(place_of(server));
  }
  if (!hold) std::fprintf(stderr, "web-%d: %s\n", server, hold.error().text.c_str());
  all_are_done.arrive_and_wait();
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::jthread> servers;
  for (int server = 1; server <= kServers; ++server) {
    auto client = coterie::Client::connect({.addresses = {argv + 1, argv + argc}});
    if (!client) {
      std::fprintf(stderr, "%s\n", client.error().text.c_str());
      std::_Exit(1);  // others wait for this one
    }
    servers.emplace_back([server, own = *std::move(client)]() mutable { serve(own, server); });
  }
  servers.clear();
  std::printf("%d restarted; there were never fewer than %d\n", restarted.load(), fewest.load());
  return restarted == kServers && fewest >= kMin ? 0 : 1;
}
