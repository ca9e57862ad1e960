// Calls of clients that wait for their turns: each client's in their order, the clients one after the other.
#pragma once

#include <proto/coterie.pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "member/api.h"

namespace coterie::net {

class Turns {
 public:
  using ClientId = std::uint64_t;

  bool is_empty() const { return order_.empty(); }
  std::size_t clients() const { return order_.size(); }
  bool has(ClientId client) const { return calls_.contains(client); }
  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_of(ClientId client) const {
    const auto place = calls_.find(client);
    return place == calls_.end() ? 0 : place->second.bytes;
  }

  void push(ClientId client, const wire::Call& call) {
    const auto [place, is_new] = calls_.try_emplace(client);
    if (is_new) order_.push_back(client);
    const std::size_t size = size_of(call);
    place->second.calls.push_back(call);
    place->second.bytes += size;
    bytes_ += size;
  }
  // Whose turn it is, and for what. REQUIRES: !is_empty()
  ClientId next() const { return order_.front(); }
  const wire::Call& call() const { return calls_.at(next()).calls.front(); }
  // Its first call; then it is the next client's turn. REQUIRES: !is_empty()
  wire::Call take() {
    const ClientId client = next();
    Waiting& waiting = calls_.at(client);
    wire::Call call = std::move(waiting.calls.front());
    waiting.calls.pop_front();
    const std::size_t size = size_of(call);
    waiting.bytes -= size;
    bytes_ -= size;
    if (waiting.calls.empty()) {
      calls_.erase(client);
      order_.pop_front();
    } else {
      skip();
    }
    return call;
  }
  void skip() {
    order_.push_back(order_.front());
    order_.pop_front();
  }
  void erase(ClientId client) {
    const auto place = calls_.find(client);
    if (place == calls_.end()) return;
    bytes_ -= place->second.bytes;
    calls_.erase(place);
    std::erase(order_, client);
  }

 private:
  struct Waiting {
    std::deque<wire::Call> calls;
    std::size_t bytes = 0;
  };
  // In memory, about.
  static std::size_t size_of(const wire::Call& call) {
    constexpr std::size_t kObjects = 300;  // that it is made of
    return kObjects + call.ByteSizeLong();
  }

  std::unordered_map<ClientId, Waiting> calls_;
  std::deque<ClientId> order_;  // those who wait, each once
  std::size_t bytes_ = 0;
};

}  // namespace coterie::net
