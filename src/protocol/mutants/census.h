// Mistakes in Census that a checker must see, one at a time.
#pragma once

#include "protocol/census.h"
#include "protocol/mutants/leasing.h"

namespace coterie::protocol::census::mutants {

// A record of a friend may be of one who is gone.
class TrustsFriends : public Requester {
 public:
  using Requester::Requester;

 protected:
  bool has_room() const override {
    for (const auto& [who, guest] : seen()) {
      if (guest.group == wishes_.front()) return true;
    }
    return Requester::has_room();
  }
};

class RecordsRepair : public Requester {
 public:
  using Requester::Requester;

 protected:
  void repair(NodeId arbiter) override { record(arbiter); }
};

class CountsLapsedHolds : public Requester {
 public:
  using Requester::Requester;
  void lapse(NodeId arbiter) override {
    const NodeSet held = holds_;
    holds_ = setting().everyone();
    Requester::lapse(arbiter);
    holds_ = held;
  }
};

class LeavesByAnyQuorum : public Requester {
 public:
  using Requester::Requester;

 protected:
  NodeSet must_agree() const override { return setting().none(); }
};

class ForgetsAtLapse : public Requester {
 public:
  using Requester::Requester;

 protected:
  NodeSet must_agree() const override { return holds_; }
};

class ForgetsWhenLost : public Requester {
 public:
  using Requester::Requester;

 protected:
  void lose() override {
    Requester::lose();
    echoes_.clear();
  }
};

class KeepsView : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Preempt& message) override {
    if (votes_.contains(from)) yielded_.insert_or_assign(from, votes_[from].census);
    Requester::on(from, message);
  }
  Census seen() const override {
    Census seen = Requester::seen();
    for (const auto& [arbiter, census] : yielded_) seen.insert(census.begin(), census.end());
    seen.erase({self(), Life::present});
    return seen;
  }

  COTERIE_FIELDS(phase_, stamp_, wishes_, group_, arbiters_, votes_, holds_, echoes_, token_,
                 lasts_, stands_in_, is_shown_, gathers_, yielded_)

 protected:
  void withdraw() override {
    Requester::withdraw();
    yielded_.clear();
  }

 private:
  Map<NodeId, Census> yielded_;
};

// While it waits for room, or for others to come, with the votes of a quorum.
class KeepsVotes : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Preempt& message) override {
    if (!has_quorum(voters())) Requester::on(from, message);
  }
};

class TriesNotAtLapse : public Requester {
 public:
  using Requester::Requester;

 protected:
  void view_is_gone() override {}
};

class LosesSilently : public Requester {
 public:
  using Requester::Requester;

 protected:
  void lose() override {
    holds_.clear();
    Requester::lose();
  }
};

class NeverWithdraws : public Requester {
 public:
  using Requester::Requester;

 protected:
  void withdraw() override {
    arbiters_.drop_all();
    votes_.clear();
  }
};

class OneVote : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  Way vote_for(Way /*way*/) const override { return Way::in; }
};

class NeverUpdates : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  void tell(const Key& /*about*/, bool /*is_gone*/) override {}
};

// Its next life may wait for that.
class TellsNotOfFormerLives : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  void tell(const Key& about, bool is_gone) override {
    if (about.second == Life::present) Arbiter::tell(about, is_gone);
  }
};

class NeverPreempts : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  bool should_preempt(const Entry& /*holder*/, const Entry& /*rival*/) const override {
    return false;
  }
};

class KeepsRecords : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void expire(NodeId requester, Life life) override {
    const Census before = census_;
    Arbiter::expire(requester, life);
    census_ = before;
  }
};

class ExpiresWithoutStride : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void expire(NodeId requester, Life life) override {
    const auto known = entries_.find({requester, life});
    if (known != entries_.end()) known->second.has_vote = false;
    Arbiter::expire(requester, life);
  }
};

class DropsFormerLife : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void up(NodeId requester) override {
    Arbiter::up(requester);
    entries_.erase({requester, Life::former});
    remove({requester, Life::former});
    pump();
  }
};

}  // namespace coterie::protocol::census::mutants
