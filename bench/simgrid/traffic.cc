// The traffic of the simulator's benchmark, for SimGrid: as many messages between 25 hosts are always on their way,
// each takes an exponentially distributed time, and each that arrives is answered by another. No protocol.
//
//   traffic MESSAGES FLYING     prints how many messages it handled a second of processor time
//
// A message takes as long as it is large: all go over one link of which everybody has all the bandwidth.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

constexpr int kHosts = 25;
constexpr double kBandwidth = 1e9;
constexpr double kMeanDelay = 4;

class Traffic {
 public:
  explicit Traffic(std::uint64_t messages) : left_(messages) {
    for (int host = 0; host < kHosts; ++host) {
      boxes_.push_back(s4u::Mailbox::by_name("box" + std::to_string(host)));
    }
  }

  void serve(int host, int first_messages) {
    boxes_[host]->set_receiver(s4u::Actor::self());
    for (int i = 0; i < first_messages; ++i) send(host);
    while (left_ > 0) {
      boxes_[host]->get<int>();
      if (left_ > 0) --left_;
      send(host);
    }
    s4u::Actor::kill_all();
  }

 private:
  void send(int from) {
    const int to = (from + 1 + sent_++ % (kHosts - 1)) % kHosts;
    const double delay = -kMeanDelay * std::log(1 - uniform_(random_));
    boxes_[to]->put_init(&payload_, static_cast<std::uint64_t>(delay * kBandwidth))->detach();
  }

  std::uint64_t left_;
  std::vector<s4u::Mailbox*> boxes_;
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> uniform_{0, 1};
  int sent_ = 0;
  int payload_ = 0;
};

void build_platform() {
  auto* zone = s4u::create_full_zone("hosts");
  std::vector<s4u::Host*> hosts;
  for (int i = 0; i < kHosts; ++i) {
    hosts.push_back(zone->create_host("host" + std::to_string(i), 1e9)->seal());
  }
  auto* link = zone->create_link("net", kBandwidth)
                   ->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)
                   ->set_latency(0)
                   ->seal();
  for (auto* from : hosts) {
    for (auto* to : hosts) {
      if (from != to) {
        zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr,
                        {s4u::LinkInRoute(link)}, false);
      }
    }
  }
  zone->seal();
}

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  if (argc != 3) {
    std::fprintf(stderr, "usage: traffic MESSAGES FLYING\n");
    return 2;
  }
  const auto messages = std::strtoull(argv[1], nullptr, 10);
  const int flying = std::atoi(argv[2]);
  build_platform();
  Traffic traffic(messages);
  for (int host = 0; host < kHosts; ++host) {
    const int first = flying / kHosts + (host < flying % kHosts ? 1 : 0);
    s4u::Actor::create("node" + std::to_string(host),
                       engine.host_by_name("host" + std::to_string(host)),
                       [&traffic, host, first] { traffic.serve(host, first); });
  }
  const std::clock_t start = std::clock();
  engine.run();
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%.0f\n", static_cast<double>(messages) / seconds);
}
