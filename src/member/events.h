// What a member tells its clients, and what it must keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "member/time.h"
#include "member/view.h"
#include "member/wire.h"

namespace coterie::member {

using SessionId = std::uint64_t;  // given by the member's driver
using RequestId = std::uint64_t;  // given by the client, new for each of its requests

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

// What must outlive a crash.
struct Durable {
  Incarnation incarnation = 0;  // the last one that was used
  Number ceiling = 0;           // no number was greater
  COTERIE_FIELDS(incarnation, ceiling)
};

// Where a member's outputs go, in order.
class Outlet {
 public:
  virtual ~Outlet() = default;
  // To be safe on disk before anything that follows leaves the member.
  virtual void save(const Durable& durable) = 0;
  // The same for what belongs to a name; empty: it can be forgotten. What must be safe is kept twice, and is when the second
  // returns, with all that was kept before; what is kept once may be lost in a crash of the machine.
  virtual void keep(const std::string& name, const Bytes& keepsake) = 0;
  virtual void send(NodeId to, const Frame& frame) = 0;
  virtual void tell(SessionId session, const Event& event) = 0;
  // What was lent (Member::lend) is needed. Nothing: nobody uses it, and from now on nobody will; then the
  // request is over, and no event says so. Else the token that is in use, for the last time: a release follows.
  virtual std::optional<Number> recall(SessionId /*session*/, RequestId /*request*/) { return 0; }

 protected:
  Outlet() = default;
  Outlet(const Outlet&) = default;
  Outlet& operator=(const Outlet&) = default;
};

}  // namespace coterie::member
