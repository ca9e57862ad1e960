// Clients of a real cluster that enter and leave all the time, and a witness that hears from the critical
// sections themselves what they saw.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "coterie/client.h"

namespace coterie::cli {

inline constexpr std::chrono::milliseconds kLease{500};  // that real members give in tests
inline constexpr std::size_t kCrowd = 6;                 // clients

// An entry, from when the client was told until it left, or could believe no longer.
struct Stay {
  std::string name;
  std::string group;  // its own, for a mutex
  std::uint64_t token = 0;
  Clock::time_point from;
  Clock::time_point to;
};

class Witness {
 public:
  void add(Stay stay);
  // No two that conflict overlap, and each has a greater token than those before it.
  void judge();
  std::size_t size() const { return stays_.size(); }

 private:
  std::mutex mutex_;
  std::vector<Stay> stays_;
};

class Crowd {
 public:
  // Client i prefers the member i modulo their number, and is labelled "client i".
  explicit Crowd(std::vector<std::string> addresses, std::size_t clients = kCrowd);
  // Every client has entered since, whatever happened before: all, or all but those who prefer one member.
  void wait_for_everybody(std::optional<std::size_t> except = {});
  // Clients end, the witness judges, and a newcomer finds nothing locked.
  void finish();

 private:
  void be_client(std::size_t number);

  std::vector<std::string> addresses_;
  Witness witness_;
  std::atomic<bool> is_over_ = false;
  std::vector<std::atomic<std::uint64_t>> entries_;
  std::vector<std::jthread> clients_;
};

}  // namespace coterie::cli
