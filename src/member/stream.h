// One direction of a session: packets are numbered, sent again until they are known to have arrived, and handed
// on once and in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "member/tally.h"
#include "member/wire.h"

namespace coterie::member {

template <class Body>
class Sender {
 public:
  void push(Packet<Body> packet) { waiting_.push_back(std::move(packet)); }
  // A part of what waits is under way at a time, so that a heartbeat is never behind more than that.
  bool has_unsent() const { return sent_ < std::min(waiting_.size(), kWindow); }
  std::size_t unarrived() const { return waiting_.size(); }

  // The other end has so many.
  void arrived(std::uint64_t received) {
    while (first_ <= received && sent_ > 0) {
      waiting_.pop_front();
      ++first_;
      --sent_;
    }
  }
  void send_again() { sent_ = 0; }
  // Between two calls nothing has arrived, though something was sent before the first: it seems lost.
  bool is_stuck() {
    const std::uint64_t oldest = sent_ > 0 ? first_ : 0;
    return std::exchange(oldest_, oldest) == oldest && oldest != 0;
  }
  void fill(Flow<Body>& flow) {
    flow.first = first_ + sent_;
    const std::size_t end = std::min({waiting_.size(), sent_ + kMost, kWindow});
    flow.packets.assign(waiting_.begin() + static_cast<std::ptrdiff_t>(sent_),
                        waiting_.begin() + static_cast<std::ptrdiff_t>(end));
    sent_ = end;
  }

 private:
  static constexpr std::size_t kMost = 1'000;    // packets in a frame
  static constexpr std::size_t kWindow = 4'000;  // packets under way
  std::deque<Packet<Body>> waiting_;             // not known to have arrived
  std::uint64_t first_ = 1;                      // the number of the first of them
  std::size_t sent_ = 0;                         // so many were sent
  std::uint64_t oldest_ = 0;
};

class Receiver {
 public:
  std::uint64_t received() const { return received_; }
  // So many since the sender was told.
  std::uint64_t untold() const { return received_ - told_; }
  std::uint64_t tell() { return told_ = received_; }

  template <class Body, class Handle>
  void take(const Flow<Body>& flow, Tally& tally, const Handle& handle) {
    std::uint64_t number = flow.first;
    for (const Packet<Body>& packet : flow.packets) {
      if (number > received_ + 1) return tally.count(Happened::packet_missing);
      if (number++ <= received_) {
        tally.count(Happened::packet_doubled);
        continue;
      }
      ++received_;
      handle(packet);
    }
  }

 private:
  std::uint64_t received_ = 0;
  std::uint64_t told_ = 0;
};

}  // namespace coterie::member
