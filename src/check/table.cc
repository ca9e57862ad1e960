#include "check/table.h"

#include <cmath>
#include <utility>

#include "base/assert.h"

namespace coterie::check {
namespace {

constexpr std::size_t kFirstCapacity = 256;
constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};
constexpr std::uint16_t kNoDepth = 0xFFFF;  // another thread is inserting the state
constexpr double kMaxLoad = 0.85;
constexpr double kGrowth = 1.3;

// 0 marks a free slot.
Fingerprint key_of(Fingerprint fingerprint) { return fingerprint == 0 ? 1 : fingerprint; }

}  // namespace

Table::Table(bool numbered) : numbered_(numbered) {
  for (Shard& shard : shards_) grow(shard, kFirstCapacity);
}

Table::Entry Table::insert(Fingerprint fingerprint, std::uint32_t depth) {
  fingerprint = key_of(fingerprint);
  Shard& shard = shard_of(fingerprint);
  std::size_t slot = shard.home(fingerprint);
  while (true) {
    Fingerprint key = shard.keys[slot].load(std::memory_order_relaxed);
    if (key == 0 &&
        shard.keys[slot].compare_exchange_strong(key, fingerprint, std::memory_order_relaxed)) {
      COTERIE_ASSERT(shard.size.fetch_add(1, std::memory_order_relaxed) + 1 < shard.capacity);
      COTERIE_ASSERT(depth < kNoDepth);
      shard.depths[slot].store(static_cast<std::uint16_t>(depth), std::memory_order_relaxed);
      const auto number = static_cast<std::uint32_t>(size_.fetch_add(1, std::memory_order_relaxed));
      if (numbered_) shard.numbers[slot].store(number, std::memory_order_release);
      return {true, number};
    }
    if (key == fingerprint) break;
    slot = shard.after(slot);
  }
  if (!numbered_) return {false, 0};
  // Another thread may be between its two writes.
  std::uint32_t number = kNoNumber;
  do {
    number = shard.numbers[slot].load(std::memory_order_acquire);
  } while (number == kNoNumber);
  return {false, number};
}

bool Table::has_by(Fingerprint fingerprint, std::uint32_t depth) const {
  // A state that is being inserted now has kNoDepth or its depth, and both are greater.
  return this->depth(fingerprint).value_or(kNoDepth) <= depth;
}

std::optional<std::uint32_t> Table::depth(Fingerprint fingerprint) const {
  fingerprint = key_of(fingerprint);
  const Shard& shard = shard_of(fingerprint);
  for (std::size_t slot = shard.home(fingerprint);; slot = shard.after(slot)) {
    const Fingerprint key = shard.keys[slot].load(std::memory_order_relaxed);
    if (key == 0) return {};
    if (key == fingerprint) return shard.depths[slot].load(std::memory_order_relaxed);
  }
}

std::size_t Table::bytes_per_slot() const {
  return sizeof(Fingerprint) + sizeof(std::uint16_t) + (numbered_ ? sizeof(std::uint32_t) : 0);
}

std::size_t Table::bytes() const {
  std::size_t slots = 0;
  for (const Shard& shard : shards_) slots += shard.capacity;
  return slots * bytes_per_slot();
}

// Fingerprints spread evenly, so a shard gets its part of what comes, and never ten standard deviations more.
std::size_t Table::capacity_for(const Shard& shard, std::uint64_t more) const {
  const double mean = static_cast<double>(more) / static_cast<double>(kShards);
  const double wanted = static_cast<double>(shard.size.load()) +
                        std::min(static_cast<double>(more), mean + 10 * std::sqrt(mean) + 10);
  if (wanted <= kMaxLoad * static_cast<double>(shard.capacity)) return shard.capacity;
  return static_cast<std::size_t>(
             std::max(kGrowth * static_cast<double>(shard.capacity), wanted / kMaxLoad)) +
         1;
}

std::size_t Table::bytes_with(std::uint64_t states) const {
  std::size_t slots = 0;
  for (const Shard& shard : shards_) slots += capacity_for(shard, states);
  return slots * bytes_per_slot();
}

void Table::reserve(std::uint64_t states) {
  for (Shard& shard : shards_) {
    const std::size_t capacity = capacity_for(shard, states);
    if (capacity > shard.capacity) grow(shard, capacity);
  }
}

void Table::grow(Shard& shard, std::size_t capacity) const {
  COTERIE_ASSERT(capacity < (std::size_t{1} << 32U));
  const std::size_t old_capacity = std::exchange(shard.capacity, capacity);
  const auto keys = std::exchange(shard.keys, std::vector<std::atomic<Fingerprint>>(capacity));
  const auto depths =
      std::exchange(shard.depths, std::vector<std::atomic<std::uint16_t>>(capacity));
  for (auto& depth : shard.depths) depth.store(kNoDepth, std::memory_order_relaxed);
  const auto numbers = std::move(shard.numbers);
  if (numbered_) {
    shard.numbers = std::vector<std::atomic<std::uint32_t>>(capacity);
    for (std::size_t slot = 0; slot < capacity; ++slot)
      shard.numbers[slot].store(kNoNumber, std::memory_order_relaxed);
  }
  for (std::size_t old = 0; old < old_capacity; ++old) {
    const Fingerprint key = keys[old].load(std::memory_order_relaxed);
    if (key == 0) continue;
    std::size_t slot = shard.home(key);
    while (shard.keys[slot].load(std::memory_order_relaxed) != 0) slot = shard.after(slot);
    shard.keys[slot].store(key, std::memory_order_relaxed);
    shard.depths[slot].store(depths[old].load(std::memory_order_relaxed),
                             std::memory_order_relaxed);
    if (numbered_)
      shard.numbers[slot].store(numbers[old].load(std::memory_order_relaxed),
                                std::memory_order_relaxed);
  }
}

}  // namespace coterie::check
