// A process as a driver sees it, whatever the algorithm: inputs in, outputs to a sink, its messages and its
// state as bytes. The checker, the simulator and the network run every algorithm through this one door.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/pack.h"
#include "coterie/quorum.h"
#include "protocol/label.h"
#include "protocol/types.h"

namespace coterie::protocol {

// Which of an algorithm's versions: see catalogue.h.
struct Version {
  std::vector<std::string> variants;
  std::string mutant;
  std::vector<std::string> parts;  // of an algorithm that is made of others: their texts

  bool has(std::string_view variant) const {
    return std::find(variants.begin(), variants.end(), variant) != variants.end();
  }
};

// What all processes of one instance agree on.
struct Setting {
  std::size_t processes = 0;
  Version version;
  // The quorum systems, over the same processes: one for most algorithms, two for a band whose halves
  // use different ones; none for those that need none.
  std::vector<quorum::System> systems;
  // The quorum of each process, where the algorithm has one per process; the system's choice if empty.
  std::vector<NodeSet> homes;
  std::uint32_t min = 0;    // l: at least so many inside
  std::uint32_t max = 1;    // k: at most so many (or so many groups) inside
  std::uint32_t locks = 0;  // r: at most so many locks at one node; 0: no limit
  NodeSet inside;           // who is inside at the start: universe `processes`

  const quorum::System& system() const { return systems.front(); }
  NodeSet none() const { return NodeSet(processes); }
  NodeSet everyone() const { return NodeSet::all(processes); }
  // The quorum that the process always uses.
  NodeSet home(NodeId process) const {
    return homes.empty() ? system().write().home_quorum(process) : homes[process];
  }
  // The same where each group has quorums of its own.
  NodeSet home(NodeId process, Group group) const;
  // A quorum of the first system, of preferred members where possible.
  NodeSet choose(NodeId process, const NodeSet& prefer) const;
};

// Where outputs go, in the order in which they were made.
class Sink {
 public:
  virtual ~Sink() = default;
  // The message is there until send() returns.
  virtual void send(NodeId to, std::string_view message, const Label& label) = 0;
  virtual void entered(Group group) = 0;
  virtual void exited() = 0;
  // Once set, the driver calls alarm() some time later; set again by the process if it wants another.
  virtual void set_alarm() = 0;
  // No longer inside: too many of the leases that it rested on have run out. Only where faults are survived.
  virtual void lost();
  // The fencing token of the entry that follows. Only where there are tokens.
  virtual void fenced(std::uint64_t token);

 protected:
  Sink() = default;
  Sink(const Sink&) = default;
  Sink& operator=(const Sink&) = default;
};

// Faults that an algorithm may be made for. A process that crashes keeps what it calls durable and nothing else.
//
// Members give each other leases, one per pair of them. When one runs out, who relies on it is told first
// (lapse), who gave it later (expire); the messages under way between the two are lost, and what either sends
// to the other, until there is a new link (up).
struct Faults {
  bool crashes = false;     // a process stops, and may never come back
  bool restarts = false;    // it comes back, as another incarnation
  bool lapses = false;      // a lease runs out though both live
  bool suspicions = false;  // a live process is taken for dead for a while
  bool cancels = false;     // a request is given up before it is served
};

// Of a peer that has restarted, there is one life that we are linked to, and one whose lease may still run.
enum class Life : std::uint8_t { present, former };

class Process {
 public:
  virtual ~Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // REQUIRES: outside and not asking; answered by entered().
  virtual void enter(const Demand& demand, Sink& sink) = 0;
  // REQUIRES: inside and not asking to leave; answered by exited(), often at once.
  virtual void exit(Sink& sink) = 0;
  // False, and nothing done, if the bytes are no message of this protocol.
  virtual bool on(NodeId from, std::string_view message, Sink& sink) = 0;
  // REQUIRES: set_alarm() was called since. `prefer` as in Demand.
  virtual void alarm(const NodeSet& prefer, Sink& sink) = 0;

  // The inputs of faults: only for algorithms that declare them.
  // REQUIRES: asking to enter; answered by exited(), at once.
  virtual void cancel(Sink& sink);
  // The peer seems dead, or no longer so. It may be wrong.
  virtual void suspect(NodeId peer, Sink& sink);
  virtual void trust(NodeId peer, Sink& sink);
  // The lease that the peer gave us has run out: what it granted us is worth nothing any more.
  virtual void lapse(NodeId peer, Sink& sink);
  // The lease that we gave the peer has run out: that life of it relies on nothing of ours any more.
  virtual void expire(NodeId peer, Life life, Sink& sink);
  // There is a new link. A new incarnation takes nothing from the former one, whose lease may still run.
  virtual void up(NodeId peer, std::uint32_t incarnation, Sink& sink);
  // What the peer had recorded of us by a lease that has lapsed, or when our hold was lost, is gone, and whoever
  // may have heard of it has heard that, or has lost its own lease from that peer. See census.h.
  virtual void forget(NodeId peer, Sink& sink);
  // The first input after a crash, to a process as at the start. What it has granted in its former life it does
  // not know: of each peer, and of itself, it will be told expire() when that is over.
  virtual void restart(std::uint32_t incarnation, Reader& durable, Sink& sink);
  virtual void save_durable(Writer& to) const;

  // Nothing held, queued, remembered or expected of a request: what must be so when all is quiet.
  virtual bool at_rest() const = 0;

  virtual void save(Writer& to) const = 0;
  virtual void load(Reader& from) = 0;

  virtual void describe(std::string& to) const = 0;
  virtual std::string describe_message(std::string_view message) const = 0;

 protected:
  Process() = default;
};

}  // namespace coterie::protocol
