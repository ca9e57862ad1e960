// Weighted voting (Gifford 1979): members have votes, a quorum reaches the threshold, and the
// threshold is more than half of all votes. A quorum is minimal: without any one of its members it
// falls short; that is so if it does without its lightest one.
//
// Choosing a cheapest quorum is a knapsack, solved by a table over votes; so is every other answer.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/assert.h"
#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/limits.h"
#include "quorum/list_text.h"

namespace coterie::quorum {
namespace {

constexpr std::size_t kMaxVotes = 20'000;  // in all: tables have an entry per vote
constexpr std::size_t kMaxVoters = 2'000;  // and a row per member
constexpr Cost kUnreachable = std::numeric_limits<Cost>::max();

class Weighted final : public Family {
 public:
  Weighted(std::vector<std::size_t> votes, std::size_t threshold)
      : Family(votes.size(), 1),
        votes_(std::move(votes)),
        threshold_(threshold),
        total_(std::accumulate(votes_.begin(), votes_.end(), std::size_t{0})),
        heaviest_first_(n()) {
    std::iota(heaviest_first_.begin(), heaviest_first_.end(), NodeId{0});
    std::stable_sort(heaviest_first_.begin(), heaviest_first_.end(),
                     [&](NodeId a, NodeId b) { return votes_[a] > votes_[b]; });
    min_size_ = find_heaviest(NodeSet::all(n()))->size();
    const Survey survey = survey_minimal_quorums({});
    max_size_ = survey.greatest;
    // A set could be added if neither it nor its complement reaches the threshold.
    for (std::size_t v = total_ - threshold_ + 1; v < threshold_; ++v) {
      dominated_ = dominated_ || survey.short_of_it[v].has_value();
    }
  }

  std::size_t min_size() const override { return min_size_; }
  std::size_t max_size() const override { return max_size_; }
  Claims claims() const override {
    const bool alike = votes_[heaviest_first_.front()] == votes_[heaviest_first_.back()];
    return {.is_k_coterie = true, .nondominated = !dominated_, .transitive = alike};
  }

  bool contains_quorum(const NodeSet& set) const override {
    std::size_t sum = 0;
    for (const NodeId member : set) sum += votes_[member];
    return sum >= threshold_;
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    return costs.empty() ? find_heaviest(available) : find_cheapest(available, costs, threshold_);
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    return find_at_most_one(*this, available, h);
  }

  bool for_each_quorum(const Visit& visit) const override {
    std::vector<std::size_t> votes_from(n() + 1, 0);  // of heaviest_first_[i] and all after it
    for (std::size_t i = n(); i > 0; --i) {
      votes_from[i - 1] = votes_from[i] + votes_[heaviest_first_[i - 1]];
    }
    NodeSet chosen(n());
    return extend(0, 0, votes_from, chosen, visit);
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    if (h != 1) return h == 0 ? 1 : 0;
    if (!budget.spend(n() * threshold_)) return std::nullopt;
    std::vector<double> exactly(threshold_, 0.0);  // P(these votes are up), short of the threshold
    exactly[0] = 1;
    double reached = 0;
    for (NodeId member = 0; member < n(); ++member) {
      const std::size_t votes = votes_[member];
      if (votes == 0) continue;
      for (std::size_t v = threshold_; v-- > 0;) {
        const double moving = exactly[v] * up[member];
        exactly[v] -= moving;
        (v + votes >= threshold_ ? reached : exactly[v + votes]) += moving;
      }
    }
    return reached;
  }

  // A smallest quorum takes the heaviest members that are up, until the threshold is reached.
  std::optional<std::vector<double>> size_distribution(Up up, Budget& budget) const override {
    if (!budget.spend(n() * threshold_ * max_size_)) return std::nullopt;
    std::vector<double> sizes(max_size_ + 1, 0.0);
    // taken[s][v]: P(s members with v votes in all were up so far), short of the threshold
    std::vector<std::vector<double>> taken(max_size_, std::vector<double>(threshold_, 0.0));
    taken[0][0] = 1;
    for (const NodeId member : heaviest_first_) {
      const std::size_t votes = votes_[member];
      if (votes == 0) break;
      for (std::size_t s = max_size_; s-- > 0;) {
        for (std::size_t v = threshold_; v-- > 0;) {
          const double moving = taken[s][v] * up[member];
          if (moving == 0) continue;
          taken[s][v] -= moving;
          if (v + votes >= threshold_) {
            sizes[s + 1] += moving;
          } else if (s + 1 < max_size_) {  // else no quorum is left to be reached
            taken[s + 1][v + votes] += moving;
          }
        }
      }
    }
    return sizes;
  }

  // A table with a row per member and a column per vote.
  std::uint64_t question_steps() const override { return n() * threshold_; }

  // Those left must fall short of the threshold.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& budget) const override {
    if (!budget.spend(question_steps())) return std::nullopt;
    const std::vector<Cost> ones(costs.empty() ? n() : 0, 1);
    const Costs given = costs.empty() ? Costs(ones) : costs;
    return total_cost(*find_cheapest(NodeSet::all(n()), given, total_ - threshold_ + 1), given);
  }

  Cost greatest_cost(Costs costs) const override { return survey_minimal_quorums(costs).greatest; }

 private:
  std::optional<NodeSet> find_heaviest(const NodeSet& available) const {
    NodeSet quorum(n());
    std::size_t sum = 0;
    for (const NodeId member : heaviest_first_) {
      if (sum >= threshold_) break;
      if (!available.contains(member)) continue;
      quorum.insert(member);
      sum += votes_[member];
    }
    if (sum < threshold_) return std::nullopt;
    return quorum;
  }

