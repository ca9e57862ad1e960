// "Can still finish": from every state some end is reachable in which every request was served.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "check/table.h"

namespace coterie::check {

// Which states follow which, as one thread found them.
class Edges {
 public:
  void add(std::uint32_t state, std::span<const std::uint32_t> next);
  // An end in which all is well.
  void add_good_end(std::uint32_t state) { good_ends_.push_back(state); }
  std::size_t bytes() const;
  static constexpr std::size_t kBytesPerEdge = sizeof(std::uint32_t);
  static constexpr std::size_t kBytesAtATime = std::size_t{4} << 20U;  // by which it grows

  // Calls `visit(state, span of next states)`, latest first.
  template <class Visit>
  void for_each_backwards(const Visit& visit) const {
    for (const auto& block : std::views::reverse(blocks_)) {
      for (std::size_t end = block.size(); end > 0;) {
        const std::uint32_t state = block[end - 1];
        const std::size_t count = block[end - 2];
        end -= count + 2;
        visit(state, std::span<const std::uint32_t>(block.data() + end, count));
      }
    }
  }
  const std::vector<std::uint32_t>& good_ends() const { return good_ends_; }

 private:
  std::vector<std::vector<std::uint32_t>> blocks_;
  std::vector<std::uint32_t> good_ends_;
};

struct Ends {
  bool is_acyclic = false;       // every run ends
  std::vector<bool> can_finish;  // by number
};
// What can_finish() needs for each state, besides the edges.
constexpr std::size_t kBytesToFinish = sizeof(std::uint32_t) + sizeof(const std::uint32_t*) + 1;
Ends can_finish(std::span<const Edges* const> edges, std::uint64_t states);

// Of the states that cannot finish, the one of least depth and fingerprint.
std::optional<Fingerprint> first_lost(const Table& table, const Ends& ends);

}  // namespace coterie::check
