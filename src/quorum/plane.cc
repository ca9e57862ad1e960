// The lines of a finite projective plane (Maekawa 1985): q²+q+1 members and as many lines of q+1
// members; any two lines meet in one member, any two members are on one line. The planes over a
// field exist for every order q that is a prime or the power of one.
//
// The plane is given by a cyclic difference set D: line j is D + j modulo n, and 0 is in D, so that
// member j is on line j. Turning the ring by one takes each line to the next.
//
// The plane of order 2 is nondominated; those above are dominated. Take a line L and a point P on
// it. L without P, and one point other than P on each other line through P, hit every line: those
// through P at the chosen points, the others where they meet L. They contain a line only if all
// chosen points lie on one line, and with three or more of them they need not.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/difference_set.h"

namespace coterie::quorum {
namespace {

class Plane final : public Family {
 public:
  Plane(std::size_t n, std::vector<NodeId> differences)
      : Family(n, 1), differences_(std::move(differences)) {}

  std::size_t min_size() const override { return differences_.size(); }
  std::size_t max_size() const override { return differences_.size(); }
  Claims claims() const override { return {true, order() == 2, true}; }
  // Every line may have to be looked at.
  std::uint64_t question_steps() const override { return n() * 64; }

  bool contains_quorum(const NodeSet& set) const override { return first_line(set).has_value(); }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    std::optional<NodeId> best = first_line(available);
    if (!best) return std::nullopt;
    if (costs.empty()) return line(*best);
    Cost best_cost = total(*best, costs);
    for (NodeId j = *best + 1; j < n(); ++j) {
      if (!inside(j, available)) continue;
      const Cost cost = total(j, costs);
      if (cost < best_cost) {
        best = j;
        best_cost = cost;
      }
    }
    return line(*best);
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    if (h == 0) return {Verdict::yes, {}};
    const std::optional<NodeId> found = h == 1 ? first_line(available) : std::nullopt;
    if (!found) return {};
    return {Verdict::yes, {line(*found)}};
  }

  NodeSet home_quorum(NodeId member) const override { return line(member); }

  NodeSet clients_of(NodeId node) const override {
    NodeSet clients(n());
    for (const NodeId difference : differences_) {
      clients.insert(static_cast<NodeId>((node + n() - difference) % n()));
    }
    return clients;
  }

  bool for_each_quorum(const Visit& visit) const override {
    for (NodeId j = 0; j < n(); ++j) {
      if (!visit(line(j))) return false;
    }
    return true;
  }

  // A member is on q+1 lines, so q of them hit at most q²+q lines, one too few; a line hits all.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& budget) const override {
    const bool alike =
        std::adjacent_find(costs.begin(), costs.end(), std::not_equal_to<>()) == costs.end();
    if (alike) return cost_of(costs, 0) * differences_.size();
    return Family::cheapest_blocker(costs, budget);
  }

 private:
  std::size_t order() const { return differences_.size() - 1; }
  NodeId around(std::size_t member) const {
    return static_cast<NodeId>(member < n() ? member : member - n());
  }

  template <class Act>
  void for_members(NodeId j, Act act) const {
    for (const NodeId difference : differences_) act(around(std::size_t{j} + difference));
  }
  NodeSet line(NodeId j) const {
    NodeSet members(n());
    for_members(j, [&](NodeId member) { members.insert(member); });
    return members;
  }
  Cost total(NodeId j, Costs costs) const {
    Cost sum = 0;
    for_members(j, [&](NodeId member) { sum += cost_of(costs, member); });
    return sum;
  }
  bool inside(NodeId j, const NodeSet& set) const {
    return std::all_of(differences_.begin(), differences_.end(), [&](NodeId difference) {
      return set.contains(around(std::size_t{j} + difference));
    });
  }

  // The members first..first+count-1, going round, as the low bits of a word.
  std::uint64_t bits_around(const NodeSet& set, NodeId first, std::size_t count) const {
    const std::size_t before_end = n() - first;
    if (count <= before_end) return set.bits(first, count);
    return set.bits(first, before_end) | set.bits(0, count - before_end) << before_end;
  }

  // Up to 64 lines at a time: those that begin at j, j+1, ... have their i-th members in a line
  // too.
  std::optional<NodeId> first_line(const NodeSet& set) const {
    for (std::size_t j = 0; j < n(); j += NodeSet::kWordBits) {
      const std::size_t count = std::min(n() - j, NodeSet::kWordBits);
      std::uint64_t inside = set.bits(static_cast<NodeId>(j), count);
      for (std::size_t i = 1; inside != 0 && i < differences_.size(); ++i) {
        inside &= bits_around(set, around(j + differences_[i]), count);
      }
      if (inside != 0)
        return static_cast<NodeId>(j) + static_cast<NodeId>(std::countr_zero(inside));
    }
    return std::nullopt;
  }

  std::vector<NodeId> differences_;
};

std::size_t members_of(std::size_t order) { return order * order + order + 1; }

// The order of the largest plane that is allowed is below this.
constexpr std::size_t kOrderLimit = 1000;
static_assert(kOrderLimit * kOrderLimit >= kMaxMembers);

bool is_legal(std::size_t order) {
  return order < kOrderLimit && members_of(order) <= kMaxMembers && as_prime_power(order);
}

// The larger of two.
std::size_t nearest_order(std::size_t order) {
  order = std::min(order, kOrderLimit);
  for (std::size_t distance = 0;; ++distance) {
    if (is_legal(order + distance)) return order + distance;
    if (distance <= order && is_legal(order - distance)) return order - distance;
  }
}

std::string plane_spec(std::size_t order) { return fmt::format("plane:order={}", order); }

std::optional<Error> order_error(std::size_t order) {
  if (is_legal(order)) return std::nullopt;
  const std::size_t nearest = nearest_order(order);
  const std::string reason =
      order > nearest && nearest_order(kOrderLimit) == nearest
          ? fmt::format("is too large: at most {} members are allowed, so {} is the largest",
                        kMaxMembers, nearest)
          : fmt::format(
                "is not a prime or the power of one, as 2, 3, 4, 5, 7, 8, 9 are; {} is the "
                "nearest",
                nearest);
  return Error{fmt::format("order = {} {}", order, reason), "order", {}, plane_spec(nearest)};
}

}  // namespace

Result<System> plane(std::size_t order) {
  if (auto error = order_error(order)) return std::move(*error);
  return System(Kind::coterie, plane_spec(order),
                {std::make_shared<Plane>(members_of(order), singer_difference_set(order))});
}

}  // namespace coterie::quorum
