// Census: what the votes that one has tell it.
#include <algorithm>
#include <set>

#include "protocol/census.h"

namespace coterie::protocol::census {

NodeSet Requester::voters() const {
  NodeSet set = setting().none();
  for (const auto& [arbiter, vote] : votes_) set.insert(arbiter);
  return set;
}

NodeSet Requester::fresh_voters(Number token) const {
  NodeSet fresh = setting().none();
  for (const auto& [arbiter, vote] : votes_) {
    if (vote.number + stride_of(setting()) >= token) fresh.insert(arbiter);
  }
  return fresh;
}

bool Requester::has_quorum(const NodeSet& arbiters) const {
  return setting().system().write().contains_quorum(arbiters);
}

// Each record may be another arbiter's, so that one counts who is named by any; but oneself. Who is confirmed may have
// told some of them only.
Census Requester::seen() const {
  Census seen;
  for (const auto& [arbiter, vote] : votes_) {
    for (const auto& [who, guest] : vote.census) {
      const auto [known, is_new] = seen.insert({who, guest});
      known->second.is_shown = known->second.is_shown && guest.is_shown;
    }
  }
  for (const auto& [arbiter, vote] : votes_) {
    for (const auto& [who, guest] : vote.census) {
      if (guest.group == kGone) seen.erase(who);
    }
  }
  seen.erase({self(), Life::present});
  return seen;
}

// The clients of a life that has crashed may still be inside: each life counts. One who has gone and come again may be
// recorded by its former group at some arbiters, and by its new one at others: both count.
Count Requester::count() const {
  const Census others = seen();
  Count count{
      others.size(), {}, terms().max, problem_of(setting().version) == spec::Problem::rooms};
  for (const auto& [arbiter, vote] : votes_) {
    for (const auto& [who, guest] : vote.census) {
      if (others.contains(who)) count.groups.insert(guest.group);
    }
  }
  return count;
}

void Count::add(Group group) {
  ++inside;
  groups.insert(group);
}

// In rooms one that is inside, if there is; or one more. Elsewhere one who has a name of its own, as a group, waits
// until what is recorded under that name has gone.
std::optional<Group> Count::room_for(const Groups& wishes) const {
  if (!is_of_groups)
    return inside < most && !is_named(wishes.front()) ? std::optional(wishes.front())
                                                      : std::nullopt;
  if (groups.size() <= most) {
    for (const Group group : wishes) {
      if (groups.contains(group)) return group;
    }
  }
  return groups.size() < most ? std::optional(wishes.front()) : std::nullopt;
}

// Of the greatest version, as far as the votes tell. Once armed, a floor is so for good.
Terms Requester::terms() const {
  Terms terms{0, setting().min, setting().max, false};
  bool is_armed = false;
  for (const auto& [arbiter, vote] : votes_) {
    if (vote.terms.version >= terms.version) terms = vote.terms;
    is_armed = is_armed || vote.terms.is_armed;
  }
  terms.is_armed = is_armed;
  return terms;
}

bool Requester::has_room() const { return count().room_for(wishes_).has_value(); }

// The lead has counted also what is left of our own former records: we wait for those as for others'.
std::optional<Group> Requester::room_beside(const Party& party) const {
  return party.count.room_for(wishes_);
}

bool Requester::is_namesake() const {
  if (phase_ != Phase::entering || gathers_ || !has_quorum(voters())) return false;
  const Count others = count();
  return !others.is_of_groups && others.inside < others.most && others.is_named(wishes_.front());
}

bool Requester::is_counting() const {
  if (!is_waiting() || !has_quorum(voters())) return false;
  return phase_ == Phase::entering || must_agree().is_subset_of(voters());
}

NodeSet Requester::awaited() const {
  return phase_ == Phase::leaving ? must_agree() - voters() : setting().none();
}

// Those who are inside for sure, by name, if they have one.
std::size_t Requester::count_others() const {
  std::set<std::pair<Group, NodeId>> others;
  for (const auto& [who, guest] : seen()) {
    if (!guest.is_shown) others.insert({guest.group, guest.group == 0 ? who.first : 0});
  }
  others.erase({group_, group_ == 0 ? self() : 0});
  return others.size();
}

// Something else is recorded under our name than the hold for which we stand in: perhaps by a member that our client has left.
bool Requester::has_namesake() const {
  if (group_ == 0) return false;
  const Census others = seen();
  return std::any_of(votes_.begin(), votes_.end(), [&](const auto& voted) {
    const Census& census = voted.second.census;
    return std::any_of(census.begin(), census.end(), [&](const auto& record) {
      const auto& [who, guest] = record;
      const bool is_own = stands_in_ && who.first >= kFirstLasting;
      return guest.group == group_ && !is_own && others.contains(who);
    });
  });
}

// While something is recorded under our name, others may count us by that.
bool Requester::can_leave() const {
  if (!must_agree().is_subset_of(voters()) || has_namesake()) return false;
  return count_others() >= terms().min || !terms().is_armed;
}

}  // namespace coterie::protocol::census
