// l-mutual inclusion by quorums: at least l processes are inside at all times, so it is leaving that waits.
//
// Kamei, Kakugawa, "Asynchronous message-passing distributed algorithm for the global critical section
// problem", IJNC 9(2), 2019: MUTIN(l), algorithms 1 and 2. l is Setting::min.
//
// Corrected:
//   response2-once  an arbiter tells the one who counts of every Release, not of the first only: a process
//                   that has seen a Release at one arbiter may leave before it reaches the others, so who
//                   counts next can need two through the same arbiter. Lemma 2 does not hold as printed.
// Simpler: the request counter is left out. An arbiter repeats no Response after an Acquire, and its Ack
// comes behind all of them, so none is left when the last Ack is there.
// Assumes: reliable FIFO channels; a coterie, of which each process uses one quorum. The mutual exclusion
// inside may be any; it uses the second quorum system, if two are given.
#pragma once

#include <optional>
#include <variant>

#include "protocol/child.h"
#include "protocol/node.h"

namespace coterie::protocol::mutin {

struct Mx {  // of the mutual exclusion inside
  static constexpr std::string_view kName = "mx";
  Bytes inner;
  Label label{};  // of what is inside; not a part of the message
  COTERIE_FIELDS(inner)
};
struct Query {  // requester → arbiter: who is inside?
  static constexpr std::string_view kName = "QUERY";
  COTERIE_FIELDS()
};
struct Response {  // arbiter → requester: these, of those who report to me
  static constexpr std::string_view kName = "RESPONSE";
  NodeSet inside;
  COTERIE_FIELDS(inside)
};
struct Acquire {  // requester → arbiter: I am leaving
  static constexpr std::string_view kName = "ACQUIRE";
  COTERIE_FIELDS()
};
struct Ack {  // arbiter → requester: noted
  static constexpr std::string_view kName = "ACK";
  COTERIE_FIELDS()
};
struct Release {  // requester → arbiter: I am inside
  static constexpr std::string_view kName = "RELEASE";
  COTERIE_FIELDS()
};
using Message = std::variant<Mx, Query, Response, Acquire, Ack, Release>;

class Requester : public Part<Message> {
 public:
  explicit Requester(const Context<Message>& context);

  void enter(const Demand& demand);
  void exit();
  void alarm(const NodeSet& prefer) { react(mx_.alarm(prefer)); }
  void on(NodeId from, const Mx& message) { react(mx_.on(from, message)); }
  void on(NodeId from, const Response& message);
  virtual void on(NodeId from, const Ack& message);
  bool at_rest() const { return phase_ == Phase::settled && mx_.at_rest(); }

  std::string describe_message(const Message& message) const;

  COTERIE_FIELDS(phase_, seen_, acks_, mx_)

 protected:
  enum class Phase : std::uint8_t { settled, excluding, counting, leaving };

  virtual void acquire();
  void leave();

  Phase phase_ = Phase::settled;

 private:
  using Mutex = Child<Message, Mx>;
  void react(Mutex::Answer answer);

  NodeSet seen_;  // whom we know to be inside, while counting
  NodeSet acks_;  // who knows that we leave, while leaving
  Mutex mx_;
};

class Arbiter : public Part<Message> {
 public:
  explicit Arbiter(const Context<Message>& context);

  void on(NodeId from, const Query& message);
  void on(NodeId from, const Acquire& message);
  void on(NodeId from, const Release& message);
  bool at_rest() const { return !again_.has_value(); }

  COTERIE_FIELDS(inside_, again_)

 protected:
  virtual void respond_again();

  NodeSet inside_;               // of those whose quorum we are in
  std::optional<NodeId> again_;  // who counts, and is told of every Release
};

Component mx_of(const Setting& setting);

}  // namespace coterie::protocol::mutin
