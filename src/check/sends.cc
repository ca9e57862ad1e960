#include "check/sends.h"

#include <algorithm>

namespace coterie::check {

Sends::Sends(const Space& space) : masks_(space.local_count(), 0) {
  struct Back {
    Id from;
    std::uint64_t passes;  // the receivers that this step does not count as heard from
  };
  std::vector<std::vector<Back>> back(masks_.size());
  std::vector<Id> changed;
  space.for_each_step([&](Id local, std::optional<NodeId> heard, const Space::Step& step) {
    const std::uint64_t passes = heard ? ~(std::uint64_t{1} << *heard) : ~std::uint64_t{0};
    back[step.next].push_back({local, passes});
    for (const Space::Sent& sent : step.sent) {
      masks_[local] |=
          passes & (std::uint64_t{1} << space.ends(space.message(sent.message).channel).to);
    }
    changed.push_back(local);
  });
  while (!changed.empty()) {
    const Id local = changed.back();
    changed.pop_back();
    for (const Back& step : back[local]) {
      const std::uint64_t more = masks_[local] & step.passes & ~masks_[step.from];
      if (more == 0) continue;
      masks_[step.from] |= more;
      changed.push_back(step.from);
    }
  }
}

// A local state beyond the end of one is one of which nothing was known.
bool operator==(const Sends& a, const Sends& b) {
  const std::size_t size = std::max(a.masks_.size(), b.masks_.size());
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t left = i < a.masks_.size() ? a.masks_[i] : 0;
    const std::uint64_t right = i < b.masks_.size() ? b.masks_[i] : 0;
    if (left != right) return false;
  }
  return true;
}

}  // namespace coterie::check
