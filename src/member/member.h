// A live member: what it decides, without input, output, clock or chance of its own. A driver gives it frames,
// the time, and the calls of clients; what it wants done goes to an Outlet.
//
//   link.h      one peer: sessions, leases, heartbeats
//   resource.h  one name: an arbiter for all members, and bundles of this member's clients that ask
//   member.h    all of them together
//
// It is safe whatever is lost, late or doubled on the way, whoever crashes or pauses, as long as
//   - clocks keep the promise of `drift`, and never go back in one life of a member;
//   - every life of a member has a greater number than those before it;
//   - a member that starts says truly how: with what it had saved, without, or in a cluster that never ran.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coterie/quorum.h"
#include "member/events.h"
#include "member/tally.h"
#include "member/time.h"
#include "member/view.h"
#include "member/wire.h"

namespace coterie::member {

// What all members agree on, but for `self`.
struct Config {
  NodeId self = 0;
  std::vector<std::string> names;  // of the members
  quorum::System system;           // an ordinary coterie over them
  Drift drift;
  Duration lease = Duration::seconds(2);           // that members give each other
  Duration heartbeat = Duration::milliseconds(250);  // at most a quarter of it
  Duration suspect_after = Duration::milliseconds(750);  // without an answer to a heartbeat
  Duration session = Duration::seconds(3);         // of a client: it must keep alive more often
  Duration keep = Duration::seconds(2);            // an entry that nobody uses, for the next
  std::size_t batch = 16;                          // clients of one member that take turns in a row
};
// What is wrong with it, in words; empty if nothing is.
std::string fault_of(const Config& config);

enum class Birth : std::uint8_t {
  cluster,  // no member of this cluster has ever run: nothing can have been granted
  restart,  // with what was saved last
  amnesia,  // with nothing: it grants nothing until others have told it what it may have given
};
struct Start {
  Birth birth = Birth::restart;
  Incarnation incarnation = 1;  // greater than any before; on disk before the member is made
  Number ceiling = 0;           // as saved; 0 unless `restart`
};

struct Wish {
  RequestId request = 0;
  std::string name;
  Kind kind;
  std::vector<std::string> groups;  // any one will do; none for a mutex
  bool is_try = false;              // refused if it must wait
  Duration wait;                    // at most; 0: for ever
};

class Member {
 public:
  // REQUIRES: fault_of(config) is empty; the outlet outlives the member.
  Member(Config config, const Start& start, Instant now, Outlet& out);
  ~Member();
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  // REQUIRES of every input: `now` is not before that of the last.
  void receive(NodeId from, const Frame& frame, Instant now);
  // Whether frames can reach the peer, as the driver sees it: hints, only good to be quick.
  void connected(NodeId peer, Instant now);
  void disconnected(NodeId peer, Instant now);
  // Something is due. Called late, it costs time, not safety.
  void tick(Instant now);
  Instant next_tick() const;

  // A client: `label` is how it is shown to people. Its first keep-alive has the number `beat`.
  void open(SessionId session, std::string label, std::uint64_t beat, Instant now);
  void keep_alive(SessionId session, std::uint64_t beat, Instant now);
  void close(SessionId session, Instant now);  // leaves all that it holds
  // Answered by Granted or Refused, in the end.
  void acquire(SessionId session, const Wish& wish, Instant now);
  // Leaves, answered by Left; or gives up waiting, answered by Refused.
  void release(SessionId session, RequestId request, Instant now);
  // Answered by Shown.
  void show(SessionId session, RequestId request, const std::string& name, Instant now);
  // Leaves everything, tells clients and members; to be thrown away afterwards.
  void stop(Instant now);

  // What this member alone knows.
  View view(const std::string& name, Instant now) const;
  // Until when the session's hold is good, on this member's clock: for clients inside the same process.
  Instant good_until(SessionId session, RequestId request) const;
  const Tally& tally() const;
  std::size_t resources() const;  // that are remembered
  bool is_silent() const;         // it grants nothing yet
  bool reaches(NodeId peer) const;

 private:
  class Mind;
  std::unique_ptr<Mind> mind_;
};

}  // namespace coterie::member
