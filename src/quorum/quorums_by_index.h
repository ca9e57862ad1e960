// The quorums of a family by index, for those who cannot be called back by for_each_quorum. The ones up
// to the largest index that was asked for are kept.
#pragma once

#include <cstddef>
#include <deque>

#include "coterie/quorum.h"

namespace coterie::quorum {

class QuorumsByIndex {
 public:
  explicit QuorumsByIndex(const Family& family) : family_(family) {}

  // Nothing past the last one.
  const NodeSet* at(std::size_t index) {
    if (index >= known_.size() && !complete_) fetch(2 * index + 1);
    return index < known_.size() ? &known_[index] : nullptr;
  }

 private:
  // Enumeration can only begin at the beginning, so it fetches twice as many each time.
  void fetch(std::size_t count) {
    std::size_t seen = 0;
    complete_ = family_.for_each_quorum([&](const NodeSet& quorum) {
      if (seen++ >= known_.size()) known_.push_back(quorum);
      return seen < count;
    });
  }

  const Family& family_;
  std::deque<NodeSet> known_;
  bool complete_ = false;
};

}  // namespace coterie::quorum
