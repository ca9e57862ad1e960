// Names that members refuse: what is no text, and what others use as something else.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "member/api.h"
#include "member/cluster.h"

namespace coterie::member {
namespace {

// Two members' clients want a name as two things, and each member would decline the other's, one after the other.
class WhoWaitsForTheLesser : public ::testing::TestWithParam<Kind> {};

TEST_P(WhoWaitsForTheLesser, GoesAtOnce) {
  Cluster cluster("majority:n=3");
  cluster.kill(0);
  cluster.pass(Cluster::kLease * 3);
  const auto ask = [&](NodeId member, const Kind& kind) {
    const SessionId client = cluster.join(member);
    Wish wish;
    wish.name = "x";
    wish.kind = kind;
    if (kind.type == Type::room) wish.groups = {"of " + std::to_string(client)};
    return std::pair{client, cluster.acquire(client, wish)};
  };
  const Kind lesser = GetParam();
  const Kind greater{Type::semaphore, 0, 6};
  cluster.hold_frames();
  std::vector lesser_ones = {ask(1, lesser), ask(1, lesser)};
  const std::vector greater_ones = {ask(2, greater), ask(2, greater), ask(2, greater)};
  cluster.deliver_once();
  lesser_ones.push_back(ask(1, lesser));  // before it is heard there that the others are declined
  while (!cluster.frames().empty()) cluster.deliver_once();
  for (const auto& [client, request] : lesser_ones) {
    ASSERT_NE(cluster.told<Refused>(client, request), nullptr);
    EXPECT_EQ(cluster.told<Refused>(client, request)->why, Refusal::mismatch);
  }
  EXPECT_TRUE(cluster.is_inside(greater_ones[1].first, greater_ones[1].second));
  EXPECT_TRUE(cluster.is_inside(greater_ones[2].first, greater_ones[2].second));
}

INSTANTIATE_TEST_SUITE_P(Mismatch, WhoWaitsForTheLesser,
                         ::testing::Values(Kind{Type::room, 0, 1}, Kind{Type::semaphore, 0, 2}));

// An arbiter that knew the name as something else declines a request; before that is heard the request has
// changed, and the arbiter, which has meanwhile forgotten why it declined, serves it.
TEST(Mismatch, WhoIsDeclinedLeavesNothingBehind) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  cluster.hold_frames();
  const RequestId request = cluster.mutex(client, "m");
  std::size_t declined = 0;
  while (!cluster.frames().empty()) {
    auto [way, frame] = cluster.frames().front();
    cluster.frames().pop_front();
    for (Packet<Answer>& packet : frame.answering.packets) {
      const auto* const lock = std::get_if<Lock>(&packet.body);
      if (lock == nullptr) continue;
      packet.body = Mismatch{lock->tag, {Type::room}};
      ++declined;
    }
    cluster.member(way.second).receive(way.first, frame, cluster.now());
  }
  ASSERT_GT(declined, 0U);
  ASSERT_NE(cluster.told<Refused>(client, request), nullptr);
  EXPECT_EQ(cluster.told<Refused>(client, request)->why, Refusal::mismatch);
  for (NodeId member = 0; member < 3; ++member) EXPECT_EQ(cluster.member(member).resources(), 0U);
}

TEST(Names, ThatAreNoTextAreRefused) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  const auto why = [&](RequestId request) { return cluster.told<Refused>(client, request)->text; };
  EXPECT_EQ(why(cluster.mutex(client, "caf\xe9")), "the name must be text in UTF-8");
  EXPECT_EQ(why(cluster.mutex(client, "\xed\xa0\x80")), "the name must be text in UTF-8");
  EXPECT_EQ(why(cluster.mutex(client, std::string(256, 'x'))),
            "the name has 256 bytes; at most 255 are allowed");
  EXPECT_EQ(why(cluster.room(client, "r", {"blue", "\xff"})), "a group must be text in UTF-8");
  EXPECT_EQ(why(cluster.room(client, "r", std::vector<std::string>(257, "g"))),
            "a request names 257 groups; at most 256 are allowed");
  EXPECT_EQ(why(cluster.room(client, "r", std::vector<std::string>(17, std::string(255, 'g')))),
            "the groups have 4335 bytes together; at most 4096 are allowed");
  const RequestId cafe = cluster.mutex(client, "caf\xc3\xa9");
  EXPECT_TRUE(cluster.is_inside(client, cafe));
}

}  // namespace
}  // namespace coterie::member
