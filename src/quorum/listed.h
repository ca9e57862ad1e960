// A family that is a list of quorums, as given: not necessarily minimal, nor meeting each other.
// What other families know from their structure, this one finds by search.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "coterie/quorum.h"

namespace coterie::quorum {

// Quorums one after another in one array: a bit set each would take n bits for a quorum of three.
class QuorumLists {
 public:
  // REQUIRES: quorum is not empty and has no member twice
  void add(std::span<const NodeId> quorum);

  std::size_t size() const { return begins_.size() - 1; }
  std::span<const NodeId> operator[](std::size_t index) const {
    return std::span(members_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
  }

 private:
  std::vector<NodeId> members_;
  std::vector<std::size_t> begins_ = {0};
};

// The largest number of pairwise disjoint quorums; nothing if the budget ran out first.
std::optional<std::size_t> largest_packing(const QuorumLists& quorums, std::size_t n,
                                           Budget& budget);

class Listed final : public Family {
 public:
  // k is what the list claims. REQUIRES: quorums.size() > 0
  Listed(std::size_t n, std::size_t k, QuorumLists quorums);

  std::size_t min_size() const override { return min_size_; }
  std::size_t max_size() const override { return max_size_; }
  Claims claims() const override { return {}; }
  bool contains_quorum(const NodeSet& set) const override;
  // Of quorums of equal cost a smallest one, so that it is minimal even among members that cost
  // nothing; of these the first.
  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override;
  Packing pack(const NodeSet& available, std::size_t h, Budget& budget) const override;
  bool for_each_quorum(const Visit& visit) const override;

 private:
  QuorumLists quorums_;
  std::size_t min_size_;
  std::size_t max_size_ = 0;
};

}  // namespace coterie::quorum
