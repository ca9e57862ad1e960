// Which nodes are down, and whom one should rather ask.
#pragma once

#include <vector>

#include "base/random.h"
#include "sim/scenario.h"

namespace coterie::sim {

class Outages {
 public:
  // REQUIRES: both outlive it.
  Outages(const Faults& faults, const protocol::Setting& setting, std::uint64_t seed);

  bool are_any() const { return any_; }  // ever
  bool is_down(NodeId node) const { return !up_.contains(node); }
  bool is_down_for_ever(NodeId node) const {
    return faults_.down.universe() > 0 && faults_.down.contains(node);
  }
  // Do nodes fail and return as it runs?
  bool are_changing() const { return faults_.up_for && faults_.down_for; }
  // How long a node stays as it is now.
  double next_change(NodeId node);
  void change(NodeId node);

  // For who chooses a quorum: the own one if it is up, and otherwise a smallest one that is, by chance among
  // equals so that not all choose the same; all who are up if no quorum is.
  // No set: the algorithm's own choice.
  NodeSet preferred(NodeId process);
  // The same when what was asked has not answered for long.
  NodeSet preferred_again();

 private:
  const Faults& faults_;
  const protocol::Setting& setting_;
  NodeSet up_;
  bool any_;
  std::vector<Random> sources_;
  Random choices_;
};

}  // namespace coterie::sim
