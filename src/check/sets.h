// A model of changes to a name's settings: a change names the one that it replaces, and its call may be at two members.
//
// Who changes has the votes of a quorum, as the leased entry of a name gives them (calls.h), and sees the greatest version that
// its voters have. Versions are tokens of that entry. A version that is found, and may be half written, is written again under the
// token of the entry that found it, as in Paxos: else an older one that is completed would lose against a younger one that
// nobody completed. So one change may have several versions, and what a change names is a change, by its attempt.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/calls.h"

namespace coterie::check {

constexpr std::size_t kChanges = 3;

enum class SetsMutant : Byte {
  none,
  replaces_any,   // a change replaces whatever is there
  names_version,  // a change names the version that it replaces
  old_version,    // what is found is written again under its own version
  tells_at_once,  // a client is told "superseded" by what need not be at a quorum
  writes_freely,  // an arbiter writes for a copy that has its vote no longer
};

struct SetsArbiter {
  Byte version = 0;
  Byte change = 0;  // 1 + the change that made it
  Byte vote = 0;    // 1 + the copy that has it
};

// A change at one member.
struct SetsCopy {
  enum class Mode : Byte { none, coming, waiting, writing, done };
  Mode mode = Mode::none;
  Byte version = 0;  // that it writes: its own, or what it found
  Byte change = 0;
  PerArbiter<Pin> write{};
};

struct SetsClient {
  bool is_calling = false;
  Byte next = 0;
  Byte member = 0;
  Byte change = 0;
  Byte known = 0;          // 1 + the change that it was told of last
  Byte known_version = 0;  // and its version
};

struct SetsState {
  PerArbiter<SetsArbiter> arbiters{};
  std::array<std::array<SetsCopy, kMembers>, kChanges> copies{};
  std::array<SetsClient, kClients> clients{};
  std::array<Byte, kChanges> replaces{};          // 1 + the change that the change names
  std::array<Byte, kChanges> replaces_version{};  // and its version
  Byte versions = 0;                              // the last one
  Byte in_force = 0;                              // the last version that a quorum had
  Byte in_force_change = 0;                       // 1 + its change
  Byte superseded = 0;                            // changes that were answered so, as bits
  Byte moves = 0;
  Byte lapses = 0;
  Byte fault = 0;  // 1: lost update; 2: superseded, and takes effect; 3: superseded, and in force
};

struct SetsConfig {
  std::string_view name;
  std::array<Byte, kClients> changes{};  // how many each client makes, one after another
  Byte moves = 0;
  Byte lapses = 0;
};

class Sets {
 public:
  using State = SetsState;
  using Step = ModelStep<State>;

  Sets(const SetsConfig& config, SetsMutant mutant) : config_(config), mutant_(mutant) {}

  State initial() const;
  void steps(const State& state, std::vector<Step>& to) const;
  std::optional<ModelFault> fault(const State& state) const;
  bool is_good_end(const State& state) const;
  std::string describe(const ModelLabel& label) const;

 private:
  SetsConfig config_;
  SetsMutant mutant_;
};

}  // namespace coterie::check
