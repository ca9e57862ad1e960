// How long something has been held, as those see who look: also when it has moved from one member to another.
#include <gtest/gtest.h>

#include <limits>

#include "member/cluster.h"

namespace coterie::member {
namespace {

// What is seen of the hold after its member has died, and its client has shown its ticket at another.
Milliseconds since_when(const Kind& kind, Duration held) {
  Cluster cluster("majority:n=3");
  Wish wish;
  wish.name = "x";
  wish.kind = kind;
  if (kind.type == Type::room || kind.type == Type::band) wish.groups = {"p"};
  const SessionId client = cluster.join(0);
  const RequestId request = cluster.acquire(client, wish);
  cluster.pass(Duration::seconds(60));
  const Granted granted = *cluster.told<Granted>(client, request);
  cluster.kill(0);
  wish.ticket = {granted.origin, granted.group, granted.token, granted.secret, held};
  wish.wait = Duration::seconds(1);
  const SessionId other = cluster.join(1);
  EXPECT_TRUE(cluster.is_inside(other, cluster.acquire(other, wish)));
  const Picture picture = cluster.show(cluster.join(2), "x");
  EXPECT_EQ(picture.holders.size(), 1U);
  return picture.holders.empty() ? 0 : picture.holders[0].since;
}

TEST(Since, MovesWithTheHold) {
  for (const Kind& kind : {Kind{}, Kind{Type::room}, Kind{Type::semaphore, 0, 1},
                           Kind{Type::room, 0, 2}, Kind{Type::band, 0, 1}}) {
    const Milliseconds since = since_when(kind, Duration::seconds(60));
    EXPECT_GE(since, 60'000U) << text_of(kind);
    EXPECT_LE(since, 63'000U) << text_of(kind);
  }
}

// Nothing that a client says of the past can be counted beyond its bounds.
TEST(Since, IsNoTimeThatCannotBe) {
  constexpr Milliseconds kNineYears = 280'000'000'000;
  EXPECT_GT(since_when({}, Duration{std::numeric_limits<std::int64_t>::max()}), kNineYears);
  EXPECT_LE(since_when({}, Duration{-1}), 3'000U);
}

}  // namespace
}  // namespace coterie::member
