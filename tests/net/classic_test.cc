// Algorithms on sockets: what they send is what the simulator counts, and what the formulas say; the witness sees
// who is inside and should not be. All processes are in this one, each on connections of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <memory>

#include "coterie/spec.h"
#include "net/classic_process.h"
#include "net/classic_witness.h"
#include "protocol/instance.h"
#include "sim/run.h"
#include "sim/trial.h"

namespace coterie::net {
namespace {

using testing::HasSubstr;

ClassicPlan plan_of(const sim::Scenario& scenario, std::size_t requesters) {
  ClassicPlan plan;
  plan.choice = scenario.choice;
  plan.setting = scenario.setting;
  plan.requesters = requesters;
  plan.requests = 3;
  plan.groups = scenario.workload.groups;
  plan.secret = 42;
  return plan;
}

ClassicReport run(const ClassicPlan& plan) {
  boost::asio::io_context io(1);
  ClassicWitness witness(io, plan);
  std::vector<std::unique_ptr<ClassicProcess>> processes;
  for (NodeId self = 0; self < plan.setting.processes; ++self)
    processes.push_back(std::make_unique<ClassicProcess>(io, plan, self));
  witness.start([] {});
  for (const auto& process : processes) process->start(witness.port());
  io.run();
  EXPECT_EQ(witness.report().fault, std::nullopt) << plan.choice.text();
  EXPECT_TRUE(witness.report().is_complete) << plan.choice.text();
  // Of a band, who comes last may have to stay outside: nobody leaves any more.
  if (plan.choice.problem() != protocol::Problem::band) {
    EXPECT_EQ(witness.report().entries, plan.requesters * plan.requests);
  }
  EXPECT_EQ(witness.report().sent, witness.report().received);
  return witness.report();
}

sim::Scenario scenario_of(const std::string& protocol, const std::string& system) {
  sim::Scenario scenario = system.empty() ? sim::scenario_of(protocol, std::size_t{5})
                                          : sim::scenario_of(protocol, system);
  const auto problem = scenario.choice.problem();
  const std::size_t n = scenario.setting.processes;
  if (problem == protocol::Problem::floor) sim::set_bounds(scenario, n - 2, n, n);
  if (problem == protocol::Problem::band) sim::set_bounds(scenario, 1, n - 1, n - 1);
  if (problem == protocol::Problem::room || problem == protocol::Problem::rooms)
    scenario.workload.groups = 3;
  return scenario;
}

struct Case {
  const char* protocol;
  const char* system;
};
constexpr std::array kCases = {Case{"maekawa", "plane:order=2"},
                               Case{"surrogate", "grid:rows=3,cols=3"},
                               Case{"surrogate+entry", "majority:n=5"},
                               Case{"k-mutex", "cohorts:k=2,sizes=2/3/3"},
                               Case{"maekawa-s", "majority:n=5"},
                               Case{"group-k", "torus:rows=4,cols=2,k=2"},
                               Case{"mutin", "majority:n=5"},
                               Case{"gcs", "majority:n=5"},
                               Case{"ricart-agrawala", ""},
                               Case{"raymond", ""}};

TEST(Classic, AloneItSendsWhatTheSimulatorCounts) {
  for (const auto& [protocol, system] : kCases) {
    sim::Scenario scenario = scenario_of(protocol, system);
    const ClassicReport report = run(plan_of(scenario, 1));
    sim::make_alone(scenario, 3);
    const sim::Run simulated = sim::simulate(scenario, 1);
    const auto per_entry = [&](std::uint64_t count) { return static_cast<double>(count) / 3; };
    EXPECT_EQ(per_entry(report.sent), simulated.measures.messages_per_entry) << protocol;
    EXPECT_EQ(per_entry(report.remote()), simulated.measures.messages_per_entry_remote) << protocol;
    ASSERT_EQ(report.types.size(), simulated.by_type.size()) << protocol;
    std::size_t i = 0;
    for (const auto& [number, type] : report.types) {
      EXPECT_EQ(type.name, simulated.by_type[i].name) << protocol;
      EXPECT_EQ(per_entry(type.sent), simulated.by_type[i++].per_entry) << protocol;
    }
  }
}

TEST(Classic, AloneItSendsThriceToEachOtherMemberOfItsQuorum) {
  for (const std::string protocol : {"maekawa", "surrogate", "shares"}) {
    const ClassicPlan plan = plan_of(scenario_of(protocol, "grid:rows=3,cols=3"), 1);
    const NodeSet quorum = plan.setting.home(0);
    ASSERT_TRUE(quorum.contains(0));
    EXPECT_EQ(run(plan).remote(), plan.requests * 3 * (quorum.size() - 1)) << protocol;
  }
}

TEST(Classic, WhenAllAskTheRuleHolds) {
  for (const auto& [protocol, system] : kCases) {
    const sim::Scenario scenario = scenario_of(protocol, system);
    run(plan_of(scenario, scenario.setting.processes));
  }
}

// Somebody who only says that it takes part.
class Impostor {
 public:
  Impostor(boost::asio::io_context& io, std::uint64_t secret) : door_(io, secret) {}
  void visit(std::uint16_t port, NodeId process) {
    channel_ = door_.visit(port, process);
    channel_->start([](const wire::Message& /*message*/) {},
                    [this](const std::string& /*reason*/) { is_sent_away_ = true; });
  }
  void say(wire::Testimony::Step step) {
    wire::Message message;
    message.mutable_testimony()->mutable_moved()->set_step(step);
    message.mutable_testimony()->mutable_moved()->add_groups(0);
    channel_->send(message);
  }
  void say_bytes(const std::string& bytes) {
    wire::Message message;
    message.set_classic(bytes);
    channel_->send(message);
  }
  bool is_sent_away() const { return is_sent_away_; }

