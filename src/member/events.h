// Where the outputs of a member go: what it must keep, and what it tells others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "member/api.h"
#include "member/wire.h"

namespace coterie::member {

// What must outlive a crash.
struct Durable {
  Incarnation incarnation = 0;   // the last one that was used
  Number ceiling = 0;            // no number was greater; 0: not known, since the disk was lost
  std::uint64_t lent_ns = 0;     // no lease that it gave lasts longer, by its own clock
  std::vector<Seen> peers = {};  // what it knows of the other members
  COTERIE_FIELDS(incarnation, ceiling, lent_ns, peers)
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
  // The last write that is safe, by a number that grows with each: peers tell by it an old copy of a disk. 0: none.
  virtual std::uint64_t durable_number() const { return 0; }
  // In milliseconds since 1970, by a clock that may be wrong and may jump: for people who look, and for nothing else. 0: unknown.
  virtual std::uint64_t time_of_day() const { return 0; }
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
