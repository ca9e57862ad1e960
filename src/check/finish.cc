#include "check/finish.h"

#include <algorithm>
#include <utility>

namespace coterie::check {
namespace {

constexpr std::size_t kBlock = Edges::kBytesAtATime / Edges::kBytesPerEdge;

// Takes away states that nothing leads to, over and over: all go exactly if there is no cycle.
bool is_acyclic(std::span<const Edges* const> edges, std::uint64_t states) {
  std::vector<std::uint32_t> leading(states, 0);
  std::vector<const std::uint32_t*> next(
      states);  // after the last of them stands how many they are
  for (const Edges* part : edges) {
    part->for_each_backwards([&](std::uint32_t state, std::span<const std::uint32_t> targets) {
      next[state] = targets.data() + targets.size();
      for (const std::uint32_t target : targets) ++leading[target];
    });
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t state = 0; state < states; ++state) {
    if (leading[state] == 0) free.push_back(state);
  }
  std::uint64_t taken = 0;
  while (!free.empty()) {
    const std::uint32_t state = free.back();
    free.pop_back();
    ++taken;
    const std::size_t count = *next[state];
    for (const std::uint32_t target : std::span(next[state] - count, count)) {
      if (--leading[target] == 0) free.push_back(target);
    }
  }
  return taken == states;
}

}  // namespace

void Edges::add(std::uint32_t state, std::span<const std::uint32_t> next) {
  if (blocks_.empty() || blocks_.back().size() + next.size() + 2 > kBlock) {
    blocks_.emplace_back().reserve(blocks_.empty() ? kBlock / 64 : kBlock);
  }
  std::vector<std::uint32_t>& block = blocks_.back();
  block.insert(block.end(), next.begin(), next.end());
  block.push_back(static_cast<std::uint32_t>(next.size()));
  block.push_back(state);
}

std::size_t Edges::bytes() const {
  std::size_t sum = good_ends_.capacity() * sizeof(std::uint32_t);
  for (const auto& block : blocks_) sum += block.capacity() * sizeof(std::uint32_t);
  return sum;
}

Ends can_finish(std::span<const Edges* const> edges, std::uint64_t states) {
  Ends ends{is_acyclic(edges, states), std::vector<bool>(states, false)};
  for (const Edges* part : edges) {
    for (const std::uint32_t state : part->good_ends()) ends.can_finish[state] = true;
  }
  // Ends lie deep, so going backwards settles nearly all at once.
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (const Edges* part : edges) {
      part->for_each_backwards([&](std::uint32_t state, std::span<const std::uint32_t> targets) {
        if (ends.can_finish[state]) return;
        if (std::any_of(targets.begin(), targets.end(),
                        [&](std::uint32_t target) { return ends.can_finish[target]; })) {
          ends.can_finish[state] = true;
          has_changed = true;
        }
      });
    }
  }
  return ends;
}

std::optional<Fingerprint> first_lost(const Table& table, const Ends& ends) {
  std::optional<std::pair<std::uint32_t, Fingerprint>> first;
  table.for_each([&](Fingerprint fingerprint, std::uint32_t depth, std::uint32_t number) {
    if (ends.can_finish[number]) return;
    const std::pair candidate{depth, fingerprint};
    if (!first || candidate < *first) first = candidate;
  });
  if (!first) return {};
  return first->second;
}

}  // namespace coterie::check
