// A growing array whose elements never move, so that one thread may read what another has added, once it
// has been told the index. Adding needs a lock from outside.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/assert.h"

namespace coterie::check {

template <class T>
class Stable {
 public:
  Stable() = default;
  ~Stable() {
    for (auto& chunk : chunks_) delete[] chunk.load();
  }
  Stable(const Stable&) = delete;
  Stable& operator=(const Stable&) = delete;

  std::size_t size() const { return size_; }

  std::uint32_t add(T value) {
    const std::size_t chunk = size_ / kChunk;
    COTERIE_ASSERT(chunk < kChunks);
    if (size_ % kChunk == 0) chunks_[chunk].store(new T[kChunk], std::memory_order_release);
    chunks_[chunk].load(std::memory_order_relaxed)[size_ % kChunk] = std::move(value);
    return static_cast<std::uint32_t>(size_++);
  }
  const T& operator[](std::uint32_t index) const {
    return chunks_[index / kChunk].load(std::memory_order_acquire)[index % kChunk];
  }

 private:
  static constexpr std::size_t kChunk = 4096;
  static constexpr std::size_t kChunks = 1U << 14U;
  std::array<std::atomic<T*>, kChunks> chunks_{};
  std::size_t size_ = 0;
};

}  // namespace coterie::check
