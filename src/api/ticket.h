// What proves a hold at another member than the one that gave it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "api/time.h"
#include "base/fields.h"
#include "base/pack.h"
#include "coterie/node_set.h"

namespace coterie::api {

using Number = std::uint64_t;  // of fencing

// One run of a member, from start to end. A later one has a greater number.
using Incarnation = std::uint64_t;

// Who asks, by its number at its member: see member/resource.h.
using Slot = std::uint32_t;

// 128 random bits, which prove a hold: a member's driver draws them, and only the client of that hold is told. There is no
// operator==, so that nobody compares them in a time that tells how much of a guess is right.
struct Secret {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool is_none() const { return (high | low) == 0; }
  // In constant time. Nothing is the same as no secret.
  bool is(const Secret& other) const {
    return (((high ^ other.high) | (low ^ other.low)) == 0) & !other.is_none();
  }
  COTERIE_FIELDS(high, low)
};

// One call for an owner: the client draws it, and the member that it asks takes it to the arbiters. Nobody else is told, so
// that it proves, too, that the call is the client's own.
struct Attempt {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool is_none() const { return (high | low) == 0; }
  auto operator<=>(const Attempt&) const = default;
  COTERIE_FIELDS(high, low)
};

// One request of all that ever were: in which life of which member it was made, and when.
struct Origin {
  NodeId member = 0;
  Incarnation incarnation = 0;  // 0: none
  Slot slot = 0;
  Time since{};

  auto operator<=>(const Origin&) const = default;
  COTERIE_FIELDS(member, incarnation, slot, since)
};

// What a client shows that another member let in: it is inside, and wants to stay so. Whether it has been so all the
// while only the client can tell, by its own clock, when it is granted: until then nothing may rest on it.
struct Ticket {
  Origin origin;
  std::string group;  // inside a room
  Number token = 0;
  Secret secret = {};  // without it nobody believes the rest
  Duration held = {};  // so far, by the client's clock: for people who look
};

}  // namespace coterie::api
