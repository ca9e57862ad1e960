// The states seen: their fingerprints, and at what depth each was found. Threads insert without locks; it
// grows only between the rounds of a search, a shard at a time so that growing takes little room.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

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
  // Was the state found at this depth or before? Others may insert states at greater depths at the same time.
  bool has_by(Fingerprint fingerprint, std::uint32_t depth) const;
  // REQUIRES: no insertions at the same time
  std::optional<std::uint32_t> depth(Fingerprint fingerprint) const;

  void prefetch(Fingerprint fingerprint) const {
    const Shard& shard = shard_of(fingerprint);
    __builtin_prefetch(&shard.keys[shard.home(fingerprint)]);
  }

  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  std::size_t bytes() const;
  // Makes room for so many more states. REQUIRES: no insertions at the same time
  void reserve(std::uint64_t states);
  // How many bytes it would have then.
  std::size_t bytes_with(std::uint64_t states) const;

  // Calls `visit(fingerprint, depth, number)` for each state.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Shard& shard : shards_) {
      for (std::size_t slot = 0; slot < shard.capacity; ++slot) {
        const Fingerprint key = shard.keys[slot].load(std::memory_order_relaxed);
        if (key == 0) continue;
        visit(key, shard.depths[slot].load(std::memory_order_relaxed),
              numbered_ ? shard.numbers[slot].load(std::memory_order_relaxed) : 0);
      }
    }
  }

 private:
  // Open addressing with linear probing. The high bits of a fingerprint choose the shard, the low ones the
  // slot.
  struct Shard {
    std::size_t capacity = 0;  // below 2^32
    std::vector<std::atomic<Fingerprint>> keys;
    std::vector<std::atomic<std::uint16_t>> depths;
    std::vector<std::atomic<std::uint32_t>> numbers;
    std::atomic<std::uint64_t> size{0};

    std::size_t home(Fingerprint fingerprint) const {
      return static_cast<std::size_t>(((fingerprint & 0xFFFFFFFFU) * capacity) >> 32U);
    }
    std::size_t after(std::size_t slot) const { return slot + 1 == capacity ? 0 : slot + 1; }
  };
  static constexpr unsigned kShardBits = 6;
  static constexpr std::size_t kShards = 1U << kShardBits;

  Shard& shard_of(Fingerprint fingerprint) { return shards_[fingerprint >> (64 - kShardBits)]; }
  const Shard& shard_of(Fingerprint fingerprint) const {
    return shards_[fingerprint >> (64 - kShardBits)];
  }
  std::size_t bytes_per_slot() const;
  std::size_t capacity_for(const Shard& shard, std::uint64_t more) const;
  void grow(Shard& shard, std::size_t capacity) const;

  bool numbered_;
  std::array<Shard, kShards> shards_;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace coterie::check
