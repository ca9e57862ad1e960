// The faults of the checker, on a small algorithm that survives them and on mistakes in it.
#include <gtest/gtest.h>

#include <set>

#include "check/explore.h"
#include "check/plan.h"
#include "check/search.h"
#include "check/story.h"
#include "protocol/surviving.h"

namespace coterie::check {
namespace {

using protocol::Entry;
using protocol::Life;

struct Ask {
  static constexpr std::string_view kName = "ASK";
  COTERIE_FIELDS()
};
struct Grant {
  static constexpr std::string_view kName = "GRANT";
  std::uint32_t number = 0;  // grows, whatever crashes
  COTERIE_FIELDS(number)
};
struct Back {
  static constexpr std::string_view kName = "BACK";
  COTERIE_FIELDS()
};

enum class Mistake : std::uint8_t {
  none,
  stays_inside,     // although its lease has run out
  asks_once,        // not again on a new link
  never_forgets,    // who crashed with the grant
  frees_at_link,    // a new life takes the grant of the former one
  no_silence,       // grants after a restart what may still be held
  no_durable_count  // numbers begin anew
};

// The last process is a clerk that grants to one at a time.
template <Mistake mistake>
class Clerk {
 public:
  using Message = std::variant<Ask, Grant, Back>;
  template <class Content>
  static constexpr bool kForArbiter = !std::is_same_v<Content, Grant>;

  Clerk(const protocol::Setting& setting, NodeId self, protocol::Outbox<Message>& out)
      : processes_(setting.processes), self_(self), out_(out) {}

  void enter(const protocol::Demand&) {
    phase_ = Phase::waiting;
    if (is_linked_) out_.send(clerk(), Ask{});
  }
  void exit() { leave(); }
  void cancel() { leave(); }
  void alarm(const NodeSet&) {}
  void on(NodeId from, const Message& message) {
    if (const auto* grant = std::get_if<Grant>(&message)) {
      COTERIE_ASSERT(grant->number > seen_);
      seen_ = grant->number;
      if (phase_ != Phase::waiting) return;  // it crossed our BACK
      phase_ = Phase::inside;
      out_.entered(0);
    } else if (std::holds_alternative<Ask>(message)) {
      queue_.push_back(from);
      pump();
    } else {
      forget(from);
    }
  }
  bool at_rest() const { return phase_ == Phase::idle && !holder_ && !former_ && queue_.empty(); }

  void suspect(NodeId) {}
  void trust(NodeId) {}
  void lapse(NodeId peer) {
    if (peer != clerk() || self_ == clerk()) return;
    is_linked_ = false;
    if (phase_ != Phase::inside || mistake == Mistake::stays_inside) return;
    phase_ = Phase::idle;
    out_.lost();
  }
  void expire(NodeId peer, Life life) {
    std::erase(silent_, peer);
    if (mistake == Mistake::never_forgets) return pump();
    if (life == Life::former && former_ == peer) former_.reset();
    if (life == Life::present) return forget(peer);
    pump();
  }
  void up(NodeId peer, std::uint32_t /*incarnation*/) {
    if (self_ == clerk()) {
      std::erase(queue_, peer);
      if (holder_ != peer) return;
      holder_.reset();
      if (mistake != Mistake::frees_at_link) former_ = peer;
      pump();
    } else if (peer == clerk()) {
      is_linked_ = true;
      if (phase_ == Phase::waiting && mistake != Mistake::asks_once) out_.send(clerk(), Ask{});
    }
  }
  void restart(std::uint32_t /*incarnation*/, Reader& durable) {
    is_linked_ = false;
    unpack(durable, count_);
    if (mistake == Mistake::no_durable_count) count_ = 0;
    if (self_ != clerk() || mistake == Mistake::no_silence) return;
    for (NodeId peer = 0; peer < processes_; ++peer) silent_.push_back(peer);
  }
  void save_durable(Writer& to) const { pack(to, count_); }

  COTERIE_FIELDS(phase_, is_linked_, seen_, count_, holder_, former_, queue_, silent_)

