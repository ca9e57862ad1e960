// What faults have done to a process, and which of their consequences are still to come.
//
// A lease runs out in order: who relies on it is told first, who gave it later. Which end is where is kept with
// each process, so that a step changes one process only; Space asks both ends what may happen next.
//
// The clients of a process that crashes while it is inside go on believing so until their leases have run
// out, whatever its next life does. They are its ghost: the process as it was, that sees its leases lapse
// and nothing else, and counts as inside.
#pragma once

#include <cstdint>
#include <optional>

#include "base/fields.h"
#include "base/pack.h"
#include "coterie/node_set.h"
#include "protocol/types.h"
#include "spec/rule.h"

namespace coterie::check {

// A set of processes, of which there are at most 64.
class Peers {
 public:
  static Peers first(std::size_t count) {
    Peers peers;
    for (NodeId peer = 0; peer < count; ++peer) peers.insert(peer);
    return peers;
  }
  bool contains(NodeId peer) const { return ((bits_ >> peer) & 1U) != 0; }
  void insert(NodeId peer) { bits_ |= std::uint64_t{1} << peer; }
  void erase(NodeId peer) { bits_ &= ~(std::uint64_t{1} << peer); }
  friend bool operator==(const Peers&, const Peers&) = default;
  COTERIE_FIELDS(bits_)

 private:
  std::uint64_t bits_ = 0;
};

struct Ghost {
  Bytes state;
  spec::Place place = spec::Place::inside;
  protocol::Group group = 0;
  Peers lapsed;  // who gave it a lease that has run out
  COTERIE_FIELDS(state, place, group, lapsed)
};

struct Trouble {
  bool is_down = false;
  std::uint32_t incarnation = 0;
  std::uint32_t lapses = 0;  // that began here, not as a consequence
  std::uint32_t suspicions = 0;
  std::uint32_t cancels = 0;
  Peers suspects;
  Peers lapsed;     // the link is down: their lease to us has run out
  Peers expired;    // of these, whose lease from us has run out too
  Peers strangers;  // of these, to whom this life of ours has never been linked
  Peers owed;       // who restarted while the lease of its former life still runs
  Peers fading;     // where others may still count us, though our lease or our hold is lost
  std::optional<Ghost> ghost;

  // What a peer sends is lost on us: we are dead, or the link is down.
  bool is_deaf_to(NodeId peer) const { return is_down || lapsed.contains(peer); }
  std::uint32_t crashes() const { return incarnation + (is_down ? 1 : 0); }
  // Nobody believes any more in what the peer granted to the life before this one.
  bool is_forgotten_by_ghost(NodeId peer) const { return !ghost || ghost->lapsed.contains(peer); }

  COTERIE_FIELDS(is_down, incarnation, lapses, suspicions, cancels, suspects, lapsed, expired,
                 strangers, owed, fading, ghost)
};

}  // namespace coterie::check
