// States found and not yet looked at, one after another in blocks of equal size.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "check/space.h"

namespace coterie::check {

class Frontier {
 public:
  explicit Frontier(std::size_t width) : stride_(width + kHead) {}

  std::size_t size() const { return size_; }
  std::size_t bytes_per_state() const { return stride_ * sizeof(Id); }
  std::size_t bytes() const { return blocks_.size() * kBlock * bytes_per_state(); }
  void clear() {
    size_ = 0;
    blocks_.clear();
  }

  // Adds a copy of the state, to be changed before anybody looks.
  std::span<Id> add(std::span<const Id> state, Fingerprint fingerprint, std::uint32_t number) {
    if (size_ % kBlock == 0) blocks_.emplace_back(kBlock * stride_);
    Id* const at = &blocks_.back()[size_ % kBlock * stride_];
    ++size_;
    at[0] = static_cast<Id>(fingerprint);
    at[1] = static_cast<Id>(fingerprint >> 32U);
    at[2] = number;
    std::copy(state.begin(), state.end(), at + kHead);
    return {at + kHead, state.size()};
  }

  std::span<const Id> state(std::size_t index) const {
    return {at(index) + kHead, stride_ - kHead};
  }
  Fingerprint fingerprint(std::size_t index) const {
    return at(index)[0] | static_cast<Fingerprint>(at(index)[1]) << 32U;
  }
  std::uint32_t number(std::size_t index) const { return at(index)[2]; }

 private:
  static constexpr std::size_t kBlock = 512;
  static constexpr std::size_t kHead = 3;  // fingerprint, number
  const Id* at(std::size_t index) const {
    return &blocks_[index / kBlock][index % kBlock * stride_];
  }

  std::size_t stride_;
  std::size_t size_ = 0;
  std::vector<std::vector<Id>> blocks_;
};

}  // namespace coterie::check
