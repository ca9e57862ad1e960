// A set of members, as bits. Members are numbered 0..universe-1. Up to 128 members live inside the
// object; larger sets allocate once, when they are made.
#pragma once

#include <bit>
#include <boost/container/small_vector.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>

namespace coterie {

using NodeId = std::uint32_t;

class NodeSet {
 public:
  static constexpr std::size_t kWordBits = 64;

  NodeSet() = default;
  // The empty set over `universe` members.
  explicit NodeSet(std::size_t universe)
      : universe_(universe), words_((universe + kWordBits - 1) / kWordBits, 0) {}
  static NodeSet all(std::size_t universe);
  static NodeSet of(std::size_t universe, std::initializer_list<NodeId> members);

  std::size_t universe() const { return universe_; }
  std::span<const std::uint64_t> words() const { return {words_.data(), words_.size()}; }

  // REQUIRES of every function that takes a member: member < universe().
  bool contains(NodeId member) const {
    return ((words_[member / kWordBits] >> (member % kWordBits)) & 1U) != 0;
  }
  void insert(NodeId member) { words_[member / kWordBits] |= bit(member); }
  void erase(NodeId member) { words_[member / kWordBits] &= ~bit(member); }
  void insert_range(NodeId first, NodeId last);  // first..last-1
  void clear();

  std::size_t size() const;
  bool empty() const;

  // Questions about the members first..last-1; REQUIRES: first <= last <= universe().
  std::size_t count_in(NodeId first, NodeId last) const;
  bool all_in(NodeId first, NodeId last) const;
  bool any_in(NodeId first, NodeId last) const;
  // Members first..first+count-1 as the low bits of a word. REQUIRES: count <= 64
  std::uint64_t bits(NodeId first, std::size_t count) const;
  // Members first..last-1 as a set of their own, numbered from 0.
  NodeSet slice(NodeId first, NodeId last) const;

  // REQUIRES of every function that takes another set: the same universe.
  bool is_subset_of(const NodeSet& other) const;
  bool intersects(const NodeSet& other) const;
  NodeSet& operator|=(const NodeSet& other);
  NodeSet& operator&=(const NodeSet& other);
  NodeSet& operator-=(const NodeSet& other);
  friend NodeSet operator|(NodeSet a, const NodeSet& b) { return a |= b; }
  friend NodeSet operator&(NodeSet a, const NodeSet& b) { return a &= b; }
  friend NodeSet operator-(NodeSet a, const NodeSet& b) { return a -= b; }
  NodeSet complement() const;

  friend bool operator==(const NodeSet& a, const NodeSet& b) {
    return a.universe_ == b.universe_ && a.words_ == b.words_;
  }
  // A total order, so that sets can be sorted; it has no other meaning.
  friend std::strong_ordering operator<=>(const NodeSet& a, const NodeSet& b);

  // Iterates over the members, in increasing order.
  class Iterator {
   public:
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;
    using pointer = const NodeId*;
    using reference = NodeId;

    Iterator() = default;
    Iterator(const std::uint64_t* words, std::size_t count, std::size_t index)
        : words_(words), count_(count), index_(index), rest_(index < count ? words[index] : 0) {
      settle();
    }
    NodeId operator*() const {
      return static_cast<NodeId>(index_ * kWordBits) + static_cast<NodeId>(std::countr_zero(rest_));
    }
    Iterator& operator++() {
      rest_ &= rest_ - 1;
      settle();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.index_ == b.index_ && a.rest_ == b.rest_;
    }

   private:
    void settle() {
      while (rest_ == 0 && index_ < count_) {
        ++index_;
        rest_ = index_ < count_ ? words_[index_] : 0;
      }
    }
    const std::uint64_t* words_ = nullptr;
    std::size_t count_ = 0;
    std::size_t index_ = 0;
    std::uint64_t rest_ = 0;
  };
  using const_iterator = Iterator;
  Iterator begin() const { return {words_.data(), words_.size(), 0}; }
  Iterator end() const { return {words_.data(), words_.size(), words_.size()}; }

 private:
  static std::uint64_t bit(NodeId member) { return std::uint64_t{1} << (member % kWordBits); }

  std::size_t universe_ = 0;
  boost::container::small_vector<std::uint64_t, 2> words_;
};

}  // namespace coterie
