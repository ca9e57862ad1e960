// Tries at an arbiter: requests that are refused instead of waiting.
//
// What an arbiter has recorded may be over: a member keeps a hold for its next client, or a client was told that it has
// left, and the arbiter has not heard of that yet. A try must not be refused for these. So before an arbiter says QUEUED,
// it sends PROBE to every member that has something recorded here. PROBE follows WANTED, by which that member gives back
// what it keeps, and the member's PROBED follows all that it said before about its clients, as a session keeps the order.
// When all have answered, whatever is still in the way was there after the try came.
//
// A member that does not answer is in the way as long as it has its lease. The try itself gives up earlier.
#pragma once

#include <map>
#include <vector>

#include "coterie/node_set.h"
#include "member/wire.h"

namespace coterie::member {

class Trials {
 public:
  struct Trial {
    Time tag{};      // of the request
    NodeSet unsure;  // who may say yet that what is recorded of it is over
  };

  // REQUIRES: somebody is to be probed.
  void begin(NodeId id, const Trial& trial) { trials_.insert_or_assign(id, trial); }
  void end(NodeId id) { trials_.erase(id); }
  // The requesters whose tries wait for nobody any more: they are no trials from then on.
  std::vector<std::pair<NodeId, Time>> hear(NodeId from, const Probed& probed) {
    return settle(from, [&](NodeId id, const Trial& trial) {
      return id == probed.id && trial.tag == probed.tag;
    });
  }
  // The member has begun another life, or its lease is over: nothing that it said before is on its way.
  std::vector<std::pair<NodeId, Time>> forget(NodeId member) {
    return settle(member, [](NodeId /*id*/, const Trial& /*trial*/) { return true; });
  }

 private:
  template <class Is>
  std::vector<std::pair<NodeId, Time>> settle(NodeId member, const Is& is) {
    std::vector<std::pair<NodeId, Time>> settled;
    for (auto next = trials_.begin(); next != trials_.end();) {
      const auto place = next++;
      auto& [id, trial] = *place;
      if (!is(id, trial) || !trial.unsure.contains(member)) continue;
      trial.unsure.erase(member);
      if (!trial.unsure.empty()) continue;
      settled.emplace_back(id, trial.tag);
      trials_.erase(place);
    }
    return settled;
  }

  std::map<NodeId, Trial> trials_;
};

}  // namespace coterie::member
