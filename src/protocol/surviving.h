// The door of process.h for an algorithm that survives faults: it also hands on their inputs.
//
// REQUIRES of Algorithm: those functions that the faults of its entry bring; see Process.
#pragma once

#include "protocol/node.h"

namespace coterie::protocol {

// A node of a requester that relies on leases and an arbiter that gives them.
template <class RequesterPart, class ArbiterPart>
class LeasingNode : public Node<RequesterPart, ArbiterPart> {
 public:
  using Node<RequesterPart, ArbiterPart>::Node;

  void cancel() { this->requester().cancel(); }
  void suspect(NodeId peer) { this->requester().suspect(peer); }
  void trust(NodeId peer) { this->requester().trust(peer); }
  void lapse(NodeId peer) { this->requester().lapse(peer); }
  void expire(NodeId peer, Life life) { this->arbiter().expire(peer, life); }
  void up(NodeId peer, std::uint32_t /*incarnation*/) {
    this->arbiter().up(peer);
    this->requester().up(peer);
  }
  void restart(std::uint32_t /*incarnation*/, Reader& durable) {
    this->arbiter().restart(durable);
    this->requester().restart();
  }
  void forget(NodeId peer) requires requires(RequesterPart& part) { part.forget(peer); }
  { this->requester().forget(peer); }
  void save_durable(Writer& to) const { this->arbiter().save_durable(to); }
};

template <class Algorithm>
class Surviving final : public Erased<Algorithm> {
 public:
  using Erased<Algorithm>::Erased;

  void cancel(Sink& sink) override {
    if constexpr (requires(Algorithm & to) { to.cancel(); }) {
      this->speaking_to(sink).cancel();
    } else {
      Process::cancel(sink);
    }
  }
  void suspect(NodeId peer, Sink& sink) override {
    if constexpr (requires(Algorithm & to) { to.suspect(peer); }) {
      this->speaking_to(sink).suspect(peer);
    } else {
      Process::suspect(peer, sink);
    }
  }
  void trust(NodeId peer, Sink& sink) override {
    if constexpr (requires(Algorithm & to) { to.trust(peer); }) {
      this->speaking_to(sink).trust(peer);
    } else {
      Process::trust(peer, sink);
    }
  }
  // A crash, a restart and a lapse all end leases.
  void lapse(NodeId peer, Sink& sink) override { this->speaking_to(sink).lapse(peer); }
  void expire(NodeId peer, Life life, Sink& sink) override {
    this->speaking_to(sink).expire(peer, life);
  }
  void up(NodeId peer, std::uint32_t incarnation, Sink& sink) override {
    this->speaking_to(sink).up(peer, incarnation);
  }
  void forget(NodeId peer, Sink& sink) override {
    if constexpr (requires(Algorithm & to) { to.forget(peer); }) {
      this->speaking_to(sink).forget(peer);
    } else {
      Process::forget(peer, sink);
    }
  }
  void restart(std::uint32_t incarnation, Reader& durable, Sink& sink) override {
    if constexpr (requires(Algorithm & to) { to.restart(incarnation, durable); }) {
      this->speaking_to(sink).restart(incarnation, durable);
    } else {
      Process::restart(incarnation, durable, sink);
    }
  }
  void save_durable(Writer& to) const override {
    if constexpr (requires(const Algorithm& from) { from.save_durable(to); }) {
      this->algorithm().save_durable(to);
    }
  }
};

template <class RequesterPart, class ArbiterPart>
std::unique_ptr<Process> make_surviving(const Setting& setting, NodeId self) {
  return std::make_unique<Surviving<LeasingNode<RequesterPart, ArbiterPart>>>(setting, self);
}

}  // namespace coterie::protocol