 private:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  NodeId clerk() const { return static_cast<NodeId>(processes_ - 1); }
  void leave() {
    phase_ = Phase::idle;
    if (is_linked_) out_.send(clerk(), Back{});
    out_.exited();
  }
  void forget(NodeId peer) {
    std::erase(queue_, peer);
    if (holder_ == peer) holder_.reset();
    pump();
  }
  void pump() {
    if (holder_ || former_ || queue_.empty() || !silent_.empty()) return;
    holder_ = queue_.front();
    queue_.erase(queue_.begin());
    out_.send(*holder_, Grant{++count_});
  }

  std::size_t processes_;
  NodeId self_;
  protocol::Outbox<Message>& out_;

  Phase phase_ = Phase::idle;
  bool is_linked_ = true;
  std::uint32_t seen_ = 0;
  std::uint32_t count_ = 0;
  std::optional<NodeId> holder_;
  std::optional<NodeId> former_;  // a former life that holds it
  std::vector<NodeId> queue_;
  std::vector<NodeId> silent_;  // whose leases from a former life of ours may still run
};

template <Mistake mistake>
const Entry& entry() {
  static const Entry entry{.name = "clerk",
                           .title = "a test",
                           .make = [](const protocol::Setting& setting,
                                      NodeId self) -> std::unique_ptr<protocol::Process> {
                             return std::make_unique<protocol::Surviving<Clerk<mistake>>>(setting,
                                                                                          self);
                           },
                           .needs_system = false,
                           .survives = {true, true, true, true, true}};
  return entry;
}

constexpr std::size_t kProcesses = 3;

template <Mistake mistake = Mistake::none>
Config with(const Budget& faults, std::vector<NodeId> requesters = {0, 1}) {
  Config config;
  config.choice.entry = &entry<mistake>();
  config.setting.processes = kProcesses;
  config.requests = requesters.size() == 1 ? 2 : 1;
  config.requesters = std::move(requesters);
  config.demands.assign(kProcesses, {{0}});
  config.faults = faults;
  return config;
}

// Who needs the clerk is served only if the clerk lives.
const std::vector<Property> kWhoeverDies{Property::safety, Property::leaks};
const std::vector<Property> kIfAllLive{Property::safety, Property::served, Property::leaks,
                                       Property::slot, Property::finish};

Outcome search_for(const Config& config, const std::vector<Property>& properties) {
  const auto space = std::make_unique<Space>(config);
  Options options;
  options.properties = properties;
  return explore(*space, options);
}

TEST(Faults, WithoutAnyNothingChanges) {
  const Config config = with({});
  const Outcome outcome = search_for(config, kIfAllLive);
  EXPECT_EQ(outcome.verdict, Verdict::holds) << outcome.reason;
  EXPECT_EQ((Counts{outcome.states, outcome.transitions, outcome.depth}), slow_search(config));
}

TEST(Faults, WhatSurvivesThemHolds) {
  struct Case {
    Budget faults;
    const std::vector<Property>& properties;
    std::uint64_t states;
  };
  for (const Case& each : {Case{{.lapses = 1}, kIfAllLive, 1183},
                           Case{{.suspicions = 1, .cancels = 1}, kIfAllLive, 1040},
                           Case{{.crashes = 1}, kWhoeverDies, 802},
                           Case{{.crashes = 1, .restarts = 1}, kWhoeverDies, 11070}}) {
    const Outcome outcome = search_for(with(each.faults), each.properties);
    EXPECT_EQ(outcome.verdict, Verdict::holds) << outcome.reason;
    EXPECT_EQ(outcome.states, each.states);
  }
}

// Or a state would occur as often as there are ways of taking out what is lost.
TEST(Faults, NothingIsUnderWayToTheDeadOrOverALinkThatIsDown) {
  const auto space = std::make_unique<Space>(with({.crashes = 1, .restarts = 1, .lapses = 1}, {0}));
  Space::View view(*space);
  std::set<Fingerprint> seen;
  std::vector<std::vector<Id>> open{space->initial()};
  while (!open.empty()) {
    const std::vector<Id> state = std::move(open.back());
    open.pop_back();
    for (NodeId from = 0; from < kProcesses; ++from) {
      for (NodeId to = 0; to < kProcesses; ++to) {
        if (!space->local(state[to]).trouble.is_deaf_to(from)) continue;
        ASSERT_TRUE(space->is_empty(state, space->channel_between(from, to)));
      }
    }
    space->for_each_event(state, [&](const Event& event) {
      std::vector<Id> next = state;
      if (seen.insert(view.apply(event, next, space->fingerprint(state))).second)
        open.push_back(std::move(next));
    });
  }
  EXPECT_GT(seen.size(), 1000U);
}

template <Mistake mistake>
void expect_violation(const Budget& faults, const std::vector<Property>& properties,
                      Property property, const std::string& last,
                      std::vector<NodeId> requesters = {0, 1}) {
  const auto space = std::make_unique<Space>(with<mistake>(faults, std::move(requesters)));
  Options options;
  options.properties = properties;
  const Outcome outcome = explore(*space, options);
  ASSERT_EQ(outcome.verdict, Verdict::violated);
  EXPECT_EQ(outcome.property, property) << outcome.reason;
  std::string story;
  for (const Scene& scene : narrate(*space, outcome.trace)) story += scene.what + "\n";
  EXPECT_NE(story.find(last), std::string::npos) << story;
}

TEST(Faults, WhoStaysInsideWithoutALeaseIsSeen) {
  expect_violation<Mistake::stays_inside>({.lapses = 1}, kIfAllLive, Property::safety,
                                          "lease from p2 runs out");
}
TEST(Faults, WhoDoesNotAskAgainWaitsForEver) {
  expect_violation<Mistake::asks_once>({.lapses = 1}, kIfAllLive, Property::slot, "new link");
}
TEST(Faults, WhatTheDeadHoldMustBeForgotten) {
  expect_violation<Mistake::never_forgets>({.crashes = 1}, kWhoeverDies, Property::leaks,
                                           "p0 crashes", {0});
}
TEST(Faults, TheClientsOfAFormerLifeStillBelieve) {
  expect_violation<Mistake::frees_at_link>({.crashes = 1, .restarts = 1}, kWhoeverDies,
                                           Property::safety, "p1 restarts");
}
TEST(Faults, ARestartedClerkMustBeSilent) {
  expect_violation<Mistake::no_silence>({.crashes = 1, .restarts = 1}, kWhoeverDies,
                                        Property::safety, "p2 restarts");
}
TEST(Faults, WhatIsDurableOutlivesACrash) {
  expect_violation<Mistake::no_durable_count>({.crashes = 1, .restarts = 1}, kWhoeverDies,
                                              Property::asserts, "p2 restarts", {0});
}

TEST(Faults, ATraceWithFaultsReplays) {
  const auto space =
      std::make_unique<Space>(with<Mistake::frees_at_link>({.crashes = 1, .restarts = 1}));
  Options options;
  options.properties = kWhoeverDies;
  const Outcome outcome = explore(*space, options);
  std::vector<std::string> tokens;
  for (const Scene& scene : narrate(*space, outcome.trace)) tokens.push_back(scene.token);
  const auto again = find_trace(*space, tokens);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->size(), outcome.trace.size());
}

TEST(Faults, WhoDoesNotDeclareThemIsNotAsked) {
  const auto message = [](const Plan& plan) {
    const auto config = make_config(plan, {});
    return config ? "" : "--" + config.error().parameter + ": " + config.error().message;
  };
  Plan plan;
  plan.protocol = "central";
  plan.faults = {.crashes = 1};
  EXPECT_EQ(message(plan),
            "--crashes: central is not made for them; the faults that it survives: none");
}

TEST(Faults, WhatCannotBeJudgedIsRefused) {
  const auto message = [](const char* protocol, const char* properties, bool reduce) {
    Plan plan;
    plan.protocol = protocol;
    plan.processes = kProcesses;
    plan.properties = properties;
    plan.reduce = reduce;
    const auto config = make_config(plan, {});
    return config ? "" : "--" + config.error().parameter + ": " + config.error().message;
  };
  EXPECT_EQ(message("central", "tokens", false), "--property: central has no fencing tokens");
  EXPECT_EQ(
      message("central", "survives", false),
      "--property: who is hit before it has a spare may lose its hold: survives is judged with "
      "--strike late");
  EXPECT_EQ(message("central", "tokens", true),
            "--reduce: tokens and survives are judged in a full search only");
}

}  // namespace
}  // namespace coterie::check
