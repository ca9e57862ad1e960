// A client's request, from when it asks until it has left.
#pragma once

#include <optional>
#include <string>

#include "member/events.h"
#include "member/time.h"
#include "protocol/types.h"

namespace coterie::member {

class Bundle;
class Seat;

// The first character of the group of one who is alone. No client can name such a group.
inline constexpr char kAlone = '\x01';

// What a client shows that another member let in: it is inside, and wants to stay so. Whether it has been so all the
// while only the client can tell, by its own clock, when it is granted: until then nothing may rest on it.
struct Ticket {
  Origin origin;
  std::string group;  // inside a room
  Number token = 0;
};

struct Claim {
  SessionId session = 0;
  RequestId request = 0;
  std::string name;
  Kind kind;
  std::vector<std::string> groups;  // of a band: the one name that it goes by
  std::string owner;                // of a hold that lasts (lasting.h)
  bool is_burying = false;          // it does not want that hold, but its end
  bool is_try = false;
  Instant since;                        // it waits, or it is inside
  Instant gives_up = Instant::never();  // if it still waits
  Time place{};                         // in line, by Lamport's clock: when it came
  bool has_place = false;               // which it brought from another member
  std::optional<Ticket> ticket;
  bool is_released =
      false;  // by its client. Else it may have gone to another member, and be inside there

  // What its resource knows of it.
  Bundle* bundle = nullptr;  // where one group is inside at a time
  Seat* seat = nullptr;      // where those inside are counted
  bool is_inside = false;
  bool is_leaving = false;  // inside, until it may leave
  std::string group;        // inside a room
  Number token = 0;
  bool is_lent = false;  // inside: its client may leave and come back without a word
};

}  // namespace coterie::member
