// Mutual exclusion by asking everybody: 2(n-1) messages.
//
// Ricart and Agrawala, "An optimal algorithm for mutual exclusion in computer networks", CACM 24(1), 1981.
// A yardstick: no quorums, every process asks every other.
// Assumes: reliable channels; FIFO is not needed.
#pragma once

#include <variant>

#include "protocol/peer.h"

namespace coterie::protocol::ricart_agrawala {

using Request = Stamped<"REQUEST">;  // to all others: may I?
using Reply = Stamped<"REPLY">;      // yes, as far as I am concerned
using Message = std::variant<Request, Reply>;

class Site : public Part<Message> {
 public:
  explicit Site(const Context<Message>& context);

  void enter(const Demand& demand);
  void exit();
  virtual void on(NodeId from, const Request& message);
  void on(NodeId from, const Reply& message);
  bool at_rest() const { return phase_ == Phase::idle; }

  COTERIE_FIELDS(phase_, current_, awaited_, deferred_)

 protected:
  // Does our own request come before this one?
  virtual bool is_before(const Stamp& stamp) const { return current_ < stamp; }
  void answer(const Stamp& stamp);

  Stamp current_;

 private:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  void enter_if_all_agree();

  Phase phase_ = Phase::idle;
  NodeSet awaited_;              // who has not replied yet
  Map<NodeId, Stamp> deferred_;  // to whom we reply when we leave
};

}  // namespace coterie::protocol::ricart_agrawala
