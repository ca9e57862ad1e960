// Surrogate as it is printed, one difference from ours at a time.
#pragma once

#include "protocol/surrogate.h"

namespace coterie::protocol::surrogate::printed {

// What the printed actions do where ours assert, so that a mutant's fault shows in what it does.
class TrustsReleased : public Arbiter {  // N3 does not ask whose the lock is
 public:
  using Arbiter::Arbiter;
  using Arbiter::on;
  void on(NodeId from, const Released& message) override {
    if (message.stamp != message.leader || vote_.holds(message.leader)) Arbiter::on(from, message);
  }
};
class IgnoresStaleInvite : public Requester {  // section 5.2.1
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Invite& message) override {
    if (!is_stale(message.stamp)) Requester::on(from, message);
  }
};

// E1: N5 lists the request itself, and P6 does not ask whether it is inside already.
class ListsItself : public TrustsReleased {
 public:
  using TrustsReleased::TrustsReleased;

 protected:
  std::vector<Request> compatible() const override {
    std::vector<Request> all = Arbiter::compatible();
    all.insert(all.begin(), vote_.holder());
    return all;
  }
};
class FollowsItself : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Invite& message) override {
    if (message.stamp != message.leader) return Requester::on(from, message);
    send(quorum_, Cancel{message.stamp});
  }
};

// E2
class DropsInquire : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Inquire& message) override {
    if (failed_) Requester::on(from, message);
  }
};

// E3
class CountsRelinquished : public IgnoresStaleInvite {
 public:
  using IgnoresStaleInvite::IgnoresStaleInvite;

 protected:
  void relinquish(NodeId arbiter) override {
    Requester::relinquish(arbiter);
    locked_.insert(arbiter);
  }
};

// E4
class InquiresOnce : public Arbiter {
 public:
  using Arbiter::Arbiter;

  auto fields() { return std::tuple_cat(Arbiter::fields(), std::tie(inquired_)); }
  auto fields() const { return std::tuple_cat(Arbiter::fields(), std::tie(inquired_)); }

 protected:
  void inquire() override {
    if (inquired_.insert(vote_.holder().stamp).second) Arbiter::inquire();
  }

 private:
  Set<Stamp> inquired_;
};

// E5
class ComparesByEquality : public IgnoresStaleInvite {
 public:
  using IgnoresStaleInvite::IgnoresStaleInvite;

 protected:
  bool is_live(const Stamp& request, const Stale& stale) const override {
    return request.time != stale.latest(request.process);
  }
};

// E6: N1 cannot go on.
class TakesBestOfNothing : public Arbiter {
 public:
  using Arbiter::Arbiter;
  using Arbiter::on;
  void on(NodeId from, const Request& message) override {
    if (is_free() || !vote_.empty()) Arbiter::on(from, message);
  }
};

// C1
class WaitsForStepdown : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId, const Leave&) override {}
};

// C2
class ReleasesAtExit : public Requester {
 public:
  using Requester::Requester;

 protected:
  void leave_forum() override { close(); }
};

// C3
class NeverForwardsLater : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  void forward_deferred() override {}
};

// C4
class HeedsEveryStepdown : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Stepdown& message) override {
    if (open_door(message.leader) != nullptr) return step_down();
    Requester::on(from, message);
  }
};

// C5
class NamesOneConflict : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  std::vector<Stamp> conflicting() const override {
    std::vector<Stamp> all = Arbiter::conflicting();
    if (all.size() > 1) all.resize(1);
    return all;
  }
};

// C6
class InvitesTwice : public IgnoresStaleInvite {
 public:
  using IgnoresStaleInvite::IgnoresStaleInvite;

 protected:
  void invite(const Stamp& request, Group group) override {
    const std::optional<Door> before = forum_->door;
    Requester::invite(request, group);
    if (before) forum_->door->stale = before->stale;
  }
};

// M1
class IgnoresOtherGroups : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Forward& message) override {
    const Door* const door = open_door(message.leader);
    const bool is_other = door != nullptr && !message.request.groups.accepts(door->group);
    if (!is_other) Requester::on(from, message);
  }
};

}  // namespace coterie::protocol::surrogate::printed
