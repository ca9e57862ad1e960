// The events that are still to come, in order of time; those of one time in the order in which they were put
// in. A heap in which each has four below it: half the levels of a binary one, and what is compared lies
// together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace coterie::sim {

template <class Content>
class Queue {
 public:
  struct Item {
    double time;
    std::uint64_t order;
    Content content;
  };

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  double next_time() const { return items_.front().time; }

  void push(double time, const Content& content) {
    const Item item{time, ++pushed_, content};
    std::size_t at = items_.size();
    items_.push_back(item);
    while (at > 0) {
      const std::size_t above = (at - 1) / kBelow;
      if (!is_before(item, items_[above])) break;
      items_[at] = items_[above];
      at = above;
    }
    items_[at] = item;
  }

  // REQUIRES: not empty
  Item pop() {
    COTERIE_ASSERT(!items_.empty());
    const Item first = items_.front();
    const Item last = items_.back();
    items_.pop_back();
    if (!items_.empty()) sink(last);
    return first;
  }

 private:
  static constexpr std::size_t kBelow = 4;

  static bool is_before(const Item& a, const Item& b) {
    return a.time < b.time || (a.time == b.time && a.order < b.order);
  }
  void sink(const Item& item) {
    std::size_t at = 0;
    while (true) {
      const std::size_t first = at * kBelow + 1;
      if (first >= items_.size()) break;
      const std::size_t end = std::min(first + kBelow, items_.size());
      std::size_t least = first;
      for (std::size_t i = first + 1; i < end; ++i) {
        if (is_before(items_[i], items_[least])) least = i;
      }
      if (!is_before(items_[least], item)) break;
      items_[at] = items_[least];
      at = least;
    }
    items_[at] = item;
  }

  std::vector<Item> items_;
  std::uint64_t pushed_ = 0;
};

}  // namespace coterie::sim
