// Seeded randomness: the same seed gives the same numbers on every machine. The standard library's
// distributions do not promise that, so the few that we need are here.
// The generator is xoshiro256** (Blackman and Vigna, 2018), its state filled by SplitMix64.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace coterie {

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) word = split_mix(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

  bool chance(double probability) { return uniform() < probability; }

  // Uniform in 0..bound-1, without bias. REQUIRES: bound > 0
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t reject_under = (0 - bound) % bound;
    while (true) {
      const std::uint64_t drawn = next();
      if (drawn >= reject_under) return drawn % bound;
    }
  }

 private:
  static std::uint64_t split_mix(std::uint64_t& seed) {
    seed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
    return mixed ^ (mixed >> 31U);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace coterie
