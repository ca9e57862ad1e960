// Numbers about quorum systems: availability, quorum size, load, capacity, resilience. Each says how
// it was found, and an estimate gives its interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "coterie/budget.h"
#include "coterie/quorum.h"

namespace coterie::quorum {

enum class Method : std::uint8_t {
  recursion,    // exact: the construction's own formula, recursion or dynamic programme
  diagram,      // exact: a binary decision diagram over the members
  enumeration,  // exact: every set of members that may be up
  sampling,     // Monte Carlo, with a 95 % confidence interval
};
std::string_view name(Method method);

struct Estimate {
  double value = 0;
  Method method = Method::recursion;
  double low = 0;  // the 95 % confidence interval; low = value = high if exact
  double high = 0;
};

struct Effort {
  std::uint64_t steps = Budget::kDefaultSteps;  // for each exact method that is tried
  std::uint64_t samples = 100'000;              // fewer of systems with thousands of members
  std::uint64_t seed = 1;
  std::function<bool()> stop = {};
};

// The probability that h pairwise disjoint quorums are up, for h = 1..k (of a larger k, for the first
// kMaxAvailabilities).
inline constexpr std::size_t kMaxAvailabilities = 1000;
// REQUIRES: up has n entries in [0,1].
std::vector<Estimate> availability(const Family& family, Up up, const Effort& effort = {});
// The expected size of a smallest quorum that is up, given that there is one; nothing if there never is.
std::optional<Estimate> expected_size(const Family& family, Up up, const Effort& effort = {});

// The load of the best strategy: the share of accesses that the busiest member gets, when quorums are
// drawn so that it is least (Naor and Wool 1998). Exact to 1e-9: `bound` is a proven lower bound.
struct Load {
  double load = 0;
  double bound = 0;
  double capacity() const { return 1 / load; }
  std::vector<std::pair<NodeSet, double>> write_strategy;
  std::vector<std::pair<NodeSet, double>> read_strategy;
};
// Nothing if the budget ran out before the bound met the load.
std::optional<Load> optimal_load(const Family& family, Budget& budget);
// Of a mix: a share `reads` in [0,1] of the accesses are reads.
std::optional<Load> optimal_load(const Family& write, const Family& read, double reads,
                                 Budget& budget);

// The largest f such that a quorum is left whichever f members fail; nothing if not decided.
std::optional<std::size_t> resilience(const Family& family, Budget& budget);

// The fewest and the most members whose requests one node receives, when all use home quorums;
// nothing if not decided.
std::optional<std::pair<std::size_t, std::size_t>> clients_range(const Family& family,
                                                                 Budget& budget);

}  // namespace coterie::quorum
