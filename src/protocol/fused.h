// l-mutual inclusion by quorums, with the count carried by the votes.
//
// Ours: MUTIN(l) of Kamei and Kakugawa (mutin.h) first wins a mutual exclusion and then asks the same quorum
// who is inside. Here an arbiter that lends its vote says so by the way, and goes on telling while it
// is lent. Leaving takes 2 hops instead of 6, a pair of leaving and entering 4q messages instead of 8q.
// l is Setting::min.
//
// Safe, because who leaves holds the vote of every arbiter in its quorum, and each other process reports to
// one of these: nobody of whom that one says "inside" can have left.
// Assumes: reliable FIFO channels; a coterie, of which each process uses one quorum.
#pragma once

#include <variant>

#include "protocol/node.h"
#include "protocol/vote.h"

namespace coterie::protocol::fused {

using Request = Stamped<"REQUEST">;  // requester → arbiter: I want to leave, lend me your vote

struct Grant {  // arbiter → requester: it is yours, and these are inside
  static constexpr std::string_view kName = "GRANT";
  NodeSet inside;
  COTERIE_FIELDS(inside)
};
struct Update {  // arbiter → requester: these are inside now
  static constexpr std::string_view kName = "UPDATE";
  NodeSet inside;
  COTERIE_FIELDS(inside)
};
struct Preempt {  // arbiter → requester: a better request came
  static constexpr std::string_view kName = "PREEMPT";
  COTERIE_FIELDS()
};
struct Yield {  // requester → arbiter: have your vote back, for now
  static constexpr std::string_view kName = "YIELD";
  COTERIE_FIELDS()
};
struct Released {  // requester → arbiter: I am out, have your vote back
  static constexpr std::string_view kName = "RELEASED";
  COTERIE_FIELDS()
};
struct Entered {  // requester → arbiter: I am inside
  static constexpr std::string_view kName = "ENTERED";
  COTERIE_FIELDS()
};
using Message = std::variant<Request, Grant, Update, Preempt, Yield, Released, Entered>;

class Requester : public Part<Message> {
 public:
  using Part::Part;

  void enter(const Demand& demand);
  void exit();
  void on(NodeId from, const Grant& message);
  virtual void on(NodeId from, const Update& message);
  virtual void on(NodeId from, const Preempt& message);
  bool at_rest() const { return !leaving_; }

  COTERIE_FIELDS(leaving_, view_)

 protected:
  bool has_all_votes() const { return view_.size() == setting().home(self()).size(); }
  void leave_if_enough();

  bool leaving_ = false;
  Map<NodeId, NodeSet> view_;  // whose votes we hold, and whom they know to be inside
};

class Arbiter : public Part<Message> {
 public:
  explicit Arbiter(const Context<Message>& context);

  void on(NodeId from, const Request& message);
  void on(NodeId from, const Yield& message);
  void on(NodeId from, const Released& message);
  virtual void on(NodeId from, const Entered& message);
  bool at_rest() const { return vote_.empty(); }

  COTERIE_FIELDS(inside_, vote_)

 protected:
  void grant();
  bool is_lent_to(NodeId process) const {
    return !vote_.is_free() && vote_.holder().stamp.process == process;
  }

  NodeSet inside_;  // of those whose quorum we are in
  Vote<Request> vote_;
};

}  // namespace coterie::protocol::fused
