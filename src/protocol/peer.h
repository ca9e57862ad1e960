// A node of one part, for algorithms in which one process both asks and answers.
#pragma once

#include <variant>

#include "protocol/node.h"

namespace coterie::protocol {

template <class PeerPart>
class Peer {
 public:
  using Message = typename PeerPart::Message;
  template <class Content>
  static constexpr bool kForArbiter = true;  // who asks also answers

  Peer(const Setting& setting, NodeId self, Outbox<Message>& out)
      : part_(Context<Message>{setting, self, clock_, out}) {}

  void enter(const Demand& demand) { part_.enter(demand); }
  void exit() { part_.exit(); }
  void alarm(const NodeSet& /*prefer*/) {
    constexpr bool is_alarm_set = false;
    COTERIE_ASSERT(is_alarm_set);
  }
  template <class Content>
  void on(NodeId from, const Content& content) {
    part_.on(from, content);
  }
  bool at_rest() const { return part_.at_rest(); }

  COTERIE_FIELDS(clock_, part_)

 private:
  Clock clock_;
  PeerPart part_;
};

}  // namespace coterie::protocol
