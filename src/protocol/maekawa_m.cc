#include "protocol/maekawa_m.h"

#include <algorithm>

#include "protocol/catalogue.h"
#include "protocol/entries.h"
#include "protocol/printed/maekawa_m.h"

namespace coterie::protocol {
namespace maekawa_m {

Requester::Requester(const Context<Message>& context) : Part(context), locked_(setting().none()) {}

void Requester::enter(const Demand& demand) {
  COTERIE_ASSERT(phase_ == Phase::idle);
  COTERIE_ASSERT(demand.groups.size() == 1);
  phase_ = Phase::waiting;
  current_ = clock().next(self());
  group_ = demand.groups.front();
  send(setting().home(self(), group_), Request{current_, group_});
}

void Requester::on(NodeId from, const Locked& message) {
  COTERIE_ASSERT(!is_stale(message.stamp));
  locked_.insert(from);
  if (!setting().home(self(), group_).is_subset_of(locked_)) return;
  phase_ = Phase::inside;
  entered(group_);
}

void Requester::on(NodeId from, const Inquire& message) {
  if (is_stale(message.stamp)) return;  // we are inside, or left: RELEASED is the answer
  COTERIE_ASSERT(locked_.contains(from));
  locked_.erase(from);
  send(from, Relinquish{current_});
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::inside);
  send(setting().home(self(), group_), Released{current_});
  phase_ = Phase::idle;
  current_ = {};
  group_ = 0;
  locked_.clear();
  exited();
}

Arbiter::Arbiter(const Context<Message>& context)
    : Part(context),
      most_locks_(setting().locks),
      prefix_(setting().version.has("prefix")),
      no_newcomers_(setting().version.has("no-newcomers")),
      inquire_all_(setting().version.has("inquire-all")) {}

void Arbiter::on(NodeId, const Request& message) {
  clock().see(message.stamp);
  queue_.insert({message.stamp, Place{message.group}});
  lock_joiners();
  take_back();
}

void Arbiter::on(NodeId, const Relinquish& message) {
  COTERIE_ASSERT(queue_.contains(message.stamp));
  Place& place = queue_.at(message.stamp);
  COTERIE_ASSERT(place.standing == Standing::inquired);
  place.standing = Standing::waiting;
  lock_joiners();
  take_back();
}

void Arbiter::on(NodeId, const Released& message) {
  drop(message.stamp);
  lock_joiners();
  take_back();
}

void Arbiter::drop(const Stamp& stamp) {
  COTERIE_ASSERT(queue_.contains(stamp));
  COTERIE_ASSERT(!queue_.at(stamp).is_waiting());
  queue_.erase(stamp);
}

void Arbiter::lock_joiners() {
  if (queue_.empty()) return;
  auto locks = static_cast<std::size_t>(std::count_if(
      queue_.begin(), queue_.end(), [](const auto& item) { return !item.second.is_waiting(); }));
  for (const Stamp& stamp : joiners()) {
    if (most_locks_ != 0 && locks >= most_locks_) return;
    ++locks;
    queue_.at(stamp).standing = Standing::locked;
    send(stamp.process, Locked{stamp});
  }
}

void Arbiter::take_back() {
  const Stamp* waiting = best_waiting();
  if (waiting == nullptr) return;
  if (!inquire_all_ && *waiting != queue_.begin()->first) return;
  // One of the group that waits for the limit only needs but one lock: the worst.
  const bool one_will_do = std::ranges::count(joiners(), *waiting) != 0;
  for (auto worst = queue_.rbegin(); worst->first != *waiting; ++worst) {
    auto& [stamp, place] = *worst;
    if (place.is_waiting()) continue;
    if (place.standing == Standing::locked) {
      place.standing = Standing::inquired;
      send(stamp.process, Inquire{stamp});
    }
    if (one_will_do) return;
  }
}

Group Arbiter::group() const {
  const auto holder = std::find_if(queue_.begin(), queue_.end(),
                                   [](const auto& item) { return !item.second.is_waiting(); });
  return holder == queue_.end() ? queue_.begin()->second.group : holder->second.group;
}

bool Arbiter::takes_newcomers() const {
  const auto is_other = [ours = group()](const auto& item) { return item.second.group != ours; };
  if (!no_newcomers_) return !is_other(*queue_.begin());
  return std::all_of(queue_.begin(), queue_.end(),
                     [](const auto& item) { return item.second.is_waiting(); }) ||
         std::none_of(queue_.begin(), queue_.end(), is_other);
}

std::vector<Stamp> Arbiter::joiners() const {
  std::vector<Stamp> joiners;
  if (!takes_newcomers()) return joiners;
  const Group ours = group();
  for (const auto& [stamp, place] : queue_) {
    const bool is_ours = place.group == ours;
    if (prefix_ && !is_ours) break;
    if (is_ours && place.is_waiting()) joiners.push_back(stamp);
  }
  return joiners;
}

const Stamp* Arbiter::best_waiting() const {
  const auto place = std::find_if(queue_.begin(), queue_.end(),
                                  [](const auto& item) { return item.second.is_waiting(); });
  return place == queue_.end() ? nullptr : &place->first;
}

namespace {

std::string refuse_version(const Setting& setting) {
  if (setting.version.has("prefix") && setting.version.has("no-newcomers")) {
    return "prefix and no-newcomers are two readings of the same rule: take one of them";
  }
  if (setting.version.has("inquire-all") && !setting.version.has("prefix")) {
    return "inquire-all goes with prefix: any other rule would lock again what it takes back";
  }
  return "";
}

std::string refuse_unless_groups(const Setting& setting) {
  const quorum::System& system = setting.system();
  if (system.kind() != quorum::Kind::groups) {
    return "a system with quorums per group is needed, such as surficial:groups=3,degree=1; over " +
           system.spec() + " the same algorithm is called toyomura";
  }
  if (!setting.homes.empty()) {
    return "the quorum of a process depends on the group, so none can be given per process";
  }
  return refuse_version(setting);
}

std::string refuse_unless_plain(const Setting& setting) {
  if (setting.locks > 1) {
    return "the plain algorithm has one lock per node, not " + std::to_string(setting.locks) +
           ": maekawa-m has more";
  }
  return refuse_unless_groups(setting);
}

std::string refuse_unless_toyomura(const Setting& setting) {
  const quorum::System& system = setting.system();
  if (system.kind() == quorum::Kind::groups) {
    return "toyomura needs a coterie; over " + system.spec() +
           ", which has quorums per group, the same algorithm is called maekawa-m";
  }
  if (system.k() != 1) {
    return "toyomura needs a coterie, any two quorums of which meet: " + system.spec() + " has " +
           std::to_string(system.k()) + " disjoint ones";
  }
  return refuse_version(setting);
}

Claims claims_concurrent_entry(const Version&) { return {.concurrent_entry = true}; }

std::vector<Variant> variants() {
  return {
      {"prefix", "locks only for those who are better than every request of another group"},
      {"no-newcomers", "locks for all of a group in its turn, then for none while another waits"},
      {"inquire-all", "takes back every lock that is worse than the best who waits"}};
}

// With one lock per node M1 makes no difference.
template <class Base>
Mutant inquires_for_other_groups() {
  return {"M2", "INQUIREs only for a request of another group",
          make_process<Node<Requester, printed::InquiresForOtherGroups<Base>>>};
}

std::vector<Mutant> mutants() {
  return {{"M1", "whether to INQUIRE is asked when a REQUEST comes, never when a lock is released",
           make_process<Node<Requester, printed::InquiresOnArrival>>},
          inquires_for_other_groups<Arbiter>()};
}

}  // namespace
}  // namespace maekawa_m

