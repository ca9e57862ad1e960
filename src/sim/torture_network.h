// The network of a run: how long frames take, and which never arrive.
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "sim/torture_plan.h"

namespace coterie::sim::torture {

class Network {
 public:
  Network(const Plan& plan, Random random)
      : plan_(plan),
        random_(random),
        cuts_(plan.members() * plan.members()),
        last_(plan.members() * plan.members()),
        client_cuts_(plan.habits.clients) {}

  // Cuts add up: a pair that two faults part is together when both are over.
  void cut(NodeId from, NodeId to) { ++cuts_[pair(from, to)]; }
  void mend(NodeId from, NodeId to) { --cuts_[pair(from, to)]; }
  bool is_cut(NodeId from, NodeId to) const { return cuts_[pair(from, to)] > 0; }
  void cut_client(std::uint32_t client) { ++client_cuts_[client]; }
  void mend_client(std::uint32_t client) { --client_cuts_[client]; }
  bool is_cut_client(std::uint32_t client) const { return client_cuts_[client] > 0; }
  void weather_begins(const Fault& fault) { weather_.push_back(&fault); }
  void weather_ends(const Fault& fault) { std::erase(weather_, &fault); }
  void heal() {
    std::fill(cuts_.begin(), cuts_.end(), 0);
    std::fill(client_cuts_.begin(), client_cuts_.end(), 0);
    weather_.clear();
    is_calm_ = true;
  }

  // When it arrives: never, once, or twice. Frames of a pair arrive in order, unless a fault is about that.
  void arrivals(NodeId from, NodeId to, Real now, std::vector<Real>& when) {
    when.clear();
    if (is_cut(from, to) || strikes(FaultKind::loss)) return;
    Real& last = last_[pair(from, to)];
    const bool keeps_order = !strikes(FaultKind::reordering);
    const int copies = strikes(FaultKind::doubling) ? 2 : 1;
    for (int i = 0; i < copies; ++i) {
      Real arrival = now + delay() + (i == 0 ? 0 : delay());
      if (keeps_order) last = arrival = std::max(arrival, last);
      when.push_back(arrival);
    }
  }
  // A client leaves a member that answers a keep-alive later than the next is due, six of which are in a session. In the end,
  // when all is to go well, no answer is so late.
  Real client_delay() {
    const Real delay = capped(plan_.client_delay.draw(random_));
    constexpr Real kOfSession = 13;
    constexpr Real kOfLease = 8;  // and three in a lease
    const Real most = std::min(plan_.config.session.ns / kOfSession, plan_.lease() / kOfLease);
    return is_calm_ ? std::min(delay, most) : delay;
  }

 private:
  std::size_t pair(NodeId from, NodeId to) const { return from * plan_.members() + to; }
  Real capped(double delay) const { return std::min(real_of(delay), plan_.longest_delay); }

  bool strikes(FaultKind kind) {
    return std::any_of(weather_.begin(), weather_.end(), [&](const Fault* fault) {
      return fault->kind == kind && random_.chance(fault->strength);
    });
  }
  Real delay() {
    Real time = capped(plan_.delay.draw(random_));
    for (const Fault* fault : weather_) {
      const double most = fault->strength * static_cast<double>(plan_.lease());
      if (fault->kind == FaultKind::slowness) time += static_cast<Real>(random_.uniform() * most);
      if (fault->kind == FaultKind::reordering)
        time += static_cast<Real>(random_.uniform() * most / 10);
    }
    return time;
  }

  const Plan& plan_;
  Random random_;
  std::vector<int> cuts_;
  std::vector<Real> last_;  // arrival, for each pair
  std::vector<int> client_cuts_;
  std::vector<const Fault*> weather_;
  bool is_calm_ = false;
};

}  // namespace coterie::sim::torture
