// What a run tells, counted as it goes.
//
// Measuring begins when every requester has been served its requests of the warm-up; all that is counted is
// counted from then on. When it ends scenario.h tells.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/label.h"
#include "sim/measures.h"

namespace coterie::sim {

class Meter {
 public:
  // `names_requests` of a message cost `bits` each.
  Meter(std::size_t processes, std::uint64_t bits);

  // All that happens, in order of time.
  void begin(double now);
  // Answers whether it is the first of its type.
  bool sent(const protocol::Label& label, bool is_local) {
    if (label.type >= by_type_.size()) by_type_.resize(label.type + 1);
    remote_ += is_local ? 0 : 1;
    named_ += is_local ? 0 : label.requests;
    return ++by_type_[label.type] == 1;
  }
  void handled(NodeId node) { ++handled_[node]; }
  void asked(NodeId process, double now);  // what is measured
  // The one that asked is served, at a depth of so many hops; it overtakes those who asked before it.
  void served(NodeId process, double now, std::uint32_t hops);
  void waited_to_return(double time, std::uint32_t hops) { add_waiting(time, hops); }
  void entry() { ++entries_; }
  void switched() { ++switches_; }
  void synchronized(double time, std::uint32_t hops);
  void inside(double now, std::size_t count);  // from now on

  Measures measures(double end) const;
  // Per entry; their types are those of the labels.
  const std::vector<std::uint64_t>& by_type() const { return by_type_; }
  const std::vector<std::uint64_t>& handled() const { return handled_; }
  std::uint64_t entries() const { return entries_; }

 private:
  static constexpr NodeId kNobody = ~NodeId{0};
  struct Waiter {  // in the order in which they asked
    NodeId before = kNobody;
    NodeId after = kNobody;
    double since = 0;
    std::uint64_t overtaken = 0;
  };
  struct Total {
    double time = 0;
    std::uint64_t count = 0;
  };

  void add_waiting(double time, std::uint32_t hops);
  double jain_index() const;

  std::uint64_t bits_;
  double start_ = 0;
  std::vector<std::uint64_t> by_type_;
  std::uint64_t remote_ = 0;
  std::uint64_t named_ = 0;
  std::vector<std::uint64_t> handled_;
  std::vector<Waiter> waiters_;
  NodeId last_waiter_ = kNobody;
  std::uint64_t longest_overtaking_ = 0;
  std::vector<double> waits_;
  std::uint64_t hops_ = 0;
  std::vector<Total> by_process_;
  Total synchronizations_;
  std::uint64_t synchronization_hops_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t switches_ = 0;
  std::size_t inside_ = 0;
  std::size_t most_inside_ = 0;
  double inside_since_ = 0;
  double time_inside_ = 0;    // summed over those inside
  double time_occupied_ = 0;  // with anybody inside
};

}  // namespace coterie::sim
