// A name where those inside are counted: a semaphore, rooms for several groups, a band.
//
// Every client has a seat, with a requester of Census and so a record of its own; in rooms, clients that want the same
// groups have one seat, and a newcomer joins those inside without a message, but not for ever, or others might wait
// for ever. Of the seats that wait to enter the first asks for all: if there is room, as many come in by its votes as
// fit, and then the first of those left asks. Who wants to leave asks alone.
//
// In a band, the group of a client is the name it goes by.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "member/resource.h"

namespace coterie::member {

class Counting final : public Resource {
 public:
  Counting(std::string name, Kind kind, NodeId first, Host& host);
  ~Counting() override;

  void acquire(Claim& claim) override;
  void drop(Claim& claim) override;
  bool leave(Claim& claim) override;
  void stay(Claim& claim) override;
  void confirm(Claim& claim) override;
  void leave_for(Claim& claim) override;
  bool may_have_to_stay() const override { return has_floor() && !former_terms_; }
  void change(Claim& claim) override;
  void drop_errand(Claim& claim) override;
  void tell_keys() override;
  void on_ask(NodeId from, const Packet<Ask>& packet) override;
  void on_answer(NodeId from, const Packet<Answer>& packet) override;
  void on_up(NodeId peer) override;
  void on_suspect(NodeId peer) override;
  void on_trust(NodeId peer) override;
  void on_lapse(NodeId peer) override;
  void on_reborn(NodeId peer) override;
  void on_expire(NodeId peer, protocol::Life life) override;
  void end_silence() override;
  void tick() override;
  Instant due() const override;
  bool is_idle() const override;
  Number number() const override;
  NodeSet voters(const Claim& claim) const override;
  Origin origin(const Claim& claim) const override;
  void look(View& view) const override;
  bool has_no_clients() const override;
  bool has_entries() const override;
  bool has_entry(NodeId member, Slot slot) const override;
  void wind_up(const std::string& why, const Terms& terms) override;
  Terms terms() const override;
  void agree(const Terms& terms) override;
  void on_agreed(NodeId from, const Agreed& agreed) override;

 private:
  friend class Seat;
  class Voice;  // of the arbiter
  // Of the terms, while nobody moves: two seats have the votes to enter and, in a band, to leave.
  struct Change {
    Claim* claim = nullptr;
    Seat* in = nullptr;
    Seat* out = nullptr;
    std::optional<Kind> known_as;  // where it was asked, instead of ours
    Terms terms;                   // agreed on, if the version is not 0
    NodeSet told;                  // who has these
  };

  bool has_floor() const { return kind_.type == Type::band; }
  template <class Does>
  void each_seat(const Does& does);
  Seat& seat_for(const Claim& claim);
  Seat& new_seat();
  // Of those that wait to enter, the first asks.
  void ask_for_the_first();
  Seat* first_waiting();
  void bring_in(const Seat& lead, protocol::census::Party& party);
  void sweep();
  void forget_groups();

  void arbitrate(NodeId from, Slot slot, const Poll& poll);
  void arbitrate(NodeId from, Slot slot, const Yield& yield);
  void arbitrate(NodeId from, Slot slot, const Commit& commit);
  void arbitrate(NodeId from, Slot slot, const Withdraw& withdraw);
  void arbitrate(NodeId from, Slot slot, const Record& record);
  void arbitrate(NodeId from, Slot slot, const Erase& erase);
  void arbitrate(NodeId from, Slot slot, const Pin& pin) { on_pin(from, slot, pin); }
  void arbitrate(NodeId from, Slot slot, const Keys& keys) { on_keys(from, slot, keys); }
  std::optional<std::string> group_held(const Holder& holder) const override;
  void keys_changed() override;
  std::optional<Standing> standing_of(NodeId id, Time tag) const override;
  void drop_left_behind(NodeId from, Slot slot, const Commit& commit);
  bool has_left(const std::string& group, Number token) const;
  std::optional<Holder> former_of(NodeId id) const;  // where its client was before
  void go_on_with_change();
  void end_change();
  bool rests_here(NodeId id) const override;
  void pin_entry(std::optional<NodeId> held_by, const Lasting& lasting) override;
  void unpin_entry(const Lasting& lasting, bool has_number) override;
  void forget_entry(const Lasting& lasting) override;
  void owners_in_use(protocol::Groups& numbers) const override;
  const protocol::census::Arbiter::Entry* entry_of(NodeId id) const;
  protocol::census::Arbiter& arbiter();
  std::vector<NodeId> ids_of(NodeId peer, protocol::Life life) const override;
  bool has_inside() const override;
  void refuse_waiting(const std::string& why) override;
  void look_at_records(View& view) const;

  // Group 0 is that of those who name none.
  protocol::Group number_of(const std::string& group);
  protocol::Groups numbers_of(const std::vector<std::string>& groups);
  std::string name_of(protocol::Group group) const;
  // As the requester is to count them: without what is recorded of its own client elsewhere.
  std::vector<Recorded> named(const protocol::census::Census& census, NodeId to);
  protocol::census::Census numbered(const std::vector<Recorded>& census);

  protocol::Setting setting_;
  GroupNames groups_;
  std::vector<std::unique_ptr<Seat>> seats_;  // by slot; some are empty
  std::optional<Change> change_;
  std::optional<Kind> was_;            // before the last change, if we know
  std::optional<Terms> former_terms_;  // while it is wound up: those that hold if it goes on
  // Of a band: with which token a participant left, for as long as another member may repair that hold.
  struct LeftWith {
    Number token = 0;
    Instant until;
  };
  std::map<std::string, LeftWith> left_;
  std::map<NodeId, Secret> shown_;  // by those that ask for clients of other members
  std::unique_ptr<Voice> voice_;
  std::unique_ptr<protocol::census::Arbiter> arbiter_;  // from the first request on
};

}  // namespace coterie::member