  // The knapsack: least cost to reach `goal` votes, with what was taken to get there.
  std::optional<NodeSet> find_cheapest(const NodeSet& available, Costs costs,
                                       std::size_t goal) const {
    std::vector<Cost> least(goal + 1, kUnreachable);  // to have at least so many votes
    least[0] = 0;
    std::vector<NodeId> members;
    for (const NodeId member : available) {
      if (votes_[member] > 0) members.push_back(member);
    }
    std::vector<std::vector<bool>> took(members.size(), std::vector<bool>(goal + 1, false));
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t votes = votes_[members[i]];
      for (std::size_t v = goal; v > 0; --v) {
        const Cost before = least[v - std::min(v, votes)];
        if (before == kUnreachable) continue;
        const Cost with = before + costs[members[i]];
        if (with < least[v]) {
          least[v] = with;
          took[i][v] = true;
        }
      }
    }
    if (least[goal] == kUnreachable) return std::nullopt;
    NodeSet chosen(n());
    std::size_t sum = 0;
    for (std::size_t i = members.size(), v = goal; i-- > 0;) {
      if (!took[i][v]) continue;
      chosen.insert(members[i]);
      sum += votes_[members[i]];
      v -= std::min(v, votes_[members[i]]);
    }
    drop_unneeded(chosen, sum, goal);
    return chosen;
  }

  // Members that cost nothing may have been taken for nothing. What cannot be dropped now cannot be
  // dropped later, when fewer are left: one pass is enough.
  void drop_unneeded(NodeSet& chosen, std::size_t sum, std::size_t goal) const {
    for (const NodeId member : heaviest_first_) {
      if (!chosen.contains(member) || sum - votes_[member] < goal) continue;
      chosen.erase(member);
      sum -= votes_[member];
    }
  }

  struct Survey {
    Cost greatest = 0;                             // of a minimal quorum
    std::vector<std::optional<Cost>> short_of_it;  // of members with so many votes; nothing: none
  };

  // Minimal quorums are those that fall short without their lightest member: with members taken from
  // the heaviest on, the last one taken crosses the threshold.
  Survey survey_minimal_quorums(Costs costs) const {
    Survey survey{.short_of_it = std::vector<std::optional<Cost>>(threshold_)};
    auto& most = survey.short_of_it;
    most[0] = 0;
    for (const NodeId member : heaviest_first_) {
      const std::size_t votes = votes_[member];
      if (votes == 0) break;
      for (std::size_t v = threshold_; v-- > 0;) {
        if (!most[v]) continue;
        const Cost with = *most[v] + cost_of(costs, member);
        if (v + votes >= threshold_) {
          survey.greatest = std::max(survey.greatest, with);
        } else {
          most[v + votes] = std::max(most[v + votes].value_or(0), with);
        }
      }
    }
    return survey;
  }

  bool extend(std::size_t i, std::size_t sum, const std::vector<std::size_t>& votes_from,
              NodeSet& chosen, const Visit& visit) const {
    for (; i < n() && sum + votes_from[i] >= threshold_; ++i) {
      const NodeId member = heaviest_first_[i];
      chosen.insert(member);
      const bool go_on = sum + votes_[member] >= threshold_
                             ? visit(chosen)
                             : extend(i + 1, sum + votes_[member], votes_from, chosen, visit);
      chosen.erase(member);
      if (!go_on) return false;
    }
    return true;
  }

  std::vector<std::size_t> votes_;
  std::size_t threshold_;
  std::size_t total_;
  std::vector<NodeId> heaviest_first_;
  std::size_t min_size_ = 0;
  std::size_t max_size_ = 0;
  bool dominated_ = false;
};

}  // namespace

Result<System> weighted(std::span<const std::size_t> votes, std::size_t threshold) {
  if (auto error = outside("votes", votes.size(), 1, kMaxVoters)) {
    error->message =
        fmt::format("votes must be of 1 to {} members, not {}", kMaxVoters, votes.size());
    return std::move(*error);
  }
  std::size_t total = 0;
  for (const std::size_t vote : votes)
    total = std::min(kMaxVotes, total) + std::min(kMaxVotes, vote);
  if (total == 0 || total > kMaxVotes) {
    return Error{.message = total == 0 ? std::string("nobody has a vote: at least one must")
                                       : fmt::format("there may be {} votes in all", kMaxVotes),
                 .parameter = "votes",
                 .position = {},
                 .nearest = {}};
  }
  const std::size_t more_than_half = total / 2 + 1;
  const std::string given = fmt::format("weighted:votes={}", print_list(votes));
  if (threshold != 0 && (threshold < more_than_half || threshold > total)) {
    return Error{
        .message = fmt::format("of {} votes a threshold must be more than half and not more "
                               "than all: from {} to {}, not {}",
                               total, more_than_half, total, threshold),
        .parameter = "threshold",
        .position = {},
        .nearest = threshold > total ? fmt::format("{},threshold={}", given, total) : given};
  }
  const bool by_default = threshold == 0 || threshold == more_than_half;
  return System(Kind::coterie,
                by_default ? given : fmt::format("{},threshold={}", given, threshold),
                {std::make_shared<Weighted>(std::vector<std::size_t>(votes.begin(), votes.end()),
                                            by_default ? more_than_half : threshold)});
}

}  // namespace coterie::quorum
