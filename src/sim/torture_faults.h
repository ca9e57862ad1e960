// What can go wrong in a run, by name and counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coterie::sim::torture {

enum class FaultKind : std::uint8_t {
  crash,          // of a member's process: connections break, and peers see that
  crash_in_step,  // in the middle of an answer: some of it leaves, some does not
  machine_crash,  // nobody is told
  stop,           // as it should be: with farewells
  restart,        // with its disk
  restart_stale,  // its disk has lost the last write
  restart_empty,  // its disk is lost
  restart_quick,  // within half a lease
  restart_twice,  // two lives end within a lease
  split,          // the members, in two
  isolation,      // of one member
  one_way,        // messages from some to others are lost, not those back
  flapping,       // a split that comes and goes
  rift,           // between two members: all others reach both
  clients_cut,    // clients from their members
  loss,           // of frames
  doubling,
  reordering,
  slowness,     // all frames take long, up to more than a lease
  false_alarm,  // a driver says that a peer is gone: it is not
  pause,        // of a member
  long_pause,   // longer than a lease
  client_pause,
  client_long_pause,
  client_crash,
  client_vanish,  // nobody hears of it again, but it still believes
  client_move,    // to another member, without a word to the old one
  wrong_clock,    // beyond the promise: --broken-clocks
  kCount,
};
inline constexpr std::size_t kFaultKinds = static_cast<std::size_t>(FaultKind::kCount);

std::string_view text_of(FaultKind kind);

class FaultCounts {
 public:
  void count(FaultKind kind) { ++counts_[static_cast<std::size_t>(kind)]; }
  std::uint64_t of(FaultKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  void add(const FaultCounts& other) {
    for (std::size_t i = 0; i < kFaultKinds; ++i) counts_[i] += other.counts_[i];
  }

 private:
  std::array<std::uint64_t, kFaultKinds> counts_{};
};

}  // namespace coterie::sim::torture
