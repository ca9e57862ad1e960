// expect_family_agrees: one family against its enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/random.h"
#include "coterie/analysis.h"
#include "quorum/cost.h"
#include "quorum/reference.h"
#include "sanitized.h"

namespace coterie::quorum::reference {
namespace {

// Sanitizers look for faults, which a few sets bring out; whether numbers are right is for the ordinary
// build to say, which is ten times as fast.
constexpr std::size_t kMaxExhaustive = kIsSanitized ? 6 : kMaxTableMembers;
constexpr std::size_t kMaxRandomSets = kIsSanitized ? 50 : 1'000'000;
constexpr std::size_t kRounds = 4;  // of costs, where every set is looked at

constexpr double kTolerance = 1e-9;
constexpr std::uint64_t kSeed = 20240229;

std::string text(const NodeSet& set) {
  std::string members = "{";
  for (const NodeId member : set) {
    if (members.size() > 1) members += ',';
    members += std::to_string(member);
  }
  return members + "}";
}

Cost total(const NodeSet& set, Costs costs) {
  Cost sum = 0;
  for (const NodeId member : set) sum += cost_of(costs, member);
  return sum;
}

// Few different values and some zeros, so that ties and free members are met; or anything at all.
std::vector<Cost> random_costs(std::size_t n, Cost bound, Random& random) {
  std::vector<Cost> costs(n);
  for (Cost& cost : costs) cost = random.below(bound + 1);
  return costs;
}

class Agreement {
 public:
  Agreement(const Family& family, const Options& options)
      : family_(family),
        options_(options),
        n_(family.n()),
        exhaustive_(n_ <= std::min(options.exhaustive_up_to, kMaxExhaustive)),
        list_(quorums(family)),
        known_(list_.begin(), list_.end()) {
    const std::size_t rounds = exhaustive_ ? kRounds : 1;
    for (std::size_t i = 0; i < rounds; ++i) {
      for (const Cost bound : {Cost{3}, kMaxCost}) {
        costs_.push_back(random_costs(n_, bound, random_));
      }
    }
    if (n_ > kMaxTableMembers) return;
    table_.emplace(n_, list_);
    for (const auto& costs : costs_) cheapest_.push_back(table_->cheapest(costs));
  }

  void run() {
    enumeration();
    if (!::testing::Test::HasFailure()) sets();
    if (!::testing::Test::HasFailure()) homes();
    if (!table_) return;
    for (const auto& up : probabilities()) {
      if (!::testing::Test::HasFailure()) chances(up);
    }
    if (!::testing::Test::HasFailure()) blockers();
  }

 private:
  void enumeration() {
    ASSERT_FALSE(list_.empty()) << "no quorums are enumerated";
    EXPECT_EQ(known_.size(), list_.size()) << "a quorum is enumerated twice";
    std::size_t least = n_;
    std::size_t most = 0;
    for (const NodeSet& quorum : list_) {
      ASSERT_EQ(quorum.universe(), n_);
      least = std::min(least, quorum.size());
      most = std::max(most, quorum.size());
      ASSERT_TRUE(family_.contains_quorum(quorum)) << text(quorum);
      for (const NodeId member : quorum) {
        NodeSet smaller = quorum;
        smaller.erase(member);
        ASSERT_FALSE(options_.minimal && family_.contains_quorum(smaller))
            << text(quorum) << " is enumerated and not minimal: " << member << " can go";
      }
    }
    EXPECT_EQ(family_.min_size(), least);
    EXPECT_EQ(family_.max_size(), most);
    if (table_ && options_.with_own_k) {
      EXPECT_EQ(family_.k(), table_->k());
    }
    EXPECT_EQ(family_.greatest_cost({}), most);
    for (const auto& costs : costs_) {
      Cost greatest = 0;
      for (const NodeSet& quorum : list_) greatest = std::max(greatest, total(quorum, costs));
      EXPECT_EQ(family_.greatest_cost(costs), greatest) << "greatest_cost";
    }
    enumeration_stops();
  }

  void enumeration_stops() {
    std::size_t visits = 0;
    const bool all = family_.for_each_quorum([&](const NodeSet& quorum) {
      EXPECT_EQ(quorum, list_[visits]) << "a second enumeration goes another way";
      return ++visits < (list_.size() + 1) / 2;
    });
    if (list_.size() == 1) return;  // stopped at the last: both answers are right
    EXPECT_FALSE(all) << "enumeration claims to be complete though it was stopped";
    EXPECT_EQ(visits, (list_.size() + 1) / 2) << "enumeration goes on after it was stopped";
    EXPECT_TRUE(family_.for_each_quorum([](const NodeSet&) { return true; }));
  }

