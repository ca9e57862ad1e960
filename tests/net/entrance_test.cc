#include "net/entrance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coterie::net {
namespace {

using member::Duration;
using member::Instant;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr Entrance::Limits kLimits{.under_way = 2,
                                   .per_second = 10,
                                   .waiting = 4,
                                   .of_members = 1,
                                   .of_members_per_second = 5,
                                   .long_enough = Duration::milliseconds(500)};
const Instant kNow = Instant{} + Duration::seconds(100);

TEST(Entrance, LetsSomeInAtOnceAndSomeInASecond) {
  Entrance entrance(kLimits);
  for (Entrance::Id id = 1; id <= 4; ++id) EXPECT_FALSE(entrance.knock(id, "here", false));
  EXPECT_THAT(entrance.admit(kNow), ElementsAre(1, 2));
  EXPECT_THAT(entrance.admit(kNow), IsEmpty());
  entrance.done(1);
  EXPECT_THAT(entrance.admit(kNow), ElementsAre(3));
  for (Entrance::Id id = 5; id <= 20; ++id) {
    entrance.knock(id, "here", false);
    for (const Entrance::Id begun : entrance.admit(kNow)) entrance.done(begun);
    entrance.done(2);
    entrance.done(3);
  }
  EXPECT_THAT(entrance.admit(kNow), IsEmpty());  // ten have begun
  EXPECT_EQ(entrance.admit(kNow + Duration::milliseconds(100)).size(), 1U);
}

TEST(Entrance, LetsOriginsTakeTurns) {
  Entrance entrance(kLimits);
  for (Entrance::Id id = 1; id <= 3; ++id) entrance.knock(id, "crowd", false);
  entrance.knock(4, "honest", false);
  EXPECT_THAT(entrance.admit(kNow), ElementsAre(1, 4));
}

TEST(Entrance, SendsTheOldestOfTheGreatestCrowdAway) {
  Entrance entrance(kLimits);
  EXPECT_FALSE(entrance.knock(1, "honest", false));
  for (Entrance::Id id = 2; id <= 4; ++id) EXPECT_FALSE(entrance.knock(id, "crowd", false));
  EXPECT_THAT(entrance.knock(5, "crowd", false), Optional(2U));
  EXPECT_THAT(entrance.knock(6, "late", false), Optional(3U));
  EXPECT_EQ(entrance.waiting(), 4U);
  EXPECT_THAT(entrance.admit(kNow), ElementsAre(1, 4));
}

TEST(Entrance, HasPlacesForMembers) {
  Entrance entrance(kLimits);
  for (Entrance::Id id = 1; id <= 4; ++id) entrance.knock(id, "crowd", false);
  EXPECT_THAT(entrance.admit(kNow), ElementsAre(1, 2));
  entrance.knock(5, "member", true);
  entrance.knock(6, "member", true);  // one more than there are places: it waits as others do
  EXPECT_THAT(entrance.admit(kNow), ElementsAre(5));
  entrance.done(5);
  entrance.knock(7, "member", true);
  EXPECT_THAT(entrance.admit(kNow), ElementsAre(7));
}

TEST(Entrance, TakesThePlaceOfWhoIsSlowIfOthersWait) {
  Entrance entrance(kLimits);
  entrance.knock(1, "slow", false);
  entrance.knock(2, "slow", false);
  EXPECT_THAT(entrance.admit(kNow), ElementsAre(1, 2));
  const Instant later = kNow + Duration::seconds(1);
  EXPECT_THAT(entrance.overdue(later), IsEmpty());  // nobody waits
  entrance.knock(3, "honest", false);
  EXPECT_THAT(entrance.overdue(kNow), IsEmpty());
  EXPECT_THAT(entrance.overdue(later), ElementsAre(1));
  entrance.done(1);
  EXPECT_THAT(entrance.admit(later), ElementsAre(3));
}

TEST(Entrance, ForgetsWhoIsGone) {
  Entrance entrance(kLimits);
  for (Entrance::Id id = 1; id <= 3; ++id) entrance.knock(id, "here", false);
  entrance.knock(4, "member", true);
  for (Entrance::Id id = 1; id <= 4; ++id) entrance.done(id);
  EXPECT_FALSE(entrance.has_waiting());
  EXPECT_THAT(entrance.admit(kNow), IsEmpty());
  EXPECT_EQ(entrance.under_way(), 0U);
}

}  // namespace
}  // namespace coterie::net
