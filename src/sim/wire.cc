#include "sim/wire.h"

#include <algorithm>

#include "sim/stream.h"

namespace coterie::sim {
namespace {

constexpr std::size_t kMaxDense = 1000;  // processes: 8 MB
constexpr std::size_t kFirstSize = 1U << 16U;

std::size_t place_of(std::uint64_t name, std::size_t size) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>((name * kGolden) >> 20U) & (size - 1);
}

}  // namespace

Wire::Wire(const Network& network, std::size_t processes, std::uint64_t seed)
    : network_(network),
      processes_(processes),
      random_(stream(seed, Purpose::delays)),
      is_dense_(processes <= kMaxDense) {
  if (!network.fifo) return;
  if (is_dense_) {
    dense_.assign(processes * processes, 0);
  } else {
    used_.resize(kFirstSize);
  }
}

double Wire::arrival(double now, NodeId from, NodeId to) {
  double delay = network_.delay.draw(random_);
  if (network_.sites) {
    const auto& [site_of, means] = *network_.sites;
    delay *= means[site_of[from]][site_of[to]];
  }
  if (!network_.fifo) return now + delay;
  double& last = last_arrival(from, to);
  last = std::max(last, now + delay);
  return last;
}

double& Wire::last_arrival(NodeId from, NodeId to) {
  const std::uint64_t channel = std::uint64_t{from} * processes_ + to;
  if (is_dense_) return dense_[channel];
  if (2 * used_count_ >= used_.size()) grow();
  const std::uint64_t name = channel + 1;
  std::size_t at = place_of(name, used_.size());
  while (used_[at].name != 0 && used_[at].name != name) at = (at + 1) & (used_.size() - 1);
  if (used_[at].name == 0) {
    used_[at].name = name;
    ++used_count_;
  }
  return used_[at].last;
}

void Wire::grow() {
  std::vector<Channel> larger(2 * used_.size());
  for (const Channel& channel : used_) {
    if (channel.name == 0) continue;
    std::size_t at = place_of(channel.name, larger.size());
    while (larger[at].name != 0) at = (at + 1) & (larger.size() - 1);
    larger[at] = channel;
  }
  used_ = std::move(larger);
}

}  // namespace coterie::sim
