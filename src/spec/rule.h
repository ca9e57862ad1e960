// What must be true of who is inside, and of who waits. Every driver judges every algorithm by these.
//
// Two questions are of reachability while those inside stay inside: is a free slot reachable, and may
// friends enter together. A driver asks them where nothing more can happen unless somebody new asks or
// somebody inside leaves ("quiet"): whoever is still waiting there waits in vain.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coterie/node_set.h"

namespace coterie::spec {

using Group = std::uint32_t;

enum class Place : std::uint8_t { outside, entering, inside, leaving };

// One process, seen from outside. One that asks to leave is inside until it is told that it left. Or the clients of a
// life that crashed while it was inside: until its leases have run out they go on believing that they are.
struct Person {
  Place place = Place::outside;
  Group group = 0;                        // the one that it is inside with
  std::span<const Group> accepts;         // the ones that it would enter with: for those entering
  std::optional<NodeId> clients_of = {};  // of clients: whose life it was

  bool is_inside() const { return place == Place::inside || place == Place::leaving; }
  bool is_waiting() const { return place == Place::entering || place == Place::leaving; }
};
using People = std::span<const Person>;

// What an algorithm is for: who may be inside together. l and k are the rule's numbers.
enum class Problem : std::uint8_t {
  mutex,      // at most one
  semaphore,  // at most k
  room,       // one group
  rooms,      // at most k groups
  floor,      // at least l
  band,       // at least l, at most k
};

// "p3", as reasons name a process, and what they call the clients of its life that crashed.
std::string name_of(NodeId process);
std::string name_of_clients(NodeId process);

// What is wrong, in words; nothing if all is well.
using Fault = std::optional<std::string>;

class Rule {
 public:
  static Rule of(Problem problem, std::size_t l, std::size_t k);
  static Rule at_most(std::size_t k) { return {0, k, kAny}; }
  static Rule one_group() { return at_most_groups(1); }
  static Rule at_most_groups(std::size_t k) { return {0, kAny, k}; }
  static Rule at_least(std::size_t l) { return {l, kAny, kAny}; }
  static Rule between(std::size_t l, std::size_t k) { return {l, k, kAny}; }

  // By the numbers alone, for who counts as it goes: may so many be inside, of so many groups; may one of
  // a new group join them, or one leave them?
  bool allows(std::size_t inside, std::size_t groups) const {
    return inside >= min_ && inside <= max_ && groups <= max_groups_;
  }
  bool has_room(std::size_t inside, std::size_t groups) const {
    return inside < max_ && groups < max_groups_;
  }
  std::size_t min() const { return min_; }
  Rule without_min() const { return {0, max_, max_groups_}; }
  bool can_spare_one(std::size_t inside) const { return inside > min_; }

  // In every state.
  Fault broken(People people) const;

  // Where those inside may be taken away by faults: at every leave, so many others stay. Who was taken away
  // counts as long as it may be taken to be inside.
  Fault broken_by_leaving(std::size_t others) const;

  // In every quiet state: nobody waits although there is room, or enough to leave.
  Fault slot_unreachable(People people) const;

  // In every quiet state: if all who wait to enter accept the group of somebody inside, none waits.
  Fault friends_kept_out(People people) const;

  // In every end, where nothing more can happen at all: every request was served. Who waits to leave when
  // the least are inside, or to enter when the most are, waits rightly.
  Fault unserved(People people) const;

  // May a violation end by somebody's going from one place to another?
  bool may_mend(Place before, Place after) const;

  std::string text() const;

 private:
  static constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  Rule(std::size_t min, std::size_t max, std::size_t max_groups)
      : min_(min), max_(max), max_groups_(max_groups) {}

  std::size_t min_;
  std::size_t max_;
  std::size_t max_groups_;
};

}  // namespace coterie::spec
