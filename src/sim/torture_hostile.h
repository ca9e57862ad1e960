// Clients that want to do harm, beside honest ones who must not notice. They know what any client can: how members are, what
// is held, by which tokens and since when, and tickets of their own; the rest they guess. They call members in any order and
// with anything in it.
//
// What they may do they do to names of their own only: without rules of access whoever asks for another's name as other
// clients do is no enemy. To the names of others they show tickets that they made up, and end holds that nobody has.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "member/member.h"
#include "sim/torture_plan.h"

namespace coterie::sim::torture {

class Hostile {
 public:
  // Theirs are from here on.
  static constexpr member::SessionId kFirstSession = member::SessionId{1} << 40U;

  // REQUIRES: the plan outlives it.
  Hostile(const Plan& plan, std::uint32_t number, Random random)
      : plan_(plan), random_(random), first_(kFirstSession + (member::SessionId{number} << 32U)) {}

  bool has(member::SessionId session) const { return session > first_ && session <= last_session_; }
  NodeId draw_member() { return static_cast<NodeId>(random_.below(plan_.members())); }
  // One call.
  void act(NodeId at, member::Member& member, member::Instant now);
  // What that member says of it: in words, if nobody should be told so.
  std::optional<std::string> hear(member::SessionId session, const member::Event& event);
  // It does no more.
  void leave(NodeId at, member::Member& member, member::Instant now);

 private:
  struct Asked {
    std::string name;
    bool is_forged = false;
  };

  void open(NodeId at, member::Member& member, member::Instant now);
  void forge(member::Member& member, member::Instant now);
  void use(member::Member& member, member::Instant now);
  void end(member::Member& member, member::Instant now);
  void talk_nonsense(member::Member& member, member::Instant now);
  member::Wish wish_for(const Resource& resource);
  member::Secret guess();
  std::uint64_t number();
  member::RequestId some_request();
  member::RequestId next(const std::string& name, bool is_forged);
  member::RequestId used_again(const std::string& name);
  const Resource& some_resource() { return plan_.resources[random_.below(plan_.resources.size())]; }
  std::string own_name() { return "own-" + std::to_string(random_.below(3)); }

  const Plan& plan_;
  Random random_;
  std::unordered_map<NodeId, member::SessionId> sessions_;  // the last at each member
  member::SessionId session_ = 0;                           // that it uses now
  member::SessionId first_;                                 // its own come after this one
  member::SessionId last_session_ = first_;
  member::RequestId last_request_ = 0;
  std::map<std::pair<member::SessionId, member::RequestId>, Asked> asked_;
  std::optional<member::Granted> own_;  // the last that it was granted
};

}  // namespace coterie::sim::torture
