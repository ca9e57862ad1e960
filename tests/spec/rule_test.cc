#include "spec/rule.h"

#include <gtest/gtest.h>

namespace coterie::spec {
namespace {

using enum Place;

const std::vector<Group> kA{0};
const std::vector<Group> kB{1};

TEST(Rule, AtMostCountsThoseWhoAreLeaving) {
  const Rule rule = Rule::at_most(1);
  EXPECT_FALSE(rule.broken(std::vector<Person>{{inside, 0, {}}, {entering, 0, kA}}));
  EXPECT_TRUE(rule.broken(std::vector<Person>{{inside, 0, {}}, {leaving, 0, {}}}));
}

TEST(Rule, GroupsAreCountedOnce) {
  const std::vector<Person> people{{inside, 0, {}}, {inside, 1, {}}, {leaving, 0, {}}};
  EXPECT_TRUE(Rule::one_group().broken(people));
  EXPECT_FALSE(Rule::at_most_groups(2).broken(people));
  EXPECT_FALSE(Rule::one_group().broken(
      std::vector<Person>{{inside, 1, {}}, {inside, 1, {}}, {outside, 0, {}}}));
}

TEST(Rule, FloorsAndBands) {
  const std::vector<Person> two{{inside, 0, {}}, {leaving, 0, {}}, {outside, 0, {}}};
  EXPECT_FALSE(Rule::at_least(2).broken(two));
  EXPECT_TRUE(Rule::at_least(3).broken(two));
  EXPECT_FALSE(Rule::between(1, 2).broken(two));
  EXPECT_TRUE(Rule::between(0, 1).broken(two));
}

TEST(Rule, AFreeSlotMustBeReachable) {
  const std::vector<Person> people{{inside, 0, {}}, {entering, 0, kA}};
  EXPECT_FALSE(Rule::at_most(1).slot_unreachable(people));
  EXPECT_TRUE(Rule::at_most(2).slot_unreachable(people));
  EXPECT_TRUE(Rule::at_most_groups(2).slot_unreachable(people));
  const std::vector<Person> leaver{{inside, 0, {}}, {leaving, 0, {}}};
  EXPECT_FALSE(Rule::at_least(2).slot_unreachable(leaver));
  EXPECT_TRUE(Rule::at_least(1).slot_unreachable(leaver));
}

TEST(Rule, FriendsEnterTogetherUnlessAnotherGroupWaits) {
  const Rule rule = Rule::one_group();
  EXPECT_TRUE(rule.friends_kept_out(std::vector<Person>{{inside, 0, {}}, {entering, 0, kA}}));
  EXPECT_FALSE(rule.friends_kept_out(
      std::vector<Person>{{inside, 0, {}}, {entering, 0, kA}, {entering, 0, kB}}));
  EXPECT_FALSE(rule.friends_kept_out(std::vector<Person>{{inside, 0, {}}, {outside, 0, {}}}));
}

TEST(Rule, AtTheEndWhoMustWaitWaitsRightly) {
  const std::vector<Person> people{{inside, 0, {}}, {leaving, 0, {}}};
  EXPECT_FALSE(Rule::between(2, 2).unserved(people));
  EXPECT_TRUE(Rule::between(1, 2).unserved(people));
  EXPECT_TRUE(Rule::at_most(1).unserved(std::vector<Person>{{outside, 0, {}}, {entering, 0, kA}}));
}

TEST(Rule, LeavingMayMendTooManyAndEnteringTooFew) {
  EXPECT_TRUE(Rule::at_most(1).may_mend(inside, outside));
  EXPECT_FALSE(Rule::at_most(1).may_mend(entering, inside));
  EXPECT_TRUE(Rule::at_least(1).may_mend(entering, inside));
  EXPECT_FALSE(Rule::at_least(1).may_mend(leaving, outside));
}

TEST(Rule, WhereFaultsTakeAwayWhomTheyLikeWhoLeavesMustKeepTheLeast) {
  const Rule rule = Rule::between(2, 3);
  EXPECT_FALSE(rule.broken_by_leaving(2));
  EXPECT_EQ(rule.broken_by_leaving(1), "1 stay inside, at least 2 must");
  EXPECT_FALSE(rule.without_min().broken({}));
  EXPECT_TRUE(rule.broken({}));
}

}  // namespace
}  // namespace coterie::spec
