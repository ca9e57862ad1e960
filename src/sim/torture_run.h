// One run of torture: a whole cluster of live members, the clients that use it, a storm of faults, and then calm,
// in which all who wait must enter, and nothing may be left behind.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "member/tally.h"
#include "member/wire.h"
#include "sim/torture_clock.h"
#include "sim/torture_faults.h"

namespace coterie::sim::torture {

struct Mutant;

// What is to be true of every run.
enum class Promise : std::uint8_t {
  exclusion,  // who believe to be inside may be inside together
  floor,      // who leaves a band leaves enough behind
  tokens,     // grow with every entry that excludes an earlier one
  survival,   // one crash takes no hold from the others
  progress,   // all enter in the end
  no_leak,    // nothing is remembered of names that nobody uses
  assertion,  // of a member about itself
  kCount,
};
std::string_view text_of(Promise promise);

// What a name can stand for.
enum class Variety : std::uint8_t { mutex, room, rooms, semaphore, band, kCount };
Variety variety_of(const member::Kind& kind);
std::string_view text_of(Variety variety);
inline constexpr std::size_t kVarieties = static_cast<std::size_t>(Variety::kCount);

struct Violation {
  Promise promise{};
  Real at = 0;
  std::string what;
  std::optional<std::size_t> resource;
};

struct Mode {
  const Mutant* mutant = nullptr;
  bool has_broken_clocks = false;
  std::uint32_t hostile = 0;  // so many clients that want to do harm
  std::size_t story = 40;     // lines of it, at most
};

struct Run {
  std::uint64_t seed = 0;
  Real simulated = 0;
  std::size_t members = 0;
  std::uint64_t entries = 0;
  std::array<std::uint64_t, kVarieties> entries_of{};
  std::uint64_t lastings = 0;  // of these, holds that last
  std::uint64_t changes = 0;   // of numbers, that were answered
  std::uint64_t resumed = 0;   // sessions, over another connection
  std::uint64_t moved = 0;     // holds, to another member
  FaultCounts faults;
  member::Tally tally;  // of all lives of all members
  std::optional<Violation> violation;
  // Of runs whose clocks break the promise: what was not true any more.
  std::array<std::uint64_t, static_cast<std::size_t>(Promise::kCount)> losses{};
  std::uint64_t watched = 0;  // holds that a crash of another member must not take
  // After everything healed: how long somebody had to wait, and how long it might have been.
  Real worst_wait = 0;
  Real bound = 0;
  std::uint64_t events = 0;
  std::uint64_t digest = 0;        // equal digests are equal runs
  std::vector<std::string> story;  // what happened to the name of the violation, at the end
  bool is_stopped = false;         // by `stop`
};

// A run with a violation is run again to tell its story.
Run run(std::uint64_t seed, const Mode& mode, const std::atomic<bool>* stop = nullptr);
// What it is made of, in a few lines.
std::string plan_text(std::uint64_t seed, const Mode& mode);

}  // namespace coterie::sim::torture
