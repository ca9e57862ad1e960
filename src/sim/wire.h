// How long messages take: delays, sites, machines, and channels that keep their order.
#pragma once

#include <vector>

#include "base/random.h"
#include "sim/scenario.h"

namespace coterie::sim {

class Wire {
 public:
  // REQUIRES: the network outlives the wire.
  Wire(const Network& network, std::size_t processes, std::uint64_t seed);

  // To oneself, or within one machine: it takes no time.
  bool is_local(NodeId from, NodeId to) const {
    return from == to ||
           (!network_.host_of.empty() && network_.host_of[from] == network_.host_of[to]);
  }
  // When a message that is sent now arrives: never before the last one on the same channel.
  // REQUIRES: !is_local(from, to)
  double arrival(double now, NodeId from, NodeId to);

 private:
  double& last_arrival(NodeId from, NodeId to);
  void grow();

  const Network& network_;
  std::size_t processes_;
  Random random_;
  // The latest arrival on each channel. All of them in a table while that is small; otherwise those that
  // were used, by their number + 1, in a table with free places.
  struct Channel {
    std::uint64_t name = 0;
    double last = 0;
  };
  bool is_dense_;
  std::vector<double> dense_;
  std::vector<Channel> used_;
  std::size_t used_count_ = 0;
};

}  // namespace coterie::sim
