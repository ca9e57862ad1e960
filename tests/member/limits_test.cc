// What a client may ask for at most, and what a member does at most in one step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "member/cluster.h"

namespace coterie::member {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string text_of_refusal(const Cluster& cluster, SessionId client, RequestId request) {
  const auto* const refused = cluster.told<Refused>(client, request);
  return refused != nullptr ? refused->text : "not refused";
}

TEST(ClientLimits, ANameMoreThanAClientMayHoldIsRefusedAndOthersAreServed) {
  Cluster cluster("majority:n=3");
  const SessionId greedy = cluster.join(0);
  RequestId last = 0;
  for (std::size_t i = 0; i < ClientLimits::kNames; ++i)
    last = cluster.mutex(greedy, "m" + std::to_string(i));
  EXPECT_TRUE(cluster.is_inside(greedy, last));
  EXPECT_EQ(text_of_refusal(cluster, greedy, cluster.mutex(greedy, "more")),
            "a client may hold or wait for at most 16384 names at once");
  const SessionId other = cluster.join(0);
  EXPECT_TRUE(cluster.is_inside(other, cluster.mutex(other, "more")));
  cluster.release(greedy, last);
  EXPECT_TRUE(cluster.is_inside(greedy, cluster.mutex(greedy, "another")));
}

Burial end_of(const std::string& name) {
  Burial burial;
  burial.name = name;
  burial.owner = "o";
  return burial;
}

TEST(ClientLimits, AnEndOfALastingHoldTooManyIsRefused) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  cluster.kill(1);
  cluster.kill(2);
  for (std::size_t i = 0; i < ClientLimits::kErrands; ++i)
    cluster.bury(client, end_of("m" + std::to_string(i)));
  EXPECT_THAT(text_of_refusal(cluster, client, cluster.bury(client, end_of("m"))),
              HasSubstr("at most 1024 releases of lasting holds and changes"));
  Change change;
  change.name = "n";
  change.is_reform = true;
  EXPECT_THAT(text_of_refusal(cluster, client, cluster.change(client, change)),
              HasSubstr("at most 1024 releases of lasting holds and changes"));
  const SessionId other = cluster.join(0);
  EXPECT_EQ(text_of_refusal(cluster, other, cluster.bury(other, end_of("m"))), "not refused");
}

// Its driver would be late for everything else.
TEST(ClientLimits, NotAllThatIsDueIsDoneInOneStep) {
  constexpr std::size_t kMany = 2'000;
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  for (std::size_t i = 0; i < kMany; ++i) cluster.mutex(client, "m" + std::to_string(i));
  // Older than a third of a lease: each wants one more arbiter.
  const Instant later = cluster.now() + Cluster::kLease / 2;
  std::size_t steps = 0;
  do {
    cluster.member(0).tick(later);
    ++steps;
  } while (cluster.member(0).next_tick() <= later && steps < kMany);
  EXPECT_GE(steps, 3U);
  EXPECT_LT(steps, kMany);
  for (const Event& event : cluster.events(client))
    EXPECT_FALSE(std::holds_alternative<Lost>(event));
}

TEST(ClientLimits, NamesAreToldInPages) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  for (const char* name : {"d", "a", "c", "b", "e"}) cluster.mutex(client, name);
  EXPECT_THAT(cluster.member(0).names("", 2), ElementsAre("a", "b"));
  EXPECT_THAT(cluster.member(0).names("b", 2), ElementsAre("c", "d"));
  EXPECT_THAT(cluster.member(0).names("d", 2), ElementsAre("e"));
  EXPECT_THAT(cluster.member(0).names("e", 2), IsEmpty());
}

TEST(ClientLimits, AQuestionTooManyIsRefused) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  cluster.hold_frames();
  const auto ask = [&](RequestId request) {
    cluster.member(0).show(client, request, "m", cluster.now());
  };
  constexpr RequestId kFirst = 1'000'000;
  for (RequestId i = 0; i < ClientLimits::kLooks; ++i) ask(kFirst + i);
  const RequestId last = kFirst + ClientLimits::kLooks;
  ask(last);
  EXPECT_THAT(text_of_refusal(cluster, client, last), HasSubstr("at most 64 questions"));
  cluster.release_frames();
  EXPECT_NE(cluster.told<Shown>(client, kFirst), nullptr);
  ask(last + 1);
  cluster.deliver();
  EXPECT_NE(cluster.told<Shown>(client, last + 1), nullptr);
}

}  // namespace
}  // namespace coterie::member
