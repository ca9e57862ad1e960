#include "coterie/node_set.h"

#include <algorithm>

#include "base/assert.h"

namespace coterie {
namespace {

constexpr std::size_t kWordBits = NodeSet::kWordBits;

std::uint64_t low_bits(std::size_t count) {
  return count >= kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// Calls visit(word index, mask) for each word that holds some of the members first..last-1,
// until visit answers false.
template <class Visit>
void for_range(NodeId first, NodeId last, Visit visit) {
  while (first < last) {
    const std::size_t word = first / kWordBits;
    const std::size_t offset = first % kWordBits;
    const std::size_t count = std::min<std::size_t>(kWordBits - offset, last - first);
    if (!visit(word, low_bits(count) << offset)) return;
    first += static_cast<NodeId>(count);
  }
}

}  // namespace

NodeSet NodeSet::all(std::size_t universe) {
  NodeSet set(universe);
  set.insert_range(0, static_cast<NodeId>(universe));
  return set;
}

NodeSet NodeSet::of(std::size_t universe, std::initializer_list<NodeId> members) {
  NodeSet set(universe);
  for (const NodeId member : members) set.insert(member);
  return set;
}

void NodeSet::insert_range(NodeId first, NodeId last) {
  for_range(first, last, [&](std::size_t word, std::uint64_t mask) {
    words_[word] |= mask;
    return true;
  });
}

void NodeSet::clear() { std::fill(words_.begin(), words_.end(), 0); }

std::size_t NodeSet::size() const {
  std::size_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

bool NodeSet::empty() const {
  return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

std::size_t NodeSet::count_in(NodeId first, NodeId last) const {
  std::size_t count = 0;
  for_range(first, last, [&](std::size_t word, std::uint64_t mask) {
    count += static_cast<std::size_t>(std::popcount(words_[word] & mask));
    return true;
  });
  return count;
}

bool NodeSet::all_in(NodeId first, NodeId last) const {
  bool all = true;
  for_range(first, last, [&](std::size_t word, std::uint64_t mask) {
    return all = (words_[word] & mask) == mask;
  });
  return all;
}

bool NodeSet::any_in(NodeId first, NodeId last) const {
  bool any = false;
  for_range(first, last, [&](std::size_t word, std::uint64_t mask) {
    any = (words_[word] & mask) != 0;
    return !any;
  });
  return any;
}

std::uint64_t NodeSet::bits(NodeId first, std::size_t count) const {
  const std::size_t word = first / kWordBits;
  const std::size_t offset = first % kWordBits;
  std::uint64_t value = words_[word] >> offset;
  if (offset != 0 && offset + count > kWordBits) value |= words_[word + 1] << (kWordBits - offset);
  return value & low_bits(count);
}

NodeSet NodeSet::slice(NodeId first, NodeId last) const {
  NodeSet part(last - first);
  for (std::size_t word = 0; word < part.words_.size(); ++word) {
    const NodeId from = first + static_cast<NodeId>(word * kWordBits);
    part.words_[word] = bits(from, std::min<std::size_t>(kWordBits, last - from));
  }
  return part;
}

bool NodeSet::is_subset_of(const NodeSet& other) const {
  COTERIE_ASSERT(universe_ == other.universe_);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if ((words_[i] & ~other.words_[i]) != 0) return false;
  }
  return true;
}

bool NodeSet::intersects(const NodeSet& other) const {
  COTERIE_ASSERT(universe_ == other.universe_);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if ((words_[i] & other.words_[i]) != 0) return true;
  }
  return false;
}

NodeSet& NodeSet::operator|=(const NodeSet& other) {
  COTERIE_ASSERT(universe_ == other.universe_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  return *this;
}

NodeSet& NodeSet::operator&=(const NodeSet& other) {
  COTERIE_ASSERT(universe_ == other.universe_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}

NodeSet& NodeSet::operator-=(const NodeSet& other) {
  COTERIE_ASSERT(universe_ == other.universe_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  return *this;
}

NodeSet NodeSet::complement() const { return all(universe_) -= *this; }

std::strong_ordering operator<=>(const NodeSet& a, const NodeSet& b) {
  if (const auto by_size = a.universe_ <=> b.universe_; by_size != 0) return by_size;
  return std::lexicographical_compare_three_way(a.words_.begin(), a.words_.end(), b.words_.begin(),
                                                b.words_.end());
}

}  // namespace coterie
