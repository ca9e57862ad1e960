// The diagrams are BuDDy's. It keeps one node table for the whole process and reports errors to a
// hook; a Session owns the table while it lives, and turns "out of nodes" into a failure that its
// user can see. Operations after a failure return at once, so it is checked only where it matters.
#include "quorum/diagram.h"

#include <bdd.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "base/assert.h"

namespace coterie::quorum {
namespace {

class Session {
 public:
  Session(std::size_t variables, Budget& budget) : lock_(table_mutex()), budget_(budget) {
    // A program that we are embedded in may be using BuDDy itself: then its table is not ours.
    owner_ = bdd_isrunning() == 0 && bdd_init(kFirstNodes, kFirstNodes / kNodesPerCacheEntry) >= 0;
    failed() = !owner_;
    if (!owner_) return;
    bdd_error_hook([](int /*code*/) { failed() = true; });
    bdd_gbc_hook(nullptr);  // the default one prints
    bdd_resize_hook(nullptr);
    bdd_setmaxnodenum(kMaxNodes);
    bdd_setmaxincrease(kMaxNodes / 8);
    bdd_setcacheratio(kNodesPerCacheEntry);
    bdd_setvarnum(static_cast<int>(variables));
  }
  ~Session() {
    if (!owner_) return;
    bdd_clear_error();
    bdd_done();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Pays for the nodes made since the last call; false if the budget or the table is used up.
  bool pay() {
    if (failed()) return false;
    bddStat stat;
    bdd_stats(stat);
    const auto made = static_cast<std::uint64_t>(stat.produced - paid_);
    paid_ = stat.produced;
    return budget_.spend(1 + made * kStepsPerNode) && !failed();
  }

 private:
  static constexpr int kFirstNodes = 100'000;
  static constexpr int kMaxNodes = 4'000'000;
  static constexpr int kNodesPerCacheEntry = 4;
  static constexpr std::uint64_t kStepsPerNode = 4;

  // BuDDy's state is the process's, so ours beside it must be too.
  static std::mutex& table_mutex() {
    static std::mutex mutex;
    return mutex;
  }
  static bool& failed() {
    static bool flag = false;
    return flag;
  }

  std::lock_guard<std::mutex> lock_;
  Budget& budget_;
  bool owner_ = false;
  long paid_ = 0;
};

// The diagrams of one list of quorums. Functions answer false or nothing when out of budget.
class Builder {
 public:
  Builder(std::span<const NodeSet> quorums, Up up, Session& session)
      : quorums_(quorums), up_(up), session_(session) {}

  // Some quorum of those with `least` to `most` members is up.
  std::optional<bdd> some_quorum(std::size_t least, std::size_t most) {
    return any([&](const NodeSet& quorum) {
      const std::size_t size = quorum.size();
      return size < least || size > most ? bddfalse : all_up(quorum);
    });
  }

  // One disjoint quorum more: some quorum is up, and `fewer` holds even without its members.
  std::optional<bdd> one_more(const bdd& fewer) {
    return any([&](const NodeSet& quorum) {
      return all_up(quorum) & bdd_restrict(fewer, all_down(quorum));
    });
  }

  double probability(const bdd& function) {
    std::unordered_map<int, double> known;
    return probability_of(function, known);
  }

 private:
  // The disjunction of term(quorum) over all quorums. Halves of the list are joined, not one term
  // after the other: neighbours in an enumeration are alike, and their diagrams small.
  template <class Term>
  std::optional<bdd> any(Term term) {
    bdd result = any_of(0, quorums_.size(), term);
    if (!session_.pay()) return std::nullopt;
    return result;
  }

  template <class Term>
  bdd any_of(std::size_t first, std::size_t last, const Term& term) {
    if (!session_.pay()) return bddfalse;
    if (last - first == 1) return term(quorums_[first]);
    const std::size_t middle = first + (last - first) / 2;
    const bdd left = any_of(first, middle, term);
    return left | any_of(middle, last, term);
  }

  static bdd all_up(const NodeSet& members) {
    bdd cube = bddtrue;
    for_each_descending(members, [&](int variable) { cube = bdd_ithvar(variable) & cube; });
    return cube;
  }

  static bdd all_down(const NodeSet& members) {
    bdd cube = bddtrue;
    for_each_descending(members, [&](int variable) { cube = bdd_nithvar(variable) & cube; });
    return cube;
  }

  // From the leaves up, so that each step adds one node on top.
  template <class Visit>
  static void for_each_descending(const NodeSet& members, Visit visit) {
    const std::vector<NodeId> ascending(members.begin(), members.end());
    std::for_each(ascending.rbegin(), ascending.rend(),
                  [&](NodeId member) { visit(static_cast<int>(member)); });
  }

  double probability_of(const bdd& node, std::unordered_map<int, double>& known) {
    if (node == bddtrue) return 1;
    if (node == bddfalse) return 0;
    if (const auto found = known.find(node.id()); found != known.end()) return found->second;
    const double p = up_[static_cast<std::size_t>(bdd_var(node))];
    const double low = probability_of(bdd_low(node), known);
    const double high = probability_of(bdd_high(node), known);
    return known[node.id()] = (1 - p) * low + p * high;
  }

  std::span<const NodeSet> quorums_;
  Up up_;
  Session& session_;
};

std::pair<std::size_t, std::size_t> size_range(std::span<const NodeSet> quorums) {
  std::size_t least = quorums.front().size();
  std::size_t most = least;
  for (const NodeSet& quorum : quorums) {
    least = std::min(least, quorum.size());
    most = std::max(most, quorum.size());
  }
  return {least, most};
}

}  // namespace

std::vector<double> diagram_availability(std::span<const NodeSet> quorums, std::size_t most, Up up,
                                         Budget& budget) {
  COTERIE_ASSERT(!quorums.empty());
  Session session(up.size(), budget);
  Builder builder(quorums, up, session);
  std::vector<double> availability;
  std::optional<bdd> packed = bddtrue;
  while (availability.size() < most) {
    packed = availability.empty() ? builder.some_quorum(0, up.size()) : builder.one_more(*packed);
    if (!packed) break;
    availability.push_back(builder.probability(*packed));
  }
  return availability;
}

std::optional<std::vector<double>> diagram_sizes(std::span<const NodeSet> quorums, Up up,
                                                 Budget& budget) {
  COTERIE_ASSERT(!quorums.empty());
  Session session(up.size(), budget);
  Builder builder(quorums, up, session);
  const auto [least, most] = size_range(quorums);
  std::vector<double> distribution(most + 1, 0.0);
  bdd smaller = bddfalse;
  for (std::size_t size = least; size <= most; ++size) {
    const std::optional<bdd> exactly = builder.some_quorum(size, size);
    if (!exactly) return std::nullopt;
    // Not a difference of probabilities, which would lose the small ones.
    distribution[size] = builder.probability(*exactly - smaller);
    smaller |= *exactly;
    if (!session.pay()) return std::nullopt;
  }
  return distribution;
}

}  // namespace coterie::quorum
