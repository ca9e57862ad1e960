// The slow truth, linked only into tests: every answer about a family, from a list of its quorums
// and a table over all sets of members. What a construction says from its structure is compared
// with this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "coterie/quorum.h"

namespace coterie::quorum::reference {

// A set of at most 20 members, member i being bit i.
using Mask = std::uint32_t;
inline constexpr std::size_t kMaxTableMembers = 20;

// All quorums, in the order in which the family visits them.
std::vector<NodeSet> quorums(const Family& family);
Mask mask_of(const NodeSet& set);
NodeSet set_of(Mask mask, std::size_t n);

// What every set of members contains, by dynamic programming over subsets.
class Table {
 public:
  // REQUIRES: n <= kMaxTableMembers
  Table(std::size_t n, const std::vector<NodeSet>& quorums);
  explicit Table(const Family& family) : Table(family.n(), quorums(family)) {}

  std::size_t n() const { return n_; }
  bool is_quorum(Mask set) const { return is_quorum_[set]; }
  bool contains(Mask set) const { return smallest_[set] != kNone; }
  // Of a smallest quorum inside the set. REQUIRES: contains(set)
  std::size_t smallest(Mask set) const { return smallest_[set]; }
  // The largest number of pairwise disjoint quorums inside the set.
  std::size_t packing(Mask set) const { return packing_[set]; }
  std::size_t k() const { return packing_.back(); }

  // Entry `set` is the least cost of a quorum inside it; nothing: kNoCost.
  static constexpr Cost kNoCost = ~Cost{0};
  std::vector<Cost> cheapest(Costs costs) const;
  Cost cheapest_blocker(Costs costs) const;

  // Entry h is the probability that h disjoint quorums are up, h = 0..k.
  std::vector<double> availability(Up up) const;
  // Entry s is the probability that a smallest quorum that is up has s members.
  std::vector<double> size_distribution(Up up) const;

 private:
  static constexpr std::uint8_t kNone = 0xff;

  bool extends(Mask set, std::size_t packed) const;

  std::size_t n_;
  std::vector<bool> is_quorum_;
  std::vector<std::vector<Mask>> by_lowest_;  // the quorums whose lowest member is the index
  std::size_t min_size_ = 0;
  std::size_t max_size_ = 0;
  std::vector<std::uint8_t> smallest_;
  std::vector<std::uint8_t> packing_;
};

// An up-probability for each of n members, drawn from the seed.
std::vector<double> random_up(std::size_t n, std::uint64_t seed);

struct Options {
  bool minimal = true;                // the enumerated quorums are minimal
  bool decided = true;                // find_disjoint and cheapest_blocker always decide
  bool with_own_k = true;             // k() is the largest number of disjoint quorums
  std::size_t exhaustive_up_to = 12;  // all sets of members for n up to this, else random ones
  std::size_t random_sets = 4000;
};
// Compares every answer of the family with its enumeration; stops at the first set that differs.
// Beyond kMaxTableMembers members only what a list of quorums can tell: that list must fit in
// memory.
void expect_family_agrees(const Family& family, const Options& options = {});

// The same for each family of a system.
void expect_system_agrees(const System& system, const Options& options = {});

// A family that is just a list, answered by brute force: the shapes that constructions refuse, for
// tests that a property fails when it should. Non-minimal lists are kept as they are.
class ListedFamily : public Family {
 public:
  ListedFamily(std::size_t n, std::size_t k, std::vector<NodeSet> quorums, Claims claims = {});

  std::size_t min_size() const override;
  std::size_t max_size() const override;
  Claims claims() const override { return claims_; }
  bool contains_quorum(const NodeSet& set) const override;
  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs = {}) const override;
  Packing pack(const NodeSet& available, std::size_t h, Budget& budget) const override;
  bool for_each_quorum(const Visit& visit) const override;

 private:
  std::vector<NodeSet> quorums_;
  Claims claims_;
};

using Listed = std::initializer_list<std::initializer_list<NodeId>>;
std::shared_ptr<const Family> listed(std::size_t n, std::size_t k, Listed quorums,
                                     Claims claims = {});

}  // namespace coterie::quorum::reference
