// Numbers about a family: each by the best method that its budget allows, and saying which.
// The load is in load.cc.
#include "coterie/analysis.h"

#include <algorithm>

#include "base/assert.h"
#include "quorum/exact.h"
#include "quorum/sampling.h"

namespace coterie::quorum {
namespace {

Estimate exact(double value, Method method) {
  return {.value = value, .method = method, .low = value, .high = value};
}

// Can there be a quorum at all, if those never up are left out?
bool ever_formed(const Family& family, Up up) {
  NodeSet possible(family.n());
  for (NodeId member = 0; member < family.n(); ++member) {
    if (up[member] > 0) possible.insert(member);
  }
  return family.contains_quorum(possible);
}

}  // namespace

std::string_view name(Method method) {
  switch (method) {
    case Method::recursion:
      return "recursion";
    case Method::diagram:
      return "diagram";
    case Method::enumeration:
      return "enumeration";
    case Method::sampling:
      return "sampling";
  }
  return "";
}

std::vector<Estimate> availability(const Family& family, Up up, const Effort& effort) {
  COTERIE_ASSERT(up.size() == family.n());
  const auto known = exact_availabilities(family, up, effort);
  std::size_t most = 0;  // the largest h without an exact answer
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]) most = i + 1;
  }
  std::vector<Estimate> estimates(known.size());
  if (most > 0) estimates = sampled_availability(family, most, up, effort);
  estimates.resize(known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i]) estimates[i] = exact(known[i]->value, known[i]->method);
  }
  return estimates;
}

std::optional<Estimate> expected_size(const Family& family, Up up, const Effort& effort) {
  COTERIE_ASSERT(up.size() == family.n());
  if (!ever_formed(family, up)) return std::nullopt;
  if (family.min_size() == family.max_size()) {
    return exact(static_cast<double>(family.min_size()), Method::recursion);
  }
  const auto sizes = exact_size_distribution(family, up, effort);
  if (!sizes) return sampled_size(family, up, effort);
  double formed = 0;
  double sum = 0;
  for (std::size_t size = 0; size < sizes->value.size(); ++size) {
    formed += sizes->value[size];
    sum += sizes->value[size] * static_cast<double>(size);
  }
  // So small a chance of a quorum that doubles cannot hold it.
  if (formed <= 0) return std::nullopt;
  return exact(sum / formed, sizes->method);
}

std::optional<std::size_t> resilience(const Family& family, Budget& budget) {
  const std::optional<Cost> blocker = family.cheapest_blocker({}, budget);
  if (!blocker) return std::nullopt;
  COTERIE_ASSERT(*blocker > 0);
  return static_cast<std::size_t>(*blocker - 1);
}

std::optional<std::pair<std::size_t, std::size_t>> clients_range(const Family& family,
                                                                 Budget& budget) {
  constexpr std::uint64_t kWorkPerStep = 16;  // a home is found faster than a cheapest quorum
  // One pass over the homes: asking each node for its clients would make this pass n times.
  std::vector<std::size_t> clients(family.n(), 0);
  for (NodeId member = 0; member < family.n(); ++member) {
    if (!budget.spend(family.question_steps() / kWorkPerStep + family.min_size())) {
      return std::nullopt;
    }
    for (const NodeId node : family.home_quorum(member)) ++clients[node];
  }
  std::pair<std::size_t, std::size_t> range{family.n(), 0};
  for (const std::size_t count : clients) {
    range = {std::min(range.first, count), std::max(range.second, count)};
  }
  return range;
}

}  // namespace coterie::quorum
