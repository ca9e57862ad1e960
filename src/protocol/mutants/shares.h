// Mistakes in Shares that a checker must see, one at a time.
#pragma once

#include "protocol/shares.h"

namespace coterie::protocol::shares::mutants {

class KeepsYieldedVote : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Inquire& message) override {
    const auto vote = votes_.find(from);
    const bool is_held = vote != votes_.end();
    const Number number = is_held ? vote->second : 0;
    const Group group = group_;
    Requester::on(from, message);
    if (phase_ != Phase::waiting || !is_held || is_stale(from, message.tag)) return;
    group_ = group;
    votes_.insert({from, number});
  }
};

class YieldsInside : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Inquire& message) override {
    Requester::on(from, message);
    if (phase_ == Phase::inside && votes_.contains(from) && !is_stale(from, message.tag))
      send(from, Yield{message.tag, 0});
  }
};

class ReleasesVotesOnly : public Requester {
 public:
  using Requester::Requester;

 protected:
  void release() override {
    const NodeSet granted = voters();
    for (NodeId arbiter = 0; arbiter < setting().processes; ++arbiter) {
      if (!granted.contains(arbiter)) asked_.erase(arbiter);
    }
    Requester::release();
  }
};

class LosesSilently : public Requester {
 public:
  using Requester::Requester;
  void lapse(NodeId arbiter) override {
    const NodeSet left = voters() - NodeSet::of(setting().processes, {arbiter});
    if (holds() && !setting().system().write().contains_quorum(left)) asked_.clear();
    Requester::lapse(arbiter);
  }
};

class DropsSuspects : public Requester {
 public:
  using Requester::Requester;
  void suspect(NodeId arbiter) override {
    asked_.erase(arbiter);
    votes_.erase(arbiter);
    raised_.erase(arbiter);
    Requester::suspect(arbiter);
  }
};

class AsksNobodyNew : public Requester {
 public:
  using Requester::Requester;
  void up(NodeId arbiter) override { reachable_.insert(arbiter); }
};

class IgnoresTags : public Requester {
 public:
  using Requester::Requester;
  bool is_stale(NodeId from, Time /*tag*/) const override { return !asked_.contains(from); }
};

class ReleasesWithoutToken : public Requester {
 public:
  using Requester::Requester;

 protected:
  void release() override {
    token_ = 0;
    Requester::release();
  }
};

class EntersOverGap : public Requester {
 public:
  using Requester::Requester;

 protected:
  NodeSet fresh_voters(Number /*token*/) const override { return voters(); }
};

class AllowsNoLag : public Requester {
 public:
  using Requester::Requester;

 protected:
  NodeSet fresh_voters(Number token) const override {
    return Requester::fresh_voters(token + stride_of(setting()));
  }
};

class RaisesLaggardsOnly : public Requester {
 public:
  using Requester::Requester;

 protected:
  void raise_to(Number highest) override {
    for (const NodeId arbiter : voters() - fresh_voters(highest)) yield(arbiter, highest);
  }
};

class RepairsInTurn : public Requester {
 public:
  using Requester::Requester;
  Priority priority() const override { return {Rank::waiting, stamp_}; }
};

class NeverRepairs : public Requester {
 public:
  using Requester::Requester;

 protected:
  void settle() override {}
};

class HasNoSpare : public Requester {
 public:
  using Requester::Requester;
  void alarm(const NodeSet& /*prefer*/) override {}
};

class NotSilent : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void restart(Reader& durable) override {
    Arbiter::restart(durable);
    owed_.clear();
  }
};

class ExpiresWithoutStride : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void expire(NodeId requester, Life life) override {
    const auto known = entries_.find({requester, life});
    if (known != entries_.end()) known->second.has_share = false;
    Arbiter::expire(requester, life);
  }
};

class RestartsFromZero : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void restart(Reader& durable) override {
    Arbiter::restart(durable);
    number_ = 0;
  }
};

class RestartsWithoutStride : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void restart(Reader& durable) override {
    Arbiter::restart(durable);
    number_ -= stride_of(setting());
  }
};

class DropsFormerLife : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void up(NodeId requester) override {
    Arbiter::up(requester);
    entries_.erase({requester, Life::former});
    pump();
  }
};

class InquiresOnce : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  void lock(NodeId requester, Entry& entry, bool is_wanted) override {
    const bool was_inquired = entry.is_inquired;
    Arbiter::lock(requester, entry, is_wanted);
    entry.is_inquired = was_inquired;
  }
};

class NeverInquires : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  bool should_inquire(const Entry& /*share*/) const override { return false; }
};

class AdmitsAll : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  bool may_join(const Entry& /*entry*/, const Entry* /*rival*/) const override { return true; }
};

}  // namespace coterie::protocol::shares::mutants
