// Counting by votes, without faults: what it costs and whom it tells. The checker has the rest.
#include "protocol/census.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "protocol/floors.h"

namespace coterie::protocol {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t kQuorumSize = 2;  // of majority:n=3

TEST(Census, FourMessagesPerMemberOfTheQuorumAndTwoHops) {
  Network net("census", over("majority:n=3", 2));
  net.enter(0);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  EXPECT_THAT(names_delivered(net), ElementsAre("REQUEST", "GRANT", "COMMIT"));
  net.exit(0);
  net.run();
  EXPECT_EQ(net.sent(), 4 * kQuorumSize);
  EXPECT_TRUE(net.is_at_rest());
}

TEST(Census, AFloorAsksNobodyWhoEntersAndABandBothWays) {
  Network floor_only("census+floor", floor("majority:n=3", 1));
  floor_only.exit(0);
  floor_only.run();
  floor_only.enter(0);
  floor_only.run();
  EXPECT_EQ(floor_only.sent(), 4 * kQuorumSize);
  Network both("census+band", band("majority:n=3", 1, 2, {0, 1}));
  both.exit(0);
  both.run();
  both.enter(0);
  both.run();
  EXPECT_EQ(both.sent(), 6 * kQuorumSize);
}

TEST(Census, WhoWaitsForRoomIsToldWhoLeaves) {
  Network net("census", over("majority:n=3", 2));
  for (const NodeId process : {0U, 1U, 2U}) {
    net.enter(process);
    net.run();
  }
  EXPECT_EQ(net.inside().size(), 2U);
  net.forget();
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(2));
  EXPECT_EQ(net.sent("UPDATE"), kQuorumSize);
}

TEST(Census, ALastingHoldHasASpare) {
  Network net("census", over("majority:n=3"));
  net.enter(0);
  net.run();
  EXPECT_TRUE(net.is_alarm_set(0));
  net.forget();
  net.alarm(0);
  net.run();
  EXPECT_THAT(names_delivered(net), ElementsAre("REQUEST", "GRANT", "COMMIT"));
}

TEST(Census, AGroupNeverTakesTwoRooms) {
  Network net("census+rooms", over("majority:n=3", 2));
  net.enter(0, {0});
  net.run();
  net.enter(1, {0});
  net.run();
  net.enter(2, {1});
  net.run();
  EXPECT_EQ(net.inside().size(), 3U);
  EXPECT_EQ(net.groups_inside(), 2U);
}

// Remembers the tags by which it asked, and whether it is inside.
class Requests final : public Outbox<census::Message> {
 public:
  void entered(Group /*group*/) override { is_inside = true; }
  void exited() override {}
  void set_alarm() override {}
  void lost() override {}
  void fenced(std::uint64_t /*token*/) override {}

  std::map<NodeId, Time> tags;
  bool is_inside = false;

 private:
  void post(NodeId to, Label /*label*/) override {
    Reader reader(written());
    census::Message message;
    unpack(reader, message);
    if (const auto* const request = std::get_if<census::Request>(&message)) tags[to] = request->tag;
  }
  void post(const NodeSet& to, Label label) override {
    for (const NodeId one : to) post(one, label);
  }
};

// Process 1 was inside as group 1, and has come again as group 2: arbiter 0 has not heard of it. Process 2 is inside as group 1.
TEST(Census, WhoHasComeAgainByAnotherGroupCountsByBoth) {
  Setting setting = over("majority:n=3", 2);
  setting.version.variants = {"rooms"};
  Clock clock;
  Requests out;
  census::Requester requester({setting, 0, clock, out}, 0);
  requester.meet(setting.everyone(), setting.none());
  requester.enter(Demand{Groups{3}, {}}, Stamp{Time{1}, 0});
  ASSERT_EQ(out.tags.size(), kQuorumSize);
  const census::Terms terms{0, 0, 2, false};
  Group again = 1;
  for (const auto& [arbiter, tag] : out.tags) {
    census::Census inside;
    inside.insert({{1, Life::present}, {again++, false}});
    inside.insert({{2, Life::present}, {1, false}});
    requester.on(arbiter, census::Grant{tag, 1, inside, terms});
  }
  EXPECT_FALSE(out.is_inside);
}

TEST(Census, RefusesWhatCannotBe) {
  EXPECT_THROW(Network("census", over("majority:n=3", 0)), std::invalid_argument);
  EXPECT_THROW(Network("census+rooms+floor", over("majority:n=3")), std::invalid_argument);
  EXPECT_THROW(Network("census+floor", floor("majority:n=3", 3)), std::invalid_argument);
  EXPECT_THROW(Network("census", over("k-majority:n=5,k=2")), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::protocol
