// Counting by votes, without faults: what it costs and whom it tells. The checker has the rest.
#include "protocol/census.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

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
  std::map<NodeId, census::Commit> commits;
  std::map<NodeId, census::Record> records;
  bool is_inside = false;

 private:
  void post(NodeId to, Label /*label*/) override {
    Reader reader(written());
    census::Message message;
    unpack(reader, message);
    if (const auto* const request = std::get_if<census::Request>(&message)) tags[to] = request->tag;
    if (const auto* const commit = std::get_if<census::Commit>(&message)) commits[to] = *commit;
    if (const auto* const record = std::get_if<census::Record>(&message)) records[to] = *record;
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

// A lead, whose quorum says that these are inside, and others that want to come along.
class Company : public ::testing::Test {
 protected:
  struct Rider {
    Requests out;
    std::unique_ptr<census::Requester> requester;
  };

  void come_in(const std::string& variant, const census::Terms& terms, const census::Census& inside,
               const std::vector<Group>& names) {
    setting_.version.variants = {variant};
    census::Requester lead({setting_, 0, clock_, lead_}, 0);
    lead.meet(setting_.everyone(), setting_.none());
    for (std::size_t i = 1; i < names.size(); ++i) {
      riders_.push_back(std::make_unique<Rider>());
      riders_.back()->requester = std::make_unique<census::Requester>(
          Context<census::Message>{setting_, static_cast<NodeId>(3 * i), clock_,
                                   riders_.back()->out},
          0);
    }
    lead.bring([&](census::Party& party) {
      EXPECT_TRUE(lead_.commits.empty()) << "the votes are given back after they are recorded";
      for (std::size_t i = 1; i < names.size(); ++i)
        riders_[i - 1]->requester->come_along({Groups{names[i]}, {}}, party);
    });
    lead.enter(Demand{Groups{names.front()}, {}}, Stamp{Time{1}, 0});
    const auto asked = lead_.tags;
    for (const auto& [arbiter, tag] : asked) lead.on(arbiter, census::Grant{tag, 7, inside, terms});
  }
  bool is_inside(std::size_t rider) const { return riders_[rider]->out.is_inside; }
  bool arms() const { return lead_.commits.begin()->second.arms; }

  Setting setting_ = over("majority:n=3", 2);
  Clock clock_;
  Requests lead_;
  std::vector<std::unique_ptr<Rider>> riders_;
};

TEST_F(Company, IsRecordedWhereTheLeadIsAndTheLeadTellsTheLastToken) {
  come_in("band", {0, 1, 9, false}, {}, {1, 2, 3});
  ASSERT_EQ(lead_.commits.size(), kQuorumSize);
  for (const auto& rider : riders_) {
    EXPECT_EQ(rider->requester->holds().size(), kQuorumSize);
    EXPECT_EQ(rider->out.records.size(), kQuorumSize);
  }
  EXPECT_EQ(riders_[0]->requester->token(), 9U);
  EXPECT_EQ(riders_[1]->requester->token(), 10U);
  for (const auto& [arbiter, commit] : lead_.commits) EXPECT_EQ(commit.number, 10U);
}

TEST_F(Company, WaitsForItsOwnFormerRecordAsForAnothers) {
  census::Census inside;
  inside.insert({{3, Life::present}, {2, false}});
  come_in("band", {0, 0, 9, false}, inside, {1, 2, 3});
  EXPECT_FALSE(is_inside(0));
  EXPECT_TRUE(riders_[0]->requester->at_rest()) << "as if it had not been called";
  EXPECT_TRUE(is_inside(1));
}

TEST_F(Company, CountsForTheFloorButWhoIsOnlyShownDoesNot) {
  census::Census inside;
  inside.insert({{1, Life::present}, {8, true}});
  come_in("band", {0, 3, 9, false}, inside, {1, 2});
  ASSERT_TRUE(is_inside(0));
  EXPECT_FALSE(arms());
}

TEST_F(Company, ArmsTheFloorWithTheLead) {
  census::Census inside;
  inside.insert({{1, Life::present}, {8, false}});
  come_in("band", {0, 3, 9, false}, inside, {1, 2});
  ASSERT_TRUE(is_inside(0));
  EXPECT_TRUE(arms());
}

// Two are inside of the four that the terms allow, whatever the setting says.
TEST_F(Company, TakesThePlacesThatAreLeftByTheTerms) {
  census::Census inside;
  inside.insert({{1, Life::present}, {8, false}});
  inside.insert({{1, Life::former}, {9, false}});
  come_in("band", {5, 0, 4, false}, inside, {1, 2, 3});
  EXPECT_TRUE(is_inside(0));
  EXPECT_FALSE(is_inside(1));
}

TEST_F(Company, OfAGroupThatIsInsideTakesNoRoom) {
  census::Census inside;
  inside.insert({{1, Life::present}, {8, false}});
  come_in("rooms", {0, 0, 2, false}, inside, {1, 2, 8, 1});
  EXPECT_FALSE(is_inside(0));
  EXPECT_TRUE(is_inside(1));
  EXPECT_TRUE(is_inside(2));
}

TEST(Census, RefusesWhatCannotBe) {
  EXPECT_THROW(Network("census", over("majority:n=3", 0)), std::invalid_argument);
  EXPECT_THROW(Network("census+rooms+floor", over("majority:n=3")), std::invalid_argument);
  EXPECT_THROW(Network("census+floor", floor("majority:n=3", 3)), std::invalid_argument);
  EXPECT_THROW(Network("census", over("k-majority:n=5,k=2")), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::protocol