 private:
  ClassicDoor door_;
  std::shared_ptr<Channel> channel_;
  bool is_sent_away_ = false;
};

struct Scene {
  explicit Scene(ClassicPlan given) : plan(std::move(given)) {
    for (std::size_t i = 0; i < plan.setting.processes; ++i) {
      impostors.push_back(std::make_unique<Impostor>(io, plan.secret));
      impostors.back()->visit(witness.port(), static_cast<NodeId>(i));
    }
    witness.start([] {});
  }
  const ClassicReport& end() {
    io.run();
    return witness.report();
  }
  ClassicPlan plan;
  boost::asio::io_context io{1};
  ClassicWitness witness{io, plan};
  std::vector<std::unique_ptr<Impostor>> impostors;
};

TEST(ClassicWitness, SeesTwoInside) {
  Scene scene(plan_of(scenario_of("maekawa", "majority:n=3"), 3));
  for (const std::size_t i : {0U, 1U}) {
    scene.impostors[i]->say(wire::Testimony::ASKS);
    scene.impostors[i]->say(wire::Testimony::ENTERED);
  }
  EXPECT_THAT(scene.end().fault.value_or(""), HasSubstr("inside"));
}

TEST(ClassicWitness, SeesTooManyOutside) {
  Scene scene(plan_of(scenario_of("mutin", "majority:n=5"), 5));  // three must stay
  for (std::size_t i = 0; i < 3; ++i) {
    scene.impostors[i]->say(wire::Testimony::LEAVES);
    scene.impostors[i]->say(wire::Testimony::LEFT);
  }
  EXPECT_THAT(scene.end().fault.value_or(""), HasSubstr("inside"));
}

TEST(ClassicWitness, SeesAStepThatCannotBe) {
  Scene scene(plan_of(scenario_of("maekawa", "majority:n=3"), 3));
  scene.impostors[2]->say(wire::Testimony::ENTERED);
  EXPECT_EQ(scene.end().fault, "process 2 took a step that cannot be");
  Scene garbled(plan_of(scenario_of("maekawa", "majority:n=3"), 3));
  garbled.impostors[1]->say_bytes("no testimony");
  EXPECT_EQ(garbled.end().fault, "process 1 said what is no testimony");
}

TEST(ClassicDoor, SendsAwayWhoDoesNotKnowTheSecret) {
  boost::asio::io_context io(1);
  ClassicPlan plan = plan_of(scenario_of("maekawa", "majority:n=3"), 3);
  ClassicWitness witness(io, plan);
  witness.start([] {});
  Impostor stranger(io, plan.secret + 1);
  stranger.visit(witness.port(), 0);
  while (!stranger.is_sent_away()) io.run_one();
  EXPECT_EQ(witness.report().fault, std::nullopt);
}

}  // namespace
}  // namespace coterie::net
