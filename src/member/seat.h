// One who is counted, or who waits to be: see counting.h.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "member/counting.h"
#include "member/keyring.h"
#include "member/pinning.h"
#include "member/waiting_line.h"

namespace coterie::member {

class Seat final : public WaitingLine, private protocol::Outbox<protocol::census::Message> {
 public:
  Seat(Counting& home, Slot slot);

  Slot slot() const { return slot_; }
  const protocol::census::Requester& requester() const { return *requester_; }
  const std::vector<Claim*>& inside() const { return inside_; }
  const protocol::Groups& wishes() const { return wishes_; }
  bool is_empty() const { return is_free() && requester_->is_forgotten(); }
  bool is_free() const { return inside_.empty() && line_.empty(); }
  bool is_in_line() const { return !line_.empty() && !requester_->is_inside() && !is_adopted_; }
  bool is_asking() const { return is_in_line() && requester_->is_waiting(); }
  // In line, but for who goes by the same name and is inside: others need not wait for that.
  bool is_aside() const;
  Priority priority() const;  // of the wait, or of the hold
  // In rooms: may one that accepts these groups come in now, or wait with those that wait?
  bool admits(const protocol::Groups& groups) const;
  bool takes_in_line(const protocol::Groups& groups) const;

  void add(Claim& claim, const protocol::Groups& groups);
  // One that is inside by another member's leave. It stays alone: nobody may come in by what it has.
  void adopt(Claim& claim, const protocol::Groups& groups);
  void confirm() { requester_->confirm(); }
  void remove(Claim& claim) override;
  void leave();
  void stay();
  void let_out();  // who wants to leave: nobody minds any more
  // Its client goes by this name, came in by this token or an earlier one, and was not taken over from that member.
  bool is_behind(NodeId member, protocol::Group name, Number token) const;
  void give_up_hold();           // its client has left elsewhere
  void leave_for(Claim& claim);  // whose hold lasts
  // For nobody, so that nobody moves that way.
  void gather(protocol::census::Way way, const protocol::Stamp& stamp) {
    requester_->gather(way, stamp);
  }
  void stop_gathering() { requester_->cancel(); }
  // For those in line. REQUIRES: is_in_line(), and not is_asking()
  void ask();
  // By another's votes, if there is room. REQUIRES: the same
  void come_along(protocol::census::Party& party);

  void on(NodeId from, const Grant& grant);
  void on(NodeId from, const Update& update);
  void on(NodeId from, const Preempt& preempt);
  void on(NodeId from, const Queued& queued);
  void on(NodeId from, const Mismatch& mismatch);
  void on(NodeId from, const Pinned& pinned);
  void up(NodeId peer);
  void suspect(NodeId peer);
  void trust(NodeId peer);
  void lapse(NodeId peer);
  void tell_keys();  // now, if somebody is inside

  void tick();
  Instant due() const;

 private:
  bool is_fresh(NodeId from, Time tag, Happened fresh, Happened stale);
  void admit(Claim& claim, Happened how);
  bool is_sure() const;
  void look_at_votes();
  void step_aside();
  void keep_tries();
  void go_on_leaving();
  template <class Does>
  void remember_echoes(const Does& does);

  void post(NodeId to, protocol::Label label) override;
  void post(const NodeSet& to, protocol::Label label) override;
  void entered(protocol::Group group) override;
  void exited() override;
  void set_alarm() override;
  void lost() override;
  void fenced(std::uint64_t /*token*/) override {}

  Counting& home_;
  Slot slot_;
  Pinning pinning_;
  Claim* stands_in_for_ = nullptr;  // its hold lasts, and is to end
  std::unique_ptr<protocol::census::Requester> requester_;
  protocol::Groups wishes_;  // of its clients
  NodeSet settled_;          // who has told a try all that is on its way: QUEUED, with the vote
  std::vector<Claim*> inside_;
  protocol::Stamp since_;  // when the first of them came
  bool is_adopted_ = false;
  Secret shown_;  // by its client, if it is adopted
  Keyring keyring_;
  Instant key_at_ = Instant::never();  // who has joined is told of then
  std::size_t joined_ = 0;             // since it is inside
  Instant spare_at_ = Instant::never();
  Instant aside_until_;
  std::map<NodeId, Instant> forget_at_;  // where it was recorded: when nobody can go on counting it
};

}  // namespace coterie::member
