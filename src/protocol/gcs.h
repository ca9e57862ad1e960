// At least l and at most k processes are inside at all times: entering waits, and so does leaving.
//
// Kamei, Kakugawa, "Asynchronous message-passing distributed algorithm for the global critical section
// problem", IJNC 9(2), 2019: (l,k)-GCS, algorithm 3. l and k are Setting::min and Setting::max.
//
// It is made of any l-mutual inclusion and any k-mutual exclusion, gcs[LMIN;KMEX]: by default the paper's,
// MUTIN(l) and the complement of MUTIN(n-k). Of two quorum systems the second is KMEX's.
// Assumes: an l-mutual inclusion lets enter at once, a k-mutual exclusion lets leave at once.
#pragma once

#include <variant>

#include "protocol/child.h"

namespace coterie::protocol::gcs {

struct OfLmin {
  static constexpr std::string_view kName = "lmin";
  Bytes inner;
  Label label{};  // of what is inside; not a part of the message
  COTERIE_FIELDS(inner)
};
struct OfKmex {
  static constexpr std::string_view kName = "kmex";
  Bytes inner;
  Label label{};  // of what is inside; not a part of the message
  COTERIE_FIELDS(inner)
};

Component lmin_of(const Setting& setting);
Component kmex_of(const Setting& setting);

class Gcs {
 public:
  using Message = std::variant<OfLmin, OfKmex>;

  Gcs(const Setting& setting, NodeId self, Outbox<Message>& out);
  virtual ~Gcs() = default;
  Gcs(const Gcs&) = delete;
  Gcs& operator=(const Gcs&) = delete;

  virtual void enter(const Demand& demand) { react(kmex_.enter(demand)); }
  virtual void exit() { react(lmin_.exit()); }
  void on(NodeId from, const Message& message);
  void alarm(const NodeSet& prefer);
  bool at_rest() const { return lmin_.at_rest_occupied() && kmex_.at_rest_occupied(); }

  std::string describe_message(const Message& message) const;

  COTERIE_FIELDS(lmin_, kmex_)

 protected:
  using Lmin = Child<Message, OfLmin>;
  using Kmex = Child<Message, OfKmex>;

  virtual void react(Lmin::Answer answer);
  virtual void react(Kmex::Answer answer);

  Lmin lmin_;
  Kmex kmex_;
  Outbox<Message>& out_;
};

}  // namespace coterie::protocol::gcs
