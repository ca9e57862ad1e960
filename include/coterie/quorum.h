// Quorum systems: which sets of members may decide together.
//
// A Family is one collection of quorums over the members 0..n-1: an ordinary coterie (k = 1: any two
// quorums meet), a k-coterie (at most k are pairwise disjoint), the write or the read quorums of a
// write-read pair, or the quorums of one group. A System is what a spec names: one family, a
// write-read pair, or one family per group.
//
// A family answers from its structure. Nothing is enumerated except by for_each_quorum, for those
// who ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coterie/budget.h"
#include "coterie/node_set.h"

namespace coterie::quorum {

// What each member costs to the one who chooses; empty: one each. A choice of quorum takes one of
// least sum, so costs express any preference: 0 for those already asked, much for those that are busy.
using Cost = std::uint64_t;
using Costs = std::span<const Cost>;
inline constexpr Cost kMaxCost = 1'000'000'000'000;  // of one member: sums must not overflow

// The probability that each member is up, independently of the others. One number per member.
using Up = std::span<const double>;

enum class Verdict : std::uint8_t { yes, no, not_decided };

// An answer to "are there h pairwise disjoint quorums in here?", with the quorums if there are.
struct Packing {
  Verdict found = Verdict::no;
  std::vector<NodeSet> quorums;
};

// What a construction guarantees by proof. A test confirms each claim by search on small shapes.
struct Claims {
  // Intersection, non-intersection and minimality hold; and the family meets the others of its system
  // as the kind of the system demands.
  bool is_k_coterie = false;
  std::optional<bool> nondominated = {};  // unknown to the construction if empty
  bool transitive = false;  // some symmetry takes any member to any other: all carry equal load
};

class Family {
 public:
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  std::size_t n() const { return n_; }
  NodeId end_id() const { return static_cast<NodeId>(n_); }  // members are 0..end_id()-1
  // The largest number of pairwise disjoint quorums ("degree"); 1 for an ordinary coterie.
  std::size_t k() const { return k_; }
  virtual std::size_t min_size() const = 0;
  virtual std::size_t max_size() const = 0;
  virtual Claims claims() const = 0;

  // REQUIRES of every function below: sets have universe n(), costs and up have n() entries
  // (costs may be empty), members are below n().

  // Does the set contain a quorum? Allocates nothing, except in compositions with more than 128 members
  // outside or in one block.
  virtual bool contains_quorum(const NodeSet& set) const = 0;

  // A quorum inside `available` of least total cost; nothing if there is none. Ties are broken the
  // same way every time. Without costs: a smallest quorum.
  virtual std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs = {}) const = 0;

  // h pairwise disjoint quorums inside `available`. Not decided if the budget does not even reach to
  // write them down; otherwise only explicit systems may leave it not decided.
  Packing find_disjoint(const NodeSet& available, std::size_t h, Budget& budget) const;

  // A quorum whose loss leaves as many disjoint quorums in `available` as can be: taking one such
  // quorum after another attains the (k,h)-availability, which taking smallest ones does not.
  std::optional<NodeSet> find_sparing_quorum(const NodeSet& available, Budget& budget) const;

  // The quorum that a member uses when all are up, chosen so that the work spreads; and the members
  // whose requests a node then receives.
  virtual NodeSet home_quorum(NodeId member) const;
  virtual NodeSet clients_of(NodeId node) const;

  // Visits each quorum once, lazily, until `visit` answers false. Answers whether it visited all.
  using Visit = std::function<bool(const NodeSet& quorum)>;
  virtual bool for_each_quorum(const Visit& visit) const = 0;

  // What analysis can take from the structure; nothing where the structure has no such recursion
  // (analysis then builds a decision diagram, or samples).

  // The probability that h pairwise disjoint quorums are up.
  virtual std::optional<double> availability(std::size_t h, Up up, Budget& budget) const;
  // The distribution of the size of a smallest quorum that is up: entry s is P(size = s). Its sum is
  // availability(1).
  virtual std::optional<std::vector<double>> size_distribution(Up up, Budget& budget) const;
  // The least total cost of members that together hit every quorum.
  virtual std::optional<Cost> cheapest_blocker(Costs costs, Budget& budget) const;
  // The total cost of a costliest quorum: the size of the largest, if each member stands for a block.
  // Families with many quorums of different sizes know it from their structure; others go over them all.
  virtual Cost greatest_cost(Costs costs) const;

  // About how many steps of a budget it takes to find a quorum.
  virtual std::uint64_t question_steps() const { return n_; }

 protected:
  Family(std::size_t n, std::size_t k) : n_(n), k_(k) {}
  virtual Packing pack(const NodeSet& available, std::size_t h, Budget& budget) const = 0;

 private:
  std::size_t n_;
  std::size_t k_;
};

enum class Kind : std::uint8_t {
  coterie,     // one family: a coterie or k-coterie
  write_read,  // families 0 (write) and 1 (read): each write quorum meets each read quorum
  groups,      // a family per group: quorums of different groups meet
};

class System {
 public:
  System(Kind kind, std::string spec, std::vector<std::shared_ptr<const Family>> families);

  Kind kind() const { return kind_; }
  // The canonical text: parsing it gives this system again.
  const std::string& spec() const { return spec_; }
  std::size_t n() const { return families_.front()->n(); }
  // How many may be inside at once: the k of the write family. One group at a time for groups.
  std::size_t k() const { return kind_ == Kind::groups ? 1 : write().k(); }

  std::size_t family_count() const { return families_.size(); }
  const Family& family(std::size_t index) const { return *families_[index]; }
  const Family& write() const { return *families_.front(); }
  const Family& read() const { return *families_.back(); }  // the write family if there is but one
  std::shared_ptr<const Family> share(std::size_t index) const { return families_[index]; }

  // The members as the construction arranges them, row by row, for those who draw it.
  const std::vector<std::vector<NodeId>>& layout() const { return layout_; }
  // What a person calls a member: its number, or its name in the file that the system came from.
  const std::string& label(NodeId member) const { return labels_[member]; }

  System with_layout(std::vector<std::vector<NodeId>> layout) &&;
  System with_labels(std::vector<std::string> labels) &&;

 private:
  Kind kind_;
  std::string spec_;
  std::vector<std::shared_ptr<const Family>> families_;
  std::vector<std::vector<NodeId>> layout_;
  std::vector<std::string> labels_;
};

}  // namespace coterie::quorum