Entry maekawa_m_entry() {
  using namespace maekawa_m;
  return {
      .name = "maekawa-m",
      .problem = Problem::room,
      .title = "Maekawa_M, Joung 2003: many locks per node, over group quorums",
      .variants = variants(),
      .mutants = mutants(),
      .make = make_process<Node<Requester, Arbiter>>,
      .limits_locks = true,
      .claims = claims_concurrent_entry,
      .refuse = refuse_unless_groups,
  };
}

Entry toyomura_entry() {
  using namespace maekawa_m;
  return {
      .name = "toyomura",
      .problem = Problem::room,
      .title = "Toyomura, Kamei and Kakugawa 2003: many locks per node, over a coterie",
      .variants = variants(),
      .mutants = mutants(),
      .make = make_process<Node<Requester, Arbiter>>,
      .limits_locks = true,
      .claims = claims_concurrent_entry,
      .refuse = refuse_unless_toyomura,
  };
}

Entry joung_entry() {
  using namespace maekawa_m;
  return {
      .name = "joung",
      .problem = Problem::room,
      .title = "Joung 2003, the plain algorithm: one lock per node, over group quorums",
      .mutants = {inquires_for_other_groups<PlainArbiter>()},
      .make = make_process<Node<Requester, PlainArbiter>>,
      .limits_locks = true,
      .refuse = refuse_unless_plain,
  };
}

}  // namespace coterie::protocol
