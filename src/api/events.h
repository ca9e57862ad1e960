// What a member tells its clients.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/calls.h"
#include "api/picture.h"
#include "api/ticket.h"
#include "api/time.h"

namespace coterie::api {

// A hold is good until so long after the member received the keep-alive `beat`. The client counts from when
// it sent that one, less what clocks may drift (Belief in belief.h), so it always stops believing first.
struct Good {
  std::uint64_t beat = 0;
  Duration lasts;
};

enum class Refusal : std::uint8_t {
  held_already,  // by the same session
  mismatch,      // the name is in use as something else
  would_wait,    // and it was only to be tried
  timed_out,
  cancelled,
  unknown,     // no such request, or no such session
  invalid,     // a name or groups that cannot be
  stopping,    // the member is
  must_stay,   // inside: it was not let out in time
  look_first,  // what the owner has, if anything: it must be named, or is in the way
};

struct Granted {
  RequestId request = 0;
  std::string group;
  Number token = 0;
  Good good;
  Origin origin;  // for its ticket
  Secret secret = {};
};
struct Refused {  // it never entered, or, if it must stay, is inside as before
  RequestId request = 0;
  Refusal why{};
  std::string text;
};
struct Lost {  // it is inside no more, and did not ask for that
  RequestId request = 0;
};
struct Left {  // as asked
  RequestId request = 0;
};
struct Lasts {  // it holds for good: see lasting.h
  RequestId request = 0;
  std::string group;
  Number token = 0;
};
struct Kept {  // the answer to a keep-alive
  Good good;   // for all holds but these:
  std::vector<std::pair<RequestId, Good>> shorter;
  std::vector<std::pair<RequestId, Time>> places;  // in line, for tickets; each is told once
};
struct Ended {};     // the session: it was silent for too long, or the member does not know it
struct Stopping {};  // the member will stop: leave what you hold, and close
struct Shown {       // what the cluster knows of a name
  RequestId request = 0;
  Picture picture;
};
using Event = std::variant<Granted, Refused, Lost, Left, Lasts, Kept, Ended, Stopping, Shown>;

}  // namespace coterie::api