  void sets() {
    one_set(NodeSet(n_));
    one_set(NodeSet::all(n_));
    if (exhaustive_) {
      for (Mask set = 0; set < Mask{1} << n_; ++set) {
        if (::testing::Test::HasFailure()) return;
        one_set(set_of(set, n_));
      }
      return;
    }
    for (std::size_t i = 0; i < std::min(options_.random_sets, kMaxRandomSets); ++i) {
      if (::testing::Test::HasFailure()) return;
      const double p = random_.uniform();
      NodeSet set(n_);
      for (NodeId member = 0; member < n_; ++member) {
        if (random_.chance(p)) set.insert(member);
      }
      one_set(set);
    }
  }

  void one_set(const NodeSet& set) {
    SCOPED_TRACE("available: " + text(set));
    const bool expected = table_ ? table_->contains(mask_of(set)) : listed_inside(set);
    EXPECT_EQ(family_.contains_quorum(set), expected);
    choice(set, {}, expected, table_ && expected ? table_->smallest(mask_of(set)) : least(set, {}));
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      choice(set, costs_[i], expected, table_ ? cheapest_[i][mask_of(set)] : least(set, costs_[i]));
    }
    if (table_) packings(set);
  }

  bool listed_inside(const NodeSet& set) const {
    return std::any_of(list_.begin(), list_.end(),
                       [&](const NodeSet& quorum) { return quorum.is_subset_of(set); });
  }

  Cost least(const NodeSet& set, Costs costs) const {
    Cost best = Table::kNoCost;
    for (const NodeSet& quorum : list_) {
      if (quorum.is_subset_of(set)) best = std::min(best, total(quorum, costs));
    }
    return best;
  }

  void choice(const NodeSet& set, Costs costs, bool expected, Cost least_cost) {
    const std::optional<NodeSet> found = family_.find_quorum(set, costs);
    ASSERT_EQ(found.has_value(), expected) << "find_quorum, costs: " << !costs.empty();
    if (!found) return;
    EXPECT_TRUE(found->is_subset_of(set)) << text(*found) << " is not available";
    EXPECT_TRUE(known_.contains(*found)) << text(*found) << " is not a quorum as enumerated";
    EXPECT_EQ(total(*found, costs), least_cost)
        << text(*found) << " is not a cheapest quorum, costs: " << !costs.empty();
  }

  void packings(const NodeSet& set) {
    const std::size_t most = table_->packing(mask_of(set));
    for (std::size_t h = 0; h <= family_.k() + 1; ++h) {
      SCOPED_TRACE("h = " + std::to_string(h));
      Budget budget;
      const Packing packing = family_.find_disjoint(set, h, budget);
      if (!options_.decided && packing.found == Verdict::not_decided) continue;
      ASSERT_EQ(packing.found, h <= most ? Verdict::yes : Verdict::no) << "most: " << most;
      if (packing.found == Verdict::no) continue;
      EXPECT_EQ(packing.quorums.size(), h);
      NodeSet left = set;
      for (const NodeSet& quorum : packing.quorums) {
        EXPECT_TRUE(known_.contains(quorum)) << text(quorum) << " is not a quorum as enumerated";
        EXPECT_TRUE(quorum.is_subset_of(left)) << text(quorum) << " is not inside or not disjoint";
        left -= quorum;
      }
    }
    sparing(set, most);
  }

  void sparing(const NodeSet& set, std::size_t most) {
    Budget budget;
    const std::optional<NodeSet> quorum = family_.find_sparing_quorum(set, budget);
    ASSERT_EQ(quorum.has_value(), most > 0);
    if (!quorum || !options_.decided) return;
    EXPECT_TRUE(quorum->is_subset_of(set));
    EXPECT_EQ(table_->packing(mask_of(set - *quorum)), most - 1)
        << text(*quorum) << " spares too little";
  }

