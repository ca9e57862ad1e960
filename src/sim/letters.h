// The messages that are on their way. A letter that was delivered is used again, with the room that its bytes
// had, so that nothing is allocated once there are enough; letters stay where they are.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "coterie/node_set.h"

namespace coterie::sim {

struct Letter {
  NodeId from = 0;
  NodeId to = 0;
  std::uint32_t depth = 0;  // messages on the chain up to its delivery
  bool for_arbiter = false;

  std::string_view text() const { return {room_.data(), size_}; }
  void write(std::string_view text) {
    if (room_.size() < text.size()) room_.resize(text.size());
    text.copy(room_.data(), text.size());
    size_ = text.size();
  }

 private:
  std::vector<char> room_;
  std::size_t size_ = 0;
};

using LetterId = std::uint32_t;

class Letters {
 public:
  Letter& operator[](LetterId id) { return (*blocks_[id / kBlock])[id % kBlock]; }

  LetterId take() {
    if (free_.empty()) add_block();
    const LetterId id = free_.back();
    free_.pop_back();
    return id;
  }
  void give_back(LetterId id) { free_.push_back(id); }

 private:
  static constexpr std::size_t kBlock = 256;

  void add_block() {
    const auto first = static_cast<LetterId>(blocks_.size() * kBlock);
    blocks_.push_back(std::make_unique<std::array<Letter, kBlock>>());
    for (LetterId i = kBlock; i > 0; --i) free_.push_back(first + i - 1);
  }

  std::vector<std::unique_ptr<std::array<Letter, kBlock>>> blocks_;
  std::vector<LetterId> free_;
};

}  // namespace coterie::sim
