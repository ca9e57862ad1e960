// Mistakes in Shares that a checker must see, one at a time.
#pragma once

#include "protocol/mutants/leasing.h"
#include "protocol/shares.h"

namespace coterie::protocol::shares::mutants {

using AsksNobodyNew = leasing::mutants::AsksNobodyNew<Requester>;
using IgnoresTags = leasing::mutants::IgnoresTags<Requester>;
using EntersOverGap = leasing::mutants::EntersOverGap<Requester>;
using AllowsNoLag = leasing::mutants::AllowsNoLag<Requester>;
using RepairsInTurn = leasing::mutants::RepairsInTurn<Requester>;
using NeverRepairs = leasing::mutants::NeverRepairs<Requester>;
using HasNoSpare = leasing::mutants::HasNoSpare<Requester>;
using NotSilent = leasing::mutants::NotSilent<Arbiter>;
using RestartsFromZero = leasing::mutants::RestartsFromZero<Arbiter>;
using RestartsWithoutStride = leasing::mutants::RestartsWithoutStride<Arbiter>;

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
      if (!granted.contains(arbiter)) arbiters_.drop(arbiter);
    }
    Requester::release();
  }
};

class LosesSilently : public Requester {
 public:
  using Requester::Requester;
  void lapse(NodeId arbiter) override {
    const NodeSet left = voters() - NodeSet::of(setting().processes, {arbiter});
    if (holds() && !setting().system().write().contains_quorum(left)) arbiters_.drop_all();
    Requester::lapse(arbiter);
  }
};

class DropsSuspects : public Requester {
 public:
  using Requester::Requester;
  void suspect(NodeId arbiter) override {
    arbiters_.drop(arbiter);
    votes_.erase(arbiter);
    raised_.erase(arbiter);
    Requester::suspect(arbiter);
  }
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

class RaisesLaggardsOnly : public Requester {
 public:
  using Requester::Requester;

 protected:
  void raise_to(Number highest) override {
    for (const NodeId arbiter : voters() - fresh_voters(highest)) yield(arbiter, highest);
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

class ReopensInPlace : public Requester {
 public:
  using Requester::Requester;

 protected:
  void reopen() override { settle_for(wishes_); }
};

}  // namespace coterie::protocol::shares::mutants
