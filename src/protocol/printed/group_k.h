// Group k-exclusion as printed, one difference at a time.
#pragma once

#include <algorithm>
#include <tuple>

#include "protocol/group_k.h"

namespace coterie::protocol::group_k::printed {

// C1
class GrantsTheCause : public Arbiter {
 public:
  using Arbiter::Arbiter;
  using Arbiter::on;
  void on(NodeId from, const Yield& message) override {
    const auto cause = std::exchange(cause_, {});
    if (!cause || vote_.find(*cause) == nullptr) return Arbiter::on(from, message);
    vote_.take_back();
    grant(*cause);
  }
  auto fields() { return std::tuple_cat(Arbiter::fields(), std::tie(cause_)); }
  auto fields() const { return std::tuple_cat(Arbiter::fields(), std::tie(cause_)); }

 protected:
  void preempt(const Stamp& better) override {
    if (!vote_.ask_back(better)) return;
    cause_ = better;
    const Stamp holder = vote_.holder().stamp;
    send(holder.process, Preempt{holder});
  }

 private:
  std::optional<Stamp> cause_;
};

// C2
class GrantsAtEveryRelease : public Arbiter {
 public:
  using Arbiter::Arbiter;
  using Arbiter::on;
  void on(NodeId from, const Release& message) override {
    const bool held = vote_.holds(message.stamp);
    Arbiter::on(from, message);
    const Request* next = best_candidate();
    if (held || next == nullptr) return;
    vote_.take_back();
    grant(next->stamp);
  }
  void on(NodeId from, const Yield& message) override {
    if (vote_.holds(message.stamp)) Arbiter::on(from, message);
  }
  void on(NodeId from, const Linger& message) override {
    if (vote_.holds(message.stamp)) Arbiter::on(from, message);
  }
};

// C3
class QueuesNoFollower : public Arbiter {
 public:
  using Arbiter::Arbiter;
  using Arbiter::on;
  void on(NodeId from, const Request& message) override {
    if (!registers_.contains(message.group)) return Arbiter::on(from, message);
    clock().see(message.stamp);
    tell_leader(message);
  }
  void on(NodeId from, const Release& message) override {
    if (vote_.find(message.stamp) != nullptr) Arbiter::on(from, message);
  }
};

// C4
class TakesAnyFollow : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Follow& message) override {
    const Stamp leader = leading_.empty() ? current_ : leading_.rbegin()->first;
    Requester::on(from, Follow{message.follower, leader});
  }
};

// C5. Without FAIL the competitor keeps its quorum: it waits in vain all the same.
class FailsCompetitors : public Arbiter {
 public:
  using Arbiter::Arbiter;
  using Arbiter::on;
  void on(NodeId from, const Compete& message) override {
    if (!registers_.contains(message.group)) return Arbiter::on(from, message);
    tell_leader({message.stamp, message.group});
  }
  void on(NodeId from, const Cancel& message) override {
    const bool is_registered =
        std::any_of(registers_.begin(), registers_.end(),
                    [&](const auto& entry) { return entry.second.find(message.stamp) != nullptr; });
    if (is_registered) Arbiter::on(from, message);
  }
};

// C6
class CountsProcesses : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId, const RRelease& message) override {
    const auto led = leading_.find(message.leader);
    if (led == leading_.end()) return;
    std::erase_if(led->second.followers, [&](const Stamp& follower) {
      return follower.process == message.follower.process;
    });
    if (led->second.followers.empty() && !is_inside(message.leader)) close(message.leader);
  }
};

// C7
class CancelsNothing : public Requester {
 public:
  using Requester::Requester;

 protected:
  void cancel() override {}
};

// C8. A WANTED that names a request which does not lead stands for NOTICE.
class SendsNotice : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  void tell_leader(const Request& request) override {
    Arbiter::tell_leader(request);
    if (registers_.contains(request.group)) {
      send(request.stamp.process, Wanted{request.stamp, std::nullopt});
    }
  }
};
class HeedsNotice : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Wanted& message) override {
    if (!is_competing(message.leader)) return Requester::on(from, message);
    send(asked_, Release{current_, false});
    asked_.clear();
  }
};

// C9
class LeadsAsFollower : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const RGrant& message) override {
    const Stamps pending = is_competing(message.follower) ? pending_ : Stamps{};
    Requester::on(from, message);
    for (const Stamp& follower : pending) let_in(follower);
  }
  void on(NodeId from, const Follow& message) override {
    if (!is_inside(message.leader) || !reference_) return Requester::on(from, message);
    if (!is_leaving_ && !is_out_) let_in(message.follower);
  }
  void on(NodeId from, const RRelease& message) override {
    if (leading_.contains(message.leader)) return Requester::on(from, message);
    followers_.erase(message.follower);
    if (!followers_.empty()) return;
    if (std::exchange(is_leaving_, false)) return Requester::exit();
    send(reference_->process, RRelease{current_, *reference_});
    is_out_ = true;
  }
  void exit() {
    if (!followers_.empty()) {
      is_leaving_ = true;
    } else if (std::exchange(is_out_, false)) {
      forget();
      exited();
    } else {
      Requester::exit();
    }
  }
  auto fields() {
    return std::tuple_cat(Requester::fields(), std::tie(followers_, is_leaving_, is_out_));
  }
  auto fields() const {
    return std::tuple_cat(Requester::fields(), std::tie(followers_, is_leaving_, is_out_));
  }

 private:
  void let_in(const Stamp& follower) {
    if (followers_.insert(follower).second) send(follower.process, RGrant{follower, current_});
  }

  Stamps followers_;         // let in by us, who follow another
  bool is_leaving_ = false;  // when they have left
  bool is_out_ = false;      // our leader was told that we left, and we are inside
};

// C10
class OverlooksGranted : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  bool is_met(const Request& request, const Compete& by) const override {
    return !vote_.holds(request.stamp) && Arbiter::is_met(request, by);
  }
};

// C11
class ClearsAtExit : public Requester {
 public:
  using Requester::Requester;

 protected:
  void leave_forum(Leading::value_type& led) override {
    if (led.second.followers.empty()) return close(led.first);
    send(led.second.registrars, Clear{led.first});
    led.second.registrars.clear();
  }
  void close(const Stamp& leader) override {
    const Forum& forum = leading_.at(leader);
    if (!forum.registrars.empty()) return Requester::close(leader);
    send(forum.quorum, Release{leader, false});
    leading_.erase(leader);
  }
};

// C12
class YieldsInWaitSection : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Preempt& message) override {
    if (!is_competing(message.stamp) || !asked_.contains(from)) return Requester::on(from, message);
    asked_.erase(from);
    send(from, Yield{current_});
  }
};

// With C3, what one who is alone, or joins its group, sends as printed: CLEAR apart from RELEASE.
class ClearsApart : public Requester {
 public:
  using Requester::Requester;

 protected:
  void close(const Stamp& leader) override {
    const auto led = leading_.find(leader);
    const Forum forum = std::move(led->second);
    leading_.erase(led);
    send(forum.quorum, Release{leader, false});
    send(forum.registrars, Clear{leader});
  }
};

}  // namespace coterie::protocol::group_k::printed
