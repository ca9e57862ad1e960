// Names that members refuse: what is no text, and what others use as something else.
#include "member/naming.h"

#include <gtest/gtest.h>

#include "member/cluster.h"

namespace coterie::member {
namespace {

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
