#include "protocol/group_k.h"

#include "protocol/catalogue.h"
#include "protocol/entries.h"
#include "protocol/printed/group_k.h"

namespace coterie::protocol {
namespace group_k {
namespace {

// The quorum and a read quorum, together as few as can be. Where the system has no read quorums, those who
// hit every write quorum take their place.
NodeSet registrars_of(const NodeSet& quorum, const quorum::System& system) {
  const NodeSet everyone = NodeSet::all(system.n());
  if (system.kind() == quorum::Kind::write_read) {
    std::vector<quorum::Cost> costs(system.n(), 1);
    for (const NodeId member : quorum) costs[member] = 0;
    return quorum | system.read().find_quorum(everyone, costs).value();
  }
  NodeSet spared(system.n());  // contains no write quorum
  for (const NodeId member : everyone - quorum) {
    spared.insert(member);
    if (system.write().contains_quorum(spared)) spared.erase(member);
  }
  return everyone - spared;
}

// A quorum that was not asked, with as few as can be of those who were; nobody if all who are of any use were.
NodeSet another_quorum(const NodeSet& asked, const quorum::Family& family, const NodeSet& among) {
  const NodeSet nobody(family.n());
  std::vector<quorum::Cost> costs(family.n(), 0);
  for (const NodeId member : asked) costs[member] = 1;
  const auto quorum = family.find_quorum(among, costs);
  if (!quorum) return nobody;
  if (!quorum->is_subset_of(asked)) return *quorum;
  // One of the same size with a new member would have fewer who were asked.
  if (asked.size() == family.n() || family.min_size() == family.max_size()) return nobody;
  // No quorum contains another, so any that was not asked lacks one of this one's members.
  for (const NodeId member : *quorum) {
    NodeSet others = among;
    others.erase(member);
    if (NodeSet found = another_quorum(asked, family, others); !found.empty()) return found;
  }
  return nobody;
}

// The member of the set that comes after this one.
std::optional<NodeId> next_of(NodeId member, const NodeSet& set) {
  for (const NodeId other : set) {
    if (other > member) return other;
  }
  return {};
}

}  // namespace

Requester::Requester(const Context<Message>& context)
    : Part(context),
      asked_(setting().none()),
      votes_(setting().none()),
      registrars_(setting().none()),
      registered_(setting().none()),
      parallel_(setting().version.has("parallel")) {}

void Requester::enter(const Demand& demand) {
  COTERIE_ASSERT(phase_ == Phase::ncs);
  phase_ = Phase::es;
  current_ = clock().next(self());
  group_ = demand.groups.front();
  ask(setting().choose(self(), demand.prefer));
}

void Requester::ask(const NodeSet& quorum) {
  const NodeSet newly = quorum - asked_;
  asked_ |= quorum;
  send(newly, Request{current_, group_});
  if (!next_quorum().empty()) set_alarm();
}

void Requester::alarm(const NodeSet& prefer) {
  if (phase_ != Phase::es) return;  // we have a quorum since
  const NodeSet wish = prefer.universe() == 0 ? asked_ : setting().choose(self(), prefer);
  ask(wish.is_subset_of(asked_) ? next_quorum() : wish);
}

NodeSet Requester::next_quorum() const {
  return another_quorum(asked_, setting().system().write(), setting().everyone());
}

void Requester::on(NodeId from, const Grant& message) {
  if (!is_asking(message.stamp)) return;  // it crossed our RELEASE
  COTERIE_ASSERT(asked_.contains(from));
  votes_.insert(from);
  const auto quorum = setting().system().write().find_quorum(votes_);
  if (!quorum) return;
  send(asked_ - *quorum, Release{current_, false});
  asked_ = *quorum;
  votes_.clear();
  compete();
}

void Requester::on(NodeId from, const Preempt& message) {
  if (!is_asking(message.stamp)) return;  // we have a quorum, or want none: RELEASE is the answer
  COTERIE_ASSERT(votes_.contains(from));
  votes_.erase(from);
  send(from, Yield{current_});
}

void Requester::compete() {
  phase_ = Phase::ws;
  registrars_ = registrars_of(asked_, setting().system());
  if (parallel_) return send(registrars_, Compete{current_, group_, setting().none(), {}});
  send(*registrars_.begin(), Compete{current_, group_, registrars_, {}});
}

void Requester::on(NodeId from, const Success& message) {
  if (!is_competing(message.stamp)) return;  // we follow somebody: CANCEL is on its way
  pending_.insert(message.met.begin(), message.met.end());
  registered_.insert(from);
  if (!parallel_ || registrars_ == registered_) lead();
}

void Requester::on(NodeId from, const Challenge& message) {
  if (!is_competing(message.stamp)) return;  // we lead: CLEAR will come; or follow: CANCEL
  COTERIE_ASSERT(registered_.contains(from));
  registered_.erase(from);
  send(from, Concede{current_});
}

void Requester::lead() {
  Leading::value_type& led = *leading_.try_emplace(current_).first;
  led.second.quorum = asked_;
  led.second.registrars = registrars_;
  for (const Stamp& follower : pending_) admit(led, follower);
  stop_asking();
  phase_ = Phase::cs;
  entered(group_);
}

void Requester::on(NodeId, const Follow& message) {
  if (is_competing(message.leader)) {
    pending_.insert(message.follower);
    return;
  }
  const auto led = leading_.find(message.leader);
  if (led == leading_.end()) return;  // closed: the request is queued, and counts from then on
  Forum& forum = led->second;
  const auto last = forum.admitted.find(message.follower.process);
  if (last != forum.admitted.end() && last->second >= message.follower.time) return;  // again
  if (may_admit(*led, message.follower)) return admit(*led, message.follower);
  forum.refused.insert(message.follower);
}

bool Requester::may_admit(const Leading::value_type& led, const Stamp& follower) const {
  if (is_inside(led.first)) return true;
  const auto& wanted = led.second.wanted;
  return std::none_of(wanted.begin(), wanted.end(),
                      [&](const auto& want) { return want.second < follower; });
}

void Requester::admit(Leading::value_type& led, const Stamp& follower) {
  led.second.followers.insert(follower);
  led.second.admitted[follower.process] = follower.time;
  send(follower.process, RGrant{follower, led.first});
}

void Requester::on(NodeId, const RGrant& message) {
  if (!is_asking(message.follower) && !is_competing(message.follower)) {
    // it was told of us before, and we have been inside since
    return send(message.leader.process, RRelease{message.follower, message.leader});
  }
  send(asked_, Release{current_, false});
  if (phase_ == Phase::ws) cancel();
  stop_asking();
  phase_ = Phase::cs;
  reference_ = message.leader;
  entered(group_);
}

void Requester::cancel() {
  if (parallel_) return send(registrars_, Cancel{current_, setting().none()});
  send(*registrars_.begin(), Cancel{current_, registrars_});
}

void Requester::stop_asking() {
  asked_.clear();
  votes_.clear();
  registrars_.clear();
  registered_.clear();
  pending_.clear();
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::cs);
  const Stamp left = current_;
  const auto reference = reference_;
  forget();
  if (reference) {
    send(reference->process, RRelease{left, *reference});
  } else {
    leave_forum(*leading_.find(left));
  }
  exited();
}

void Requester::forget() {
  phase_ = Phase::ncs;
  current_ = {};
  group_ = 0;
  reference_.reset();
}

void Requester::leave_forum(Leading::value_type& led) {
  if (led.second.followers.empty()) return close(led.first);
  send(led.second.quorum, Linger{led.first});
}

void Requester::on(NodeId, const RRelease& message) {
  const auto led = leading_.find(message.leader);
  COTERIE_ASSERT(led != leading_.end());
  const bool followed = led->second.followers.erase(message.follower) > 0;
  COTERIE_ASSERT(followed);
  if (led->second.followers.empty() && !is_inside(message.leader)) close(message.leader);
}

void Requester::on(NodeId from, const Wanted& message) {
  const auto led = leading_.find(message.leader);
  if (led == leading_.end()) return;  // closed
  Forum& forum = led->second;
  forum.wanted.erase(from);
  if (message.best) forum.wanted.emplace(from, *message.best);
  const Stamps refused = std::exchange(forum.refused, {});
  for (const Stamp& follower : refused) {
    if (may_admit(*led, follower)) {
      admit(*led, follower);
    } else {
      forum.refused.insert(follower);
    }
  }
}

void Requester::close(const Stamp& leader) {
  const auto led = leading_.find(leader);
  const Forum forum = std::move(led->second);
  leading_.erase(led);
  send(forum.quorum, Release{leader, true});
  send(forum.registrars - forum.quorum, Clear{leader});
}

Arbiter::Arbiter(const Context<Message>& context)
    : Part(context), parallel_(setting().version.has("parallel")) {}

void Arbiter::on(NodeId, const Request& message) {
  clock().see(message.stamp);
  vote_.add(message);
  tell_leader(message);
  pump();
}

void Arbiter::tell_leader(const Request& request) {
  const auto competitors = registers_.find(request.group);
  if (competitors == registers_.end()) return;
  const Stamp leader = competitors->second.holder().stamp;
  send(leader.process, Follow{request.stamp, leader});
}

void Arbiter::on(NodeId, const Yield& message) {
  COTERIE_ASSERT(vote_.holds(message.stamp));
  vote_.take_back();
  pump();
}

void Arbiter::on(NodeId, const Release& message) {
  const bool was_here = vote_.drop(message.stamp);
  COTERIE_ASSERT(was_here);
  if (message.closing) unregister(message.stamp);
  pump();
}

// A group whose leader is known here is told to the leader instead of being granted.
const Request* Arbiter::best_candidate() const {
  for (const Request& request : vote_.queue()) {
    if (!vote_.holds(request.stamp) && !registers_.contains(request.group)) return &request;
  }
  return nullptr;
}

void Arbiter::pump() {
  const Request* best = best_candidate();
  if (vote_.is_free()) {
    lingering_ = false;
    wanted_.reset();
    if (best != nullptr) grant(best->stamp);
    return;
  }
  if (best != nullptr) preempt(best->stamp);
  if (lingering_) tell_wanted(best != nullptr ? std::optional(best->stamp) : std::nullopt);
}

void Arbiter::grant(const Stamp& stamp) {
  vote_.lend(stamp);
  send(stamp.process, Grant{stamp});
}

void Arbiter::preempt(const Stamp& better) {
  if (!vote_.ask_back(better)) return;
  const Stamp holder = vote_.holder().stamp;
  send(holder.process, Preempt{holder});
}

void Arbiter::on(NodeId, const Linger& message) {
  COTERIE_ASSERT(vote_.holds(message.stamp));
  lingering_ = true;
  pump();
}

void Arbiter::tell_wanted(const std::optional<Stamp>& best) {
  if (wanted_ == best) return;
  wanted_ = best;
  const Stamp leader = vote_.holder().stamp;
  send(leader.process, Wanted{leader, best});
}

void Arbiter::on(NodeId, const Compete& message) {
  Vote<Compete>& competitors = registers_[message.group];
  competitors.add(message);
  register_best(message.group);
  if (parallel_ && competitors.ask_back()) {
    const Stamp leader = competitors.holder().stamp;
    send(leader.process, Challenge{leader});
  }
  pump();
}

// Has no effect while another is registered.
void Arbiter::register_best(Group group) {
  Vote<Compete>& competitors = registers_.at(group);
  if (competitors.empty()) {
    registers_.erase(group);
    return;
  }
  if (!competitors.is_free()) return;
  Compete next = competitors.best();
  competitors.drop(next.stamp);  // and comes back without what is of use only on its way
  competitors.add(Compete{next.stamp, group, setting().none(), {}});
  competitors.lend(next.stamp);
  for (const Request& request : vote_.queue()) {
    if (is_met(request, next)) next.met.insert(request.stamp);
  }
  if (const auto registrar = next_of(self(), next.registrars)) return send(*registrar, next);
  send(next.stamp.process, Success{next.stamp, next.met});
}

bool Arbiter::is_met(const Request& request, const Compete& by) const {
  return request.group == by.group && request.stamp.process != by.stamp.process;
}

void Arbiter::on(NodeId, const Concede& message) {
  const auto competitors = find_register(message.stamp);
  COTERIE_ASSERT(competitors->second.holds(message.stamp));
  competitors->second.take_back();
  register_best(competitors->first);
  pump();
}

void Arbiter::on(NodeId, const Cancel& message) {
  const bool was_registered = unregister(message.stamp);
  const auto registrar = next_of(self(), message.registrars);
  if (was_registered && registrar) send(*registrar, message);  // where its COMPETE has gone
  pump();
}

void Arbiter::on(NodeId, const Clear& message) {
  unregister(message.stamp);
  pump();
}

Arbiter::Registers::iterator Arbiter::find_register(const Stamp& stamp) {
  const auto found = std::find_if(registers_.begin(), registers_.end(), [&](const auto& entry) {
    return entry.second.find(stamp) != nullptr;
  });
  COTERIE_ASSERT(found != registers_.end());
  return found;
}

// Answers whether it was registered, not just waiting to be.
bool Arbiter::unregister(const Stamp& stamp) {
  const auto competitors = find_register(stamp);
  const bool was_registered = competitors->second.holds(stamp);
  competitors->second.drop(stamp);
  register_best(competitors->first);
  return was_registered;
}

namespace {

std::string refuse(const Setting& setting) {
  const quorum::System& system = setting.system();
  if (system.kind() == quorum::Kind::groups) {
    return "group-k needs a k-coterie or a write-read system, and " + system.spec() +
           " has quorums per group";
  }
  if (setting.max != system.k()) {
    return "group-k lets as many groups inside as the system has disjoint write quorums: " +
           system.spec() + " needs max = " + std::to_string(system.k()) + ", not " +
           std::to_string(setting.max);
  }
  return "";
}

}  // namespace
}  // namespace group_k

