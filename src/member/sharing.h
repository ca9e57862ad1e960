// A name where one group is inside at a time: a room, or a mutex, in which every request is a group of its own.
//
// Clients are put into bundles, each of which asks for all its clients with one requester of Shares. Clients of
// a room that want the same groups share a bundle, and a newcomer joins one that is inside without a message,
// unless others wait. Clients of a mutex take turns within a bundle: at most `batch` of them, newcomers and those
// who come again included, while others are known to wait. So members take turns too, but not at every entry:
// from one client to the next of the same member costs no message between members.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "member/resource.h"

namespace coterie::member {

class Sharing final : public Resource {
 public:
  Sharing(std::string name, Kind kind, NodeId first, Host& host);
  ~Sharing() override;

  void acquire(Claim& claim) override;
  void drop(Claim& claim) override;
  void on_ask(NodeId from, const Packet<Ask>& packet) override;
  void on_answer(NodeId from, const Packet<Answer>& packet) override;
  void on_up(NodeId peer) override;
  void on_suspect(NodeId peer) override;
  void on_trust(NodeId peer) override;
  void on_lapse(NodeId peer) override;
  void on_reborn(NodeId peer) override;
  void on_expire(NodeId peer, protocol::Life life) override;
  void end_silence() override;
  void give_back() override;
  Number lend(Claim& claim, Number users) override;
  void recall() override;
  void tell_keys() override;
  bool has_no_clients() const override { return bundles_.empty(); }
  bool has_entries() const override;
  bool has_entry(NodeId member, Slot slot) const override;
  void wind_up(const std::string& why, const Terms& terms) override;
  Terms terms() const override { return terms_; }
  void agree(const Terms& terms) override;
  void tick() override;
  Instant due() const override;
  bool is_idle() const override;
  Number number() const override;
  NodeSet voters(const Claim& claim) const override;
  Origin origin(const Claim& claim) const override;
  void look(View& view) const override;

 private:
  friend class Bundle;
  class Voice;  // of the arbiter

  template <class Does>
  void each_bundle(const Does& does);
  Bundle* bundle_for(const protocol::Groups& groups);
  Bundle& spare_bundle();
  Bundle& new_bundle();
  void sweep();
  void arbitrate(NodeId from, Slot slot, const Request& request);
  void arbitrate(NodeId from, Slot slot, const Yield& yield);
  void arbitrate(NodeId from, Slot slot, const Release& release);
  void arbitrate(NodeId from, Slot slot, const Pin& pin) { on_pin(from, slot, pin); }
  void arbitrate(NodeId from, Slot slot, const Keys& keys) { on_keys(from, slot, keys); }
  std::optional<std::string> group_held(const Holder& holder) const override;
  bool rests_here(NodeId id) const override;
  void pin_entry(std::optional<NodeId> held_by, const Lasting& lasting) override;
  void unpin_entry(const Lasting& lasting, bool has_number) override;
  void arbitrate(NodeId from, Slot slot, const Disown& disown);
  std::optional<Standing> standing_of(NodeId id, Time tag) const override;
  void count_known(NodeId id, Time tag, Happened fresh, Happened stale);
  protocol::Group group_of(const Request& request) const;
  protocol::Group unused_group() const;
  using Keyed = protocol::shares::Arbiter::Entries::value_type;
  const Keyed* entry_of(const Origin& origin) const;
  std::vector<NodeId> ids_of(NodeId peer, protocol::Life life) const override;
  bool has_inside() const override;
  void refuse_waiting(const std::string& why) override;
  void look_at_entries(View& view) const;
  protocol::shares::Arbiter& arbiter();
  void forget_groups();

  Terms terms_;
  GroupNames groups_;
  std::vector<std::unique_ptr<Bundle>> bundles_;  // by slot; some are empty
  std::unique_ptr<Voice> voice_;
  std::unique_ptr<protocol::shares::Arbiter> arbiter_;  // from the first request on
};

}  // namespace coterie::member
