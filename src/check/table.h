// The states seen: their fingerprints, and at what depth each was found. Open addressing; threads insert
// without locks; it grows only between the rounds of a search.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "check/space.h"

namespace coterie::check {

class Table {
 public:
  // With `numbered`, each state also gets a number, in no particular order: 0, 1, 2...
  explicit Table(bool numbered);

  struct Entry {
    bool is_new;
    std::uint32_t number;  // if numbered
  };
  Entry insert(Fingerprint fingerprint, std::uint32_t depth);
  // REQUIRES: no insertions at the same time
  std::optional<std::uint32_t> depth(Fingerprint fingerprint) const;

  void prefetch(Fingerprint fingerprint) const { __builtin_prefetch(&keys_[home(fingerprint)]); }

  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  // How many more fit before it must grow.
  std::uint64_t room() const;
  std::size_t bytes() const { return capacity_ * bytes_per_slot(); }
  std::size_t bytes_when_grown() const { return bytes() + grown() * bytes_per_slot(); }
  // REQUIRES: no insertions at the same time
  void grow();

  // Calls `visit(fingerprint, depth, number)` for each state.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
      const Fingerprint key = keys_[slot].load(std::memory_order_relaxed);
      if (key != 0)
        visit(key, depths_[slot], numbered_ ? numbers_[slot].load(std::memory_order_relaxed) : 0);
    }
  }

 private:
  // REQUIRES: capacity_ < 2^32
  std::size_t home(Fingerprint fingerprint) const {
    return static_cast<std::size_t>(((fingerprint >> 32U) * capacity_) >> 32U);
  }
  std::size_t bytes_per_slot() const {
    return sizeof(Fingerprint) + sizeof(std::uint16_t) + (numbered_ ? sizeof(std::uint32_t) : 0);
  }
  std::size_t grown() const { return capacity_ + capacity_ / 2; }
  void allocate(std::size_t capacity);

  bool numbered_;
  std::size_t capacity_ = 0;
  std::unique_ptr<std::atomic<Fingerprint>[]> keys_;
  std::unique_ptr<std::uint16_t[]> depths_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> numbers_;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace coterie::check
