// One name: an arbiter that serves the requests of all members, and the requests of this member's clients.
//
// Clients are put into bundles, each of which asks for all its clients with one requester of Shares. Clients of
// a room that want the same groups share a bundle, and a newcomer joins one that is inside without a message,
// unless others wait. Clients of a mutex take turns within a bundle; there are at most `batch` of them, and a
// newcomer joins those only while nobody else is known to wait, so that members take turns too.
//
// To an arbiter, bundle s of member m of n is requester s * n + m.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "member/claim.h"
#include "member/group_names.h"
#include "member/tally.h"
#include "member/view.h"
#include "member/wire.h"
#include "protocol/shares.h"

namespace coterie::member {

// The algorithm's two parts, so that tests can put wrong ones in.
struct Parts {
  using Context = protocol::Context<protocol::shares::Message>;
  std::unique_ptr<protocol::shares::Requester> (*requester)(const Context&, NodeId first);
  std::unique_ptr<protocol::shares::Arbiter> (*arbiter)(const Context&, Number number);

  static Parts right();
};

// What a resource needs of its member.
class Host {
 public:
  virtual ~Host() = default;
  virtual const protocol::Setting& setting() const = 0;
  virtual const Parts& parts() const = 0;
  virtual NodeId self() const = 0;
  virtual protocol::Clock& clock() = 0;
  virtual void count(Happened what) = 0;
  virtual Instant now() const = 0;
  virtual NodeSet reachable() const = 0;  // itself, and whose lease it has
  virtual NodeSet suspects() const = 0;
  virtual bool is_silent() const = 0;
  virtual Number floor() const = 0;  // from which an arbiter's numbers start
  virtual Duration spare_after() const = 0;
  virtual Duration keep() const = 0;
  virtual std::size_t batch() const = 0;

  virtual void ask(NodeId arbiter, Packet<Ask> packet) = 0;
  virtual void answer(NodeId requester, Packet<Answer> packet) = 0;
  // A number that an arbiter uses: to be remembered before anything is sent.
  virtual void use(Number number) = 0;
  virtual void granted(Claim& claim, const std::string& group) = 0;
  // The claim is gone afterwards.
  virtual void lost(Claim& claim) = 0;
  virtual void refused(Claim& claim, Refusal why, const std::string& text) = 0;
  virtual void left(Claim& claim) = 0;
  // Whether nobody uses what was lent: then it has left.
  virtual bool recall(Claim& claim) = 0;

  // For people who look.
  virtual std::string label(const Claim& claim) const = 0;
  virtual Instant good_until(const Claim& claim) const = 0;
  virtual Milliseconds lent_for(NodeId peer, protocol::Life life) const = 0;

 protected:
  Host() = default;
  Host(const Host&) = default;
  Host& operator=(const Host&) = default;
};

class Resource {
 public:
  Resource(std::string name, Kind kind, NodeId first, Host& host);
  ~Resource();
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;

  const std::string& name() const { return name_; }
  Kind kind() const { return kind_; }

  // REQUIRES: the claim is of this name and kind, and new.
  void acquire(Claim& claim);
  // Inside: it leaves. Waiting: it gives up. The resource knows it no more.
  void drop(Claim& claim);

  void on_ask(NodeId from, const Packet<Ask>& packet);
  void on_answer(NodeId from, const Packet<Answer>& packet);
  void on_up(NodeId peer);
  void on_suspect(NodeId peer);
  void on_trust(NodeId peer);
  void on_lapse(NodeId peer);
  void on_reborn(NodeId peer);
  void on_expire(NodeId peer, protocol::Life life);
  void end_silence();
  // What the member keeps for nobody is given back: of another kind it is in the way.
  void give_back();
  Number lend(Claim& claim, Number users);
  // What was lent, and is not in use, is there for others again.
  void recall();

  void tick();
  Instant due() const;  // for tick()

  // Nothing is held, waited for, or kept.
  bool is_idle() const;
  bool is_kept_only() const;  // by this member, for nobody
  Number number() const;      // from which an arbiter that comes after must start
  // Whose votes the claim rests on. REQUIRES: it is inside.
  static NodeSet voters(const Claim& claim);
  void look(View& view) const;

 private:
  friend class Bundle;
  class Voice;  // of the arbiter

  template <class Does>
  void each_bundle(const Does& does);
  Bundle* bundle_for(const protocol::Groups& groups);
  Bundle& spare_bundle();
  void sweep();
  void arbitrate(NodeId from, Slot slot, const Request& request);
  void arbitrate(NodeId from, Slot slot, const Yield& yield);
  void arbitrate(NodeId from, Slot slot, const Release& release);
  void count_known(NodeId id, Time tag, Happened fresh, Happened stale);
  protocol::Group unused_group() const;
  std::vector<NodeId> ids_of(NodeId peer, protocol::Life life) const;
  void look_at_entries(View& view) const;
  protocol::shares::Arbiter& arbiter();
  NodeId id_of(NodeId member, Slot slot) const;
  void forget_groups();

  std::string name_;
  Kind kind_;
  NodeId first_;  // the arbiter that all members ask first
  Host& host_;
  GroupNames groups_;
  std::vector<std::unique_ptr<Bundle>> bundles_;  // by slot; some are empty
  std::unique_ptr<Voice> voice_;
  std::unique_ptr<protocol::shares::Arbiter> arbiter_;  // from the first request on
};

}  // namespace coterie::member