  void homes() {
    std::vector<NodeSet> clients(n_, NodeSet(n_));
    for (NodeId member = 0; member < n_; ++member) {
      const NodeSet home = family_.home_quorum(member);
      EXPECT_TRUE(known_.contains(home)) << "home of " << member << ": " << text(home);
      for (const NodeId node : home) clients[node].insert(member);
    }
    for (NodeId node = 0; node < n_; ++node) {
      EXPECT_EQ(text(family_.clients_of(node)), text(clients[node])) << "clients of " << node;
    }
  }

  std::vector<std::vector<double>> probabilities() {
    std::vector<std::vector<double>> all;
    all.emplace_back(n_, 0.9);
    all.emplace_back(n_);
    for (double& p : all.back()) p = random_.uniform();
    if (kIsSanitized) return all;
    all.push_back(all.back());
    all.back()[random_.below(n_)] = 0;
    all.back()[random_.below(n_)] = 1;
    for (const double p : {0.0, 0.25, 1.0}) all.emplace_back(n_, p);
    return all;
  }

  void chances(Up up) {
    std::string trace = "up:";
    for (const double p : up) trace += " " + std::to_string(p);
    SCOPED_TRACE(trace);
    const std::vector<double> expected = table_->availability(up);
    for (std::size_t h = 0; h <= family_.k() + 1; ++h) {
      Budget budget;
      const std::optional<double> own = family_.availability(h, up, budget);
      if (!own) continue;
      EXPECT_NEAR(*own, h < expected.size() ? expected[h] : 0, kTolerance) << "h = " << h;
    }
    own_sizes(up);
    analysis(up, expected);
  }

  void own_sizes(Up up) {
    Budget budget;
    const auto own = family_.size_distribution(up, budget);
    if (!own) return;
    const std::vector<double> sizes = table_->size_distribution(up);
    for (std::size_t s = 0; s < std::max(sizes.size(), own->size()); ++s) {
      EXPECT_NEAR(s < own->size() ? (*own)[s] : 0, s < sizes.size() ? sizes[s] : 0, kTolerance)
          << "probability of size " << s;
    }
  }

  // With or without a recursion of its own, a family this small is analysed exactly.
  void analysis(Up up, const std::vector<double>& expected) {
    const std::vector<Estimate> found = availability(family_, up);
    ASSERT_EQ(found.size(), family_.k());
    for (std::size_t h = 1; h <= family_.k(); ++h) {
      EXPECT_NE(found[h - 1].method, Method::sampling) << "h = " << h;
      EXPECT_NEAR(found[h - 1].value, h < expected.size() ? expected[h] : 0, kTolerance)
          << "h = " << h << ", by " << name(found[h - 1].method);
    }
    const std::optional<Estimate> size = expected_size(family_, up);
    const std::vector<double> sizes = table_->size_distribution(up);
    double sum = 0;
    for (std::size_t s = 0; s < sizes.size(); ++s) sum += sizes[s] * static_cast<double>(s);
    // Given that there is a quorum; where there hardly ever is one, quotients say nothing.
    if (expected[1] < kTolerance) return;
    ASSERT_TRUE(size.has_value());
    EXPECT_NEAR(size->value * expected[1], sum, kTolerance) << "by " << name(size->method);
  }

  void blockers() {
    const std::vector<Cost> ones(n_, 1);
    for (const Costs costs : {Costs{}, Costs(ones), Costs(costs_.front()), Costs(costs_.back())}) {
      Budget budget;
      const std::optional<Cost> own = family_.cheapest_blocker(costs, budget);
      if (!own && !options_.decided) continue;
      ASSERT_TRUE(own.has_value()) << "cheapest_blocker was not decided";
      EXPECT_EQ(*own, table_->cheapest_blocker(costs)) << "cheapest_blocker";
    }
  }

  const Family& family_;
  const Options& options_;
  std::size_t n_;
  bool exhaustive_;  // all sets of members, not just some
  std::vector<NodeSet> list_;
  std::set<NodeSet> known_;
  Random random_{kSeed};
  std::vector<std::vector<Cost>> costs_;
  std::optional<Table> table_;
  std::vector<std::vector<Cost>> cheapest_;  // one per costs
};

}  // namespace

void expect_family_agrees(const Family& family, const Options& options) {
  Agreement(family, options).run();
}

void expect_system_agrees(const System& system, const Options& options) {
  SCOPED_TRACE(system.spec());
  for (std::size_t i = 0; i < system.family_count(); ++i) {
    SCOPED_TRACE("family " + std::to_string(i));
    expect_family_agrees(system.family(i), options);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace coterie::quorum::reference
