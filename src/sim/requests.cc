#include "sim/requests.h"

#include <algorithm>
#include <cmath>

#include "sim/stream.h"

namespace coterie::sim {

Requests::Requests(const Workload& workload, std::size_t processes, std::uint64_t seed)
    : workload_(workload), bursts_(stream(seed, Purpose::bursts)) {
  for (std::size_t process = 0; process < processes; ++process) {
    sources_.push_back(stream(seed, Purpose::requests, process));
  }
  if (workload.zipf == 0) return;
  double sum = 0;
  for (std::uint32_t group = 0; group < workload.groups; ++group) {
    sum += std::pow(group + 1, -workload.zipf);
    cumulative_.push_back(sum);
  }
}

Requests::Next Requests::draw(NodeId process) {
  Random& random = sources_[process];
  Next next;
  next.apart = workload_.arrivals == Arrivals::bursts ? 0 : workload_.apart.draw(random);
  next.inside = workload_.inside.draw(random);
  if (!workload_.demands.empty()) return next;
  const auto wanted = std::min(workload_.groups_per_request, workload_.groups);
  while (next.places.size() < wanted) {
    const std::uint32_t place = draw_place(random);
    if (std::find(next.places.begin(), next.places.end(), place) == next.places.end())
      next.places.push_back(place);
  }
  return next;
}

std::uint32_t Requests::draw_place(Random& random) const {
  if (cumulative_.empty()) return static_cast<std::uint32_t>(random.below(workload_.groups));
  const double drawn = random.uniform() * cumulative_.back();
  const auto place = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, drawn);
  return static_cast<std::uint32_t>(place - cumulative_.begin());
}

protocol::Groups Requests::groups(NodeId process, const Next& next, double now) const {
  if (!workload_.demands.empty()) return workload_.demands[process];
  // The places are taken over one after another, so that the group which has been there longest goes.
  const std::uint64_t count = workload_.groups;
  const auto changes =
      workload_.turnover > 0 ? static_cast<std::uint64_t>(now / workload_.turnover) : 0;
  protocol::Groups groups;
  for (const std::uint32_t place : next.places) {
    const std::uint64_t takeovers = (changes + count - 1 - place) / count;
    groups.insert(static_cast<protocol::Group>(place + count * takeovers));
  }
  return groups;
}

double Requests::next_burst(double now) {
  if (workload_.apart.mean() == 0) return now;
  while (burst_ <= now) burst_ += workload_.apart.draw(bursts_);
  return burst_;
}

}  // namespace coterie::sim
