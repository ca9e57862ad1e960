// The number of one life of a member, from start to end. A later life has a greater one, whatever the clock on the wall says:
// the upper half counts the starts, the lower half is drawn by chance.
//
// With its disk a member counts on. Without it the member begins at 1; a peer that knows a later life of it refuses the
// frame and says so (Link), and the member begins another life above that (Member::outdated). The lower half keeps
// apart two lives that count alike, since the disk of the one was lost and the peers that knew it are not heard yet.
#pragma once

#include <cstdint>

#include "member/wire.h"

namespace coterie::member {

inline constexpr unsigned kChanceBits = 32;
// None is greater: what claims to be is refused, so that there is always one above those that are in use.
inline constexpr Incarnation kLastIncarnation = (Incarnation{1} << 63U) - 1;
// So many starts more than a peer knows of, and it does not believe it: a number once believed cannot be taken back.
inline constexpr std::uint64_t kMostStarts = std::uint64_t{1} << 20U;

constexpr std::uint64_t starts_of(Incarnation incarnation) { return incarnation >> kChanceBits; }

constexpr Incarnation next_incarnation(Incarnation last, std::uint32_t chance) {
  return ((starts_of(last) + 1) << kChanceBits) | chance;
}

// REQUIRES: a life of it is known
constexpr bool is_leap(Incarnation known, Incarnation claimed) {
  return claimed > known && starts_of(claimed) - starts_of(known) > kMostStarts;
}

}  // namespace coterie::member
