#include "quorum/sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/assert.h"
#include "base/random.h"

namespace coterie::quorum {
namespace {

constexpr double kZ = 1.959963984540054;  // 95 % of a normal distribution lie within kZ deviations

// Wilson's score interval for a probability. Unlike the normal one it is right at 0 and 1 too.
std::pair<double, double> wilson(std::uint64_t hits, std::uint64_t draws) {
  const auto n = static_cast<double>(draws);
  const double share = static_cast<double>(hits) / n;
  const double centre = share + kZ * kZ / (2 * n);
  const double spread = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  // Rounding must not push an end past a share that was observed.
  return {std::max(0.0, std::min(share, (centre - spread) / scale)),
          std::min(1.0, std::max(share, (centre + spread) / scale))};
}

class Sampler {
 public:
  Sampler(Up up, const Effort& effort)
      : up_(up),
        effort_(effort),
        samples_(std::min(effort.samples, kLeastSamples + kMaxMembersDrawn / up.size())),
        random_(effort.seed) {
    COTERIE_ASSERT(effort.samples > 0);
  }

  // Calls visit(who is up) for each draw. At least once, and then until stopped; answers how often.
  template <class Visit>
  std::uint64_t run(Visit visit) {
    NodeSet set(up_.size());
    std::uint64_t draws = 0;
    while (draws < samples_) {
      if (draws > 0 && effort_.stop && effort_.stop()) break;
      set.clear();
      for (NodeId member = 0; member < up_.size(); ++member) {
        if (random_.chance(up_[member])) set.insert(member);
      }
      visit(set);
      ++draws;
    }
    return draws;
  }

 private:
  // A few seconds' worth, however large the system.
  static constexpr std::uint64_t kMaxMembersDrawn = 200'000'000;
  static constexpr std::uint64_t kLeastSamples = 1000;

  Up up_;
  const Effort& effort_;
  std::uint64_t samples_;
  Random random_;
};

// The number of disjoint quorums in a set, between what was found and what was not refuted.
struct Packed {
  std::size_t surely = 0;
  std::size_t perhaps = 0;
};

Packed most_disjoint(const Family& family, const NodeSet& set, std::size_t most,
                     std::uint64_t steps) {
  if (!family.contains_quorum(set)) return {};
  Budget budget(steps);
  for (std::size_t h = 1; h < most; ++h) {
    const Verdict more = family.find_disjoint(set, h + 1, budget).found;
    if (more == Verdict::no) return {h, h};
    if (more == Verdict::not_decided) return {h, most};
  }
  return {most, most};
}

}  // namespace

std::vector<Estimate> sampled_availability(const Family& family, std::size_t most, Up up,
                                           const Effort& effort) {
  constexpr std::uint64_t kLeastStepsPerDraw = 1000;
  const std::uint64_t steps = std::max(kLeastStepsPerDraw, effort.steps / effort.samples);
  std::vector<std::uint64_t> surely(most + 1, 0);  // entry h: draws with at least h
  std::vector<std::uint64_t> perhaps(most + 1, 0);
  const std::uint64_t draws = Sampler(up, effort).run([&](const NodeSet& set) {
    const Packed packed = most_disjoint(family, set, most, steps);
    ++surely[packed.surely];
    ++perhaps[packed.perhaps];
  });
  std::vector<Estimate> estimates(most);
  for (std::size_t h = most; h > 0; --h) {
    const double middle = static_cast<double>(surely[h] + perhaps[h]) / 2;
    estimates[h - 1] = {.value = middle / static_cast<double>(draws),
                        .method = Method::sampling,
                        .low = wilson(surely[h], draws).first,
                        .high = wilson(perhaps[h], draws).second};
    surely[h - 1] += surely[h];
    perhaps[h - 1] += perhaps[h];
  }
  return estimates;
}

Estimate sampled_size(const Family& family, Up up, const Effort& effort) {
  double count = 0;
  double mean = 0;
  double squares = 0;  // of the distances from the mean, kept up to date as Welford does
  Sampler(up, effort).run([&](const NodeSet& set) {
    const std::optional<NodeSet> quorum = family.find_quorum(set);
    if (!quorum) return;
    const auto size = static_cast<double>(quorum->size());
    count += 1;
    const double distance = size - mean;
    mean += distance / count;
    squares += distance * (size - mean);
  });
  const auto least = static_cast<double>(family.min_size());
  const auto most = static_cast<double>(family.max_size());
  if (count < 2) return {(least + most) / 2, Method::sampling, least, most};
  const double spread = kZ * std::sqrt(squares / (count - 1) / count);
  return {mean, Method::sampling, std::max(least, mean - spread), std::min(most, mean + spread)};
}

}  // namespace coterie::quorum