Entry group_k_entry() {
  using namespace group_k;
  return {
      .name = "group-k",
      .problem = Problem::rooms,
      .title = "Jiang's group k-exclusion by k-write-read coteries",
      .variants = {{"parallel", "competes at all registrars at once, not at one after another"}},
      .mutants =
          {{"C1", "YIELD grants the request that caused the PREEMPT, though a better one has come",
            make_process<Node<Requester, printed::GrantsTheCause>>},
           {"C2", "RELEASE grants the next although another holds the vote",
            make_process<Node<Requester, printed::GrantsAtEveryRelease>>},
           {"C3", "a request of a group with a leader is told to the leader and not queued",
            make_process<Node<Requester, printed::QueuesNoFollower>>},
           {"C4", "FOLLOW does not say which request leads",
            make_process<Node<printed::TakesAnyFollow, Arbiter>>},
           {"C5", "COMPETE does not wait at a registrar that has a leader, who is told instead",
            make_process<Node<Requester, printed::FailsCompetitors>>},
           {"C6", "followers are known by their processes, not by their requests",
            make_process<Node<printed::CountsProcesses, Arbiter>>},
           {"C7", "a competitor that is let in before it hears of its failure clears no registrar",
            make_process<Node<printed::CancelsNothing, Arbiter>>},
           {"C8", "a competitor that is told of another leader releases its quorum",
            make_process<Node<printed::HeedsNotice, printed::SendsNotice>>},
           {"C9", "a follower lets others in, and is out for its leader when they are",
            make_process<Node<printed::LeadsAsFollower, Arbiter>>},
           {"C10", "COMPETE overlooks the granted request",
            make_process<Node<Requester, printed::OverlooksGranted>>},
           {"C11", "the leader is registered no more when it leaves before its followers",
            make_process<Node<printed::ClearsAtExit, Arbiter>>},
           {"C12", "a vote is given back after the quorum is complete, until inside",
            make_process<Node<printed::YieldsInWaitSection, Arbiter>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .chooses_quorums = true,
      .claims = [](const Version&) { return Claims{.free_slot = true, .concurrent_entry = true}; },
      .refuse = refuse,
  };
}

}  // namespace coterie::protocol
