// Mutual exclusion by a token that moves along a tree: O(log n) messages.
//
// Raymond, "A tree-based algorithm for distributed mutual exclusion", ACM TOCS 7(1), 1989.
// A yardstick: no quorums. The tree is that of a heap: the neighbours of i are (i-1)/2, 2i+1 and 2i+2.
// The paper's ASKED is derived: a process has asked its holder just when its queue is not empty.
// Assumes: reliable FIFO channels. Site 0, the root, has the token at first.
#pragma once

#include <tuple>
#include <variant>
#include <vector>

#include "protocol/peer.h"

namespace coterie::protocol::raymond {

struct Request {  // towards the token: I, or one behind me, want it
  static constexpr std::string_view kName = "REQUEST";
  static std::tuple<> fields() { return {}; }
};
struct Privilege {  // to a neighbour: the token
  static constexpr std::string_view kName = "PRIVILEGE";
  static std::tuple<> fields() { return {}; }
};
using Message = std::variant<Request, Privilege>;

class Site : public Part<Message> {
 public:
  explicit Site(const Context<Message>& context);

  void enter(const Demand& demand);
  void exit();
  void on(NodeId from, const Request& message);
  void on(NodeId from, const Privilege& message);
  bool at_rest() const { return !using_ && queue_.empty(); }

  COTERIE_FIELDS(using_, holder_, queue_)

 protected:
  virtual void ask_again();

 private:
  bool has_token() const { return holder_ == self(); }
  void add(NodeId process);
  void assign_privilege();

  bool using_ = false;         // we are inside
  NodeId holder_;              // the neighbour, or self, on whose side the token is
  std::vector<NodeId> queue_;  // neighbours, and self, that want it, first come first served
};

}  // namespace coterie::protocol::raymond
