// Mistakes that can be made with any requester and arbiter that live with leases (leasing.h).
#pragma once

#include "protocol/leasing.h"

namespace coterie::protocol::leasing::mutants {

template <class Requester>
class AsksNobodyNew : public Requester {
 public:
  using Requester::Requester;
  void up(NodeId arbiter) override { this->arbiters_.up(arbiter); }
};

template <class Requester>
class IgnoresTags : public Requester {
 public:
  using Requester::Requester;
  bool is_stale(NodeId from, Time /*tag*/) const override {
    return !this->arbiters_.has_asked(from);
  }
};

template <class Requester>
class EntersOverGap : public Requester {
 public:
  using Requester::Requester;

 protected:
  NodeSet fresh_voters(Number /*token*/) const override { return this->voters(); }
};

template <class Requester>
class AllowsNoLag : public Requester {
 public:
  using Requester::Requester;

 protected:
  NodeSet fresh_voters(Number token) const override {
    return Requester::fresh_voters(token + stride_of(this->setting()));
  }
};

template <class Requester>
class RepairsInTurn : public Requester {
 public:
  using Requester::Requester;
  Priority priority() const override { return {Rank::waiting, this->stamp_}; }
};

template <class Requester>
class NeverRepairs : public Requester {
 public:
  using Requester::Requester;

 protected:
  void settle() override {}
};

template <class Requester>
class HasNoSpare : public Requester {
 public:
  using Requester::Requester;
  void alarm(const NodeSet& /*prefer*/) override {}
};

template <class Arbiter>
class NotSilent : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void restart(Reader& durable) override {
    Arbiter::restart(durable);
    this->owed_.clear();
  }
};

template <class Arbiter>
class RestartsFromZero : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void restart(Reader& durable) override {
    Arbiter::restart(durable);
    this->number_ = 0;
  }
};

template <class Arbiter>
class RestartsWithoutStride : public Arbiter {
 public:
  using Arbiter::Arbiter;
  void restart(Reader& durable) override {
    Arbiter::restart(durable);
    this->number_ -= stride_of(this->setting());
  }
};

}  // namespace coterie::protocol::leasing::mutants
