// Clients of one member that ask together: see sharing.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "member/keyring.h"
#include "member/pinning.h"
#include "member/sharing.h"
#include "member/waiting_line.h"

namespace coterie::member {

class Bundle final : public WaitingLine, private protocol::Outbox<protocol::shares::Message> {
 public:
  Bundle(Sharing& home, Slot slot);

  Slot slot() const { return slot_; }
  protocol::shares::Requester& requester() { return *requester_; }
  const protocol::shares::Requester& requester() const { return *requester_; }
  const std::vector<Claim*>& inside() const { return inside_; }
  const protocol::Groups& groups() const { return groups_; }
  bool is_empty() const { return inside_.empty() && line_.empty() && requester_->is_idle(); }

  // May one that accepts these groups come in now, or wait with those that wait?
  bool admits(const protocol::Groups& groups) const;
  bool takes_in_line(const protocol::Groups& groups) const;

  void add(Claim& claim, const protocol::Groups& groups);
  // One that is inside by another member's leave. It stays alone: nobody may come in by what it has.
  void adopt(Claim& claim, const protocol::Groups& groups);
  void remove(Claim& claim) override;

  void on(NodeId from, const Lock& lock);
  void on(NodeId from, const Inquire& inquire);
  void on(NodeId from, const Wanted& wanted);
  void on(NodeId from, const Queued& queued);
  void on(NodeId from, const Mismatch& mismatch);
  void on(NodeId from, const Pinned& pinned);
  void lapse(NodeId peer);
  void give_back();
  // See Member::lend.
  Number lend(Claim& claim, Number users);
  void recall();
  void tell_keys();  // now, if somebody is inside

  void tick();
  Instant due() const;

 private:
  bool is_exclusive() const;
  bool is_for_one() const;  // who was adopted, or whose hold will last: nobody shares it
  bool is_adopted() const { return adopted_.incarnation != 0; }
  protocol::Stamp stamp_for(const Claim& claim) const;
  void start_over();
  void disown(Number number);
  Number number_of_its_own() const;
  bool is_fresh(NodeId from, Time tag, Happened fresh, Happened stale);
  void ask();
  void admit(Claim& claim, Happened how);
  void admit_next();

  void post(NodeId to, protocol::Label label) override;
  void post(const NodeSet& to, protocol::Label label) override;
  void entered(protocol::Group group) override;
  void exited() override {}
  void set_alarm() override;
  void lost() override;
  void fenced(std::uint64_t /*token*/) override {}

  Sharing& home_;
  Slot slot_;
  Pinning pinning_;
  std::unique_ptr<protocol::shares::Requester> requester_;
  protocol::Groups groups_;  // that its clients accept
  Origin adopted_;           // by which its one client came in elsewhere, if it did,
  Secret shown_;             // and what it has shown of that
  Keyring keyring_;
  Instant key_at_ = Instant::never();
  std::vector<Claim*> inside_;
  std::size_t turns_ = 0;       // of its clients, one after another, since it asked last
  bool is_token_used_ = false;  // by one who is or was inside: who conflicts needs another
  bool is_joining_ = false;     // a newcomer enters what was kept
  Instant spare_at_ = Instant::never();
  Instant keep_until_ = Instant::never();
};

}  // namespace coterie::member
