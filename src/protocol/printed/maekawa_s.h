// Maekawa_S read to the letter of its descriptions, and without what they rest on, one difference at a time.
#pragma once

#include <algorithm>

#include "protocol/maekawa_s.h"

namespace coterie::protocol::maekawa_s::printed {

// R1
class ClosesWithReference : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  std::optional<Group> open_group() override {
    const auto group = Arbiter::open_group();
    return reference_ ? group : std::nullopt;
  }
};

// R2: a node has one place per process.
class ReleasesByProcess : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void on(NodeId, const Request& message) override {
    forget(message.stamp.process);
    Arbiter::on(message.stamp.process, message);
  }
  void on(NodeId from, const Released&) override {
    forget(from);
    settle();
  }

 private:
  void forget(NodeId process) {
    const auto theirs = std::find_if(queue_.begin(), queue_.end(), [process](const auto& item) {
      return item.first.process == process;
    });
    if (theirs != queue_.end()) queue_.erase(theirs);
    if (reference_ && reference_->process == process) reference_.reset();
  }
};

// The order of a chain that begins at the requester and goes round: circles of waiting.
class StartsAtItself : public Requester {
 public:
  using Requester::Requester;

 protected:
  NodeId first_node() const override {
    const NodeSet nodes = quorum();
    const auto from_here =
        std::find_if(nodes.begin(), nodes.end(), [this](NodeId node) { return node >= self(); });
    return from_here == nodes.end() ? *nodes.begin() : *from_here;
  }
};
class GoesRound : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  std::optional<NodeId> next_node(const Request& request) const override {
    const NodeId start = request.stamp.process;
    const NodeId count = static_cast<NodeId>(setting().processes);
    const NodeSet nodes = setting().home(start, request.group);
    for (NodeId node = (self() + 1) % count; node != start; node = (node + 1) % count) {
      if (nodes.contains(node)) return node;
    }
    return std::nullopt;
  }
};

}  // namespace coterie::protocol::maekawa_s::printed
