// The reduction against the full search.
#include <gtest/gtest.h>

#include "check/search.h"
#include "protocol/node.h"

namespace coterie::check {
namespace {

class Reduced : public testing::TestWithParam<const char*> {};

TEST_P(Reduced, HasTheVerdictOfTheFullSearchWithNoMoreStates) {
  const std::vector<Property> properties{Property::safety, Property::served, Property::leaks,
                                         Property::slot};
  const Outcome full = search(GetParam(), {.properties = properties});
  const Outcome reduced =
      search(GetParam(), {.threads = 2, .reduce = true, .properties = properties});
  EXPECT_EQ(reduced.verdict, full.verdict);
  if (full.verdict != Verdict::holds) return;
  EXPECT_LE(reduced.states, full.states);
  // Every local state of every process is kept: what is left out is only the order of steps that commute.
  EXPECT_EQ(reduced.local_states, full.local_states);
}

INSTANTIATE_TEST_SUITE_P(
    Configurations, Reduced,
    testing::Values(
        "maekawa --system majority:n=3",
        "maekawa --system majority:n=3 --requests 2 --self immediate",
        "maekawa --system majority:n=3 --self immediate",
        "maekawa@S1 --system k-majority:n=4,k=1 --requesters 3 --self immediate",
        "maekawa@S2 --system k-majority:n=4,k=1 --requesters 3 --self immediate",
        "surrogate --system majority:n=3 --groups 2 --self immediate",
        "surrogate@E1 --system majority:n=3 --groups 2 --self immediate",
        "surrogate@E3 --system majority:n=3 --groups a,b,c --requests 2 --self immediate",
        "surrogate+entry --system majority:n=3 --groups a,a,b --self immediate",
        "mutin --system majority:n=3 --min 1 --requests 2 --self immediate",
        "mutin --system majority:n=3 --min 2 --requests 2 --self immediate",
        "k-mutex --system k-singleton:n=3,k=2 --self immediate",
        "k-mutex --system k-singleton:n=3,k=2 --self immediate --alarms late",
        "k-mutex@keeps-surplus --system k-singleton:n=3,k=2 --self immediate --alarms late",
        "k-mutex --system cohorts:k=2,sizes=2/3 --requesters 3 --self immediate --alarms late",
        "census --system majority:n=3 --self immediate --alarms late",
        "census+floor --system majority:n=3 --min 1 --inside 0,1 --self immediate --alarms late",
        "shares --system majority:n=3 --requesters 2 --groups a,b --self immediate --alarms late",
        "ricart-agrawala --processes 3", "raymond --processes 4", "suzuki-kasami --processes 3"));

// Requesters and arbiters apart: an arbiter that has something to receive need not wait for others.
TEST(Reduction, RemovesStates) {
  const char* text = "maekawa --system majority:n=3";
  const std::vector<Property> properties{Property::safety, Property::served};
  const Outcome full = search(text, {.properties = properties});
  const Outcome reduced = search(text, {.reduce = true, .properties = properties});
  EXPECT_LT(reduced.states, full.states);
}

struct Ball {
  static constexpr std::string_view kName = "BALL";
  COTERIE_FIELDS()
};
struct Wake {
  static constexpr std::string_view kName = "WAKE";
  COTERIE_FIELDS()
};

// Process 0 throws a ball to process 1, which throws it up and catches it for ever, and wakes process 2, which then finds
// its assertion broken.
class BallGame {
 public:
  using Message = std::variant<Ball, Wake>;

  BallGame(const protocol::Setting& /*setting*/, NodeId self, protocol::Outbox<Message>& out)
      : self_(self), out_(out) {}

  void enter(const protocol::Demand& /*demand*/) {
    out_.send(NodeId{1}, Ball{});
    out_.send(NodeId{2}, Wake{});
  }
  void exit() {}
  void alarm(const NodeSet& /*prefer*/) {}
  void on(NodeId /*from*/, const Ball& /*message*/) { out_.send(self_, Ball{}); }
  void on(NodeId /*from*/, const Wake& /*message*/) { COTERIE_ASSERT(self_ != 2); }
  bool at_rest() const { return true; }
  COTERIE_FIELDS(unused_)

 private:
  NodeId self_;
  protocol::Outbox<Message>& out_;
  std::uint32_t unused_ = 0;
};

// In every state of the game process 1 has the ball to receive, and nobody sends to it. Were its steps enough in each of
// them, the others would never have their turn.
TEST(Reduction, ACycleHidesNothing) {
  static const protocol::Entry entry{.name = "ball",
                                     .title = "a test",
                                     .make = protocol::make_process<BallGame>,
                                     .needs_system = false};
  Config config;
  config.choice.entry = &entry;
  config.setting.processes = 3;
  config.requesters = {0};
  config.demands.assign(3, {{0}});
  const auto space = std::make_unique<Space>(config);
  Options options;
  options.properties = {Property::safety};
  options.reduce = true;
  const Outcome outcome = explore(*space, options);
  EXPECT_EQ(outcome.verdict, Verdict::violated);
  EXPECT_EQ(outcome.property, Property::asserts);
}

}  // namespace
}  // namespace coterie::check
