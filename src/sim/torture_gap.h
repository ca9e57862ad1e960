// How long nobody enters after a member has failed, and whether anybody else loses what it holds.
//
// Five members, majority, clients of three members on each name who enter and leave all the time. One member
// crashes. Names are told apart by what the dead member had to do with them at that moment.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

namespace coterie::sim::torture {

enum class Involved : std::uint8_t {
  not_at_all,  // the dead member was at most an arbiter
  waited,      // a client of its waited
  held,        // a client of its was inside, or it kept the name for the next
  kCount,
};
std::string_view text_of(Involved involved);

struct GapScene {
  double delay = 0;         // seconds, one way
  bool is_noticed = false;  // connections to the dead member break at once
};

struct Gaps {
  double lease = 0;
  double suspect_after = 0;
  // Of every name: the longest time without an entry from the crash on, in seconds.
  std::array<std::vector<double>, static_cast<std::size_t>(Involved::kCount)> longest;
  double before = 0;  // the longest such time before the crash, of any name
  std::uint64_t entries = 0;
  std::uint64_t lost = 0;  // holds of clients of other members
};

Gaps measure_gaps(const GapScene& scene, std::uint64_t first_seed, std::uint64_t seeds,
                  const std::atomic<bool>& stop);

}  // namespace coterie::sim::torture
