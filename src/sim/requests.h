// What users ask for and when: draws of a workload. Each process draws from a source of its own, in a fixed order
// per request, so that the i-th request of a process is the same under every algorithm.
#pragma once

#include <vector>

#include "base/random.h"
#include "sim/scenario.h"

namespace coterie::sim {

class Requests {
 public:
  // REQUIRES: the workload outlives them.
  Requests(const Workload& workload, std::size_t processes, std::uint64_t seed);

  struct Next {
    double apart = 0;   // before it is asked
    double inside = 0;  // for how long, once served
    // Which of the groups there are then, as places in the order of their popularity.
    std::vector<std::uint32_t> places = {};
  };
  Next draw(NodeId process);
  // The groups that it names if it is asked now.
  protocol::Groups groups(NodeId process, const Next& next, double now) const;
  // The beginning of the next burst.
  double next_burst(double now);

 private:
  std::uint32_t draw_place(Random& random) const;

  const Workload& workload_;
  std::vector<Random> sources_;
  std::vector<double> cumulative_;  // of Zipf's weights; empty if all are equal
  Random bursts_;
  double burst_ = 0;
};

}  // namespace coterie::sim
