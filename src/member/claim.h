// A client's request, from when it asks until it has left.
#pragma once

#include <optional>
#include <string>

#include "member/api.h"
#include "member/events.h"
#include "protocol/types.h"

namespace coterie::member {

class Bundle;
class Seat;

// The first character of the group of one who is alone. No client can name such a group.
inline constexpr char kAlone = '\x01';

struct Claim {
  SessionId session = 0;
  RequestId request = 0;
  std::string name;
  Kind kind;
  std::vector<std::string> groups;             // of a band: the one name that it goes by
  std::string owner;                           // of a hold that lasts (lasting.h)
  Attempt attempt = {};                        // of such a request
  Number seen = 0;                             // and the last end that its client knew of
  bool is_burying = false;                     // it does not want that hold, but its end
  std::optional<std::uint64_t> replaces = {};  // of a change: this version of what is set
  bool is_errand = false;                      // nor to be inside: an end, or a change of the name
  bool is_try = false;
  Instant since;                        // it waits, or it is inside
  Instant gives_up = Instant::never();  // if it still waits
  Time place{};                         // in line, by Lamport's clock: when it came
  std::optional<Ticket> ticket;
  Secret secret;  // that a ticket of what comes of it will have
  bool is_released =
      false;  // by its client. Else it may have gone to another member, and be inside there

  Slot showing = 0;  // its ticket, which no arbiter has vouched for yet (adoption.cc)

  // What its resource knows of it.
  Bundle* bundle = nullptr;  // where one group is inside at a time
  Seat* seat = nullptr;      // where those inside are counted
  bool is_inside = false;
  bool is_leaving = false;  // inside, until it may leave
  std::string group;        // inside a room
  Number token = 0;
  bool is_lent = false;       // inside: its client may leave and come back without a word
  Milliseconds given_at = 0;  // of a hold that lasts: the time of day; 0: unknown

  // Who was inside elsewhere has been inside since then, as far as people who look are concerned.
  void come_in(Number with, Instant now) {
    is_inside = true;
    token = with;
    since = ticket ? since - ticket->held : now;
    gives_up = Instant::never();
  }
};

}  // namespace coterie::member
