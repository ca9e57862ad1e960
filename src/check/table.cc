#include "check/table.h"

#include <utility>

#include "base/assert.h"

namespace coterie::check {
namespace {

constexpr std::size_t kFirstCapacity = 1U << 16U;
constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};
constexpr double kMaxLoad = 0.85;

}  // namespace

Table::Table(bool numbered) : numbered_(numbered) { allocate(kFirstCapacity); }

void Table::allocate(std::size_t capacity) {
  COTERIE_ASSERT(capacity < (std::size_t{1} << 32U));
  capacity_ = capacity;
  keys_ = std::make_unique<std::atomic<Fingerprint>[]>(capacity);
  depths_ = std::make_unique<std::uint16_t[]>(capacity);
  if (!numbered_) return;
  numbers_ = std::make_unique<std::atomic<std::uint32_t>[]>(capacity);
  for (std::size_t slot = 0; slot < capacity; ++slot)
    numbers_[slot].store(kNoNumber, std::memory_order_relaxed);
}

Table::Entry Table::insert(Fingerprint fingerprint, std::uint32_t depth) {
  if (fingerprint == 0) fingerprint = 1;  // 0 marks a free slot
  std::size_t slot = home(fingerprint);
  while (true) {
    Fingerprint key = keys_[slot].load(std::memory_order_relaxed);
    if (key == 0 &&
        keys_[slot].compare_exchange_strong(key, fingerprint, std::memory_order_relaxed)) {
      const std::uint64_t number = size_.fetch_add(1, std::memory_order_relaxed);
      depths_[slot] = static_cast<std::uint16_t>(depth);
      if (numbered_)
        numbers_[slot].store(static_cast<std::uint32_t>(number), std::memory_order_release);
      return {true, static_cast<std::uint32_t>(number)};
    }
    if (key == fingerprint) break;
    slot = slot + 1 == capacity_ ? 0 : slot + 1;
  }
  if (!numbered_) return {false, 0};
  // Another thread may be between its two writes.
  std::uint32_t number = kNoNumber;
  do number = numbers_[slot].load(std::memory_order_acquire);
  while (number == kNoNumber);
  return {false, number};
}

std::optional<std::uint32_t> Table::depth(Fingerprint fingerprint) const {
  if (fingerprint == 0) fingerprint = 1;
  for (std::size_t slot = home(fingerprint);; slot = slot + 1 == capacity_ ? 0 : slot + 1) {
    const Fingerprint key = keys_[slot].load(std::memory_order_relaxed);
    if (key == 0) return {};
    if (key == fingerprint) return depths_[slot];
  }
}

std::uint64_t Table::room() const {
  const auto limit = static_cast<std::uint64_t>(static_cast<double>(capacity_) * kMaxLoad);
  return limit > size() ? limit - size() : 0;
}

void Table::grow() {
  const std::size_t old_capacity = capacity_;
  const auto old_keys = std::move(keys_);
  const auto old_depths = std::move(depths_);
  const auto old_numbers = std::move(numbers_);
  allocate(grown());
  for (std::size_t old = 0; old < old_capacity; ++old) {
    const Fingerprint key = old_keys[old].load(std::memory_order_relaxed);
    if (key == 0) continue;
    std::size_t slot = home(key);
    while (keys_[slot].load(std::memory_order_relaxed) != 0)
      slot = slot + 1 == capacity_ ? 0 : slot + 1;
    keys_[slot].store(key, std::memory_order_relaxed);
    depths_[slot] = old_depths[old];
    if (numbered_)
      numbers_[slot].store(old_numbers[old].load(std::memory_order_relaxed),
                           std::memory_order_relaxed);
  }
}

}  // namespace coterie::check
