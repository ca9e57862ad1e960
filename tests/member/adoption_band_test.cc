// Participants of a band who show their tickets at another member: what counts towards the floor meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "member/adopted.h"
#include "member/cluster.h"

namespace coterie::member {
namespace {

// Two are inside where one must stay: the one called p, at first at member 0, and another at member 1.
class AdoptionInABand : public ::testing::Test {
 protected:
  AdoptionInABand() { cluster_.pass(Cluster::kLease * 3); }

  void show_ticket_at(NodeId member) {
    Wish wish = wish_of({Type::band, 1, kNoMax}, {"p"});
    wish.wait = Duration::seconds(1);
    wish.ticket = {granted_.origin, "", granted_.token, granted_.secret};
    again_ = cluster_.join(member);
    moved_ = cluster_.acquire(again_, wish);
    ASSERT_TRUE(cluster_.is_inside(again_, moved_));
  }
  bool has_left(SessionId client, RequestId request) const {
    return cluster_.told<Left>(client, request) != nullptr;
  }

  Cluster cluster_{"majority:n=5"};
  SessionId first_ = cluster_.join(0);
  SessionId second_ = cluster_.join(1);
  RequestId inside_ = cluster_.band(first_, "x", "p", 1);
  RequestId other_ = cluster_.band(second_, "x", "q", 1);
  Granted granted_ = *cluster_.told<Granted>(first_, inside_);
  SessionId again_ = 0;
  RequestId moved_ = 0;
};

// What is recorded by the old member counts towards the floor: who has moved must not leave while others count that.
TEST_F(AdoptionInABand, AFloorIsKept) {
  cluster_.silence(first_);  // its member lives
  show_ticket_at(2);
  cluster_.confirm(again_, moved_);
  cluster_.release(again_, moved_);
  EXPECT_FALSE(has_left(again_, moved_));
  cluster_.pass(Duration::seconds(10));
  EXPECT_TRUE(has_left(again_, moved_));
  cluster_.release(second_, other_);
  cluster_.pass(Duration::seconds(10));
  EXPECT_FALSE(has_left(second_, other_)) << "nobody else is inside";
}

// The former member knows nothing of the move, and repairs the hold of a client that has left since (torture, seed 51685).
TEST(AdoptionInABandWithAMaximum, WhatIsLeftBehindIsNotRecordedAgain) {
  Cluster cluster("majority:n=5");
  cluster.pass(Cluster::kLease * 3);
  const SessionId first = cluster.join(0);
  const RequestId inside = cluster.band(first, "x", "p", 1, 4);
  const SessionId second = cluster.join(1);
  const RequestId other = cluster.band(second, "x", "q", 1, 4);
  const Granted granted = *cluster.told<Granted>(first, inside);
  cluster.silence(first);
  Wish wish = wish_of({Type::band, 1, 4}, {"p"});
  wish.wait = Duration::seconds(1);
  wish.ticket = {granted.origin, "", granted.token, granted.secret};
  const SessionId again = cluster.join(2);
  const RequestId moved = cluster.acquire(again, wish);
  ASSERT_TRUE(cluster.is_inside(again, moved));
  cluster.confirm(again, moved);
  cluster.release(again, moved);
  ASSERT_NE(cluster.told<Left>(again, moved), nullptr);
  EXPECT_NE(cluster.told<Lost>(first, inside), nullptr);
  cluster.pass(Cluster::kLease);  // its spare is asked for meanwhile
  cluster.release(second, other);
  EXPECT_EQ(cluster.told<Left>(second, other), nullptr) << "nobody else is inside";
}

// The same for a hold that lasts, whose own record must not be taken for that of the old member (torture, seed 1894).
TEST_F(AdoptionInABand, AFloorIsKeptByAnOwnerToo) {
  cluster_.silence(first_);  // its member lives
  show_ticket_at(2);
  cluster_.confirm(again_, moved_);
  cluster_.release(again_, moved_, {.is_abandonment = true});
  Wish wish = wish_of({Type::band, 1, kNoMax}, {"p"});
  wish.owner = "p";
  wish.attempt = {1, 2};
  RequestId held = cluster_.acquire(again_, wish);
  for (int i = 0; i < 100 && !cluster_.lasts(again_, held); ++i) cluster_.pass(Cluster::kStep);
  ASSERT_TRUE(cluster_.lasts(again_, held));
  const auto is_recorded = [&] {
    for (NodeId arbiter = 0; arbiter < 5; ++arbiter) {
      for (const EntryView& entry : cluster_.member(arbiter).view("x", cluster_.now()).entries) {
        if (entry.has_share && entry.member == 0) return true;
      }
    }
    return false;
  };
  ASSERT_TRUE(is_recorded());
  Burial burial;
  burial.name = "x";
  burial.kind = wish.kind;
  burial.owner = "p";
  burial.token = cluster_.told<Lasts>(again_, held)->token;
  const RequestId ends = cluster_.bury(again_, burial);
  for (int i = 0; i < 100 && is_recorded(); ++i) {
    ASSERT_FALSE(has_left(again_, ends));
    cluster_.pass(Cluster::kStep);
  }
  cluster_.pass(Duration::seconds(10));
  EXPECT_TRUE(has_left(again_, ends));
  cluster_.release(second_, other_);
  cluster_.pass(Duration::seconds(10));
  EXPECT_FALSE(has_left(second_, other_)) << "nobody else is inside";
}

// Its session lapses where it was, and one that had it recorded does not hear of it: others may count that for a while.
TEST_F(AdoptionInABand, WhoComesWithoutATicketMayStillBeCountedWhereItWas) {
  const auto has_p = [&](NodeId arbiter) {
    const auto entries = cluster_.member(arbiter).view("x", cluster_.now()).entries;
    return std::any_of(entries.begin(), entries.end(),
                       [](const EntryView& entry) { return entry.has_share && entry.member == 0; });
  };
  NodeId deaf = 2;  // where the other is not
  while (deaf < 5 && !has_p(deaf)) ++deaf;
  ASSERT_LT(deaf, 5U);
  const NodeId asks = deaf == 4 ? 3 : 4;  // others than that one
  cluster_.cut(asks, deaf);
  cluster_.cut(deaf, asks);
  cluster_.silence(first_);  // its member lives
  const SessionId again = cluster_.join(asks);
  const RequestId enters = cluster_.band(again, "x", "p", 1);
  cluster_.pass(Duration::milliseconds(2900));  // its session is of three seconds
  ASSERT_FALSE(cluster_.is_inside(again, enters)) << "it is inside elsewhere";
  cluster_.cut(0, deaf);
  cluster_.pass(Duration::milliseconds(1500));
  ASSERT_TRUE(cluster_.is_inside(again, enters));
  ASSERT_TRUE(has_p(deaf));
  cluster_.release(again, enters);
  cluster_.release(second_, other_);
  cluster_.pass(Duration::seconds(20));
  EXPECT_NE(has_left(again, enters), has_left(second_, other_)) << "one must stay";
}

// It was on its way for so long that its client has left meanwhile.
TEST_F(AdoptionInABand, NobodyLeavesBecauseOfATicket) {
  cluster_.release(first_, inside_);
  cluster_.pass(Cluster::kLease * 4);
  ASSERT_FALSE(cluster_.is_inside(first_, inside_));
  Wish wish = wish_of({Type::band, 1, kNoMax}, {"p"});
  wish.wait = Duration::seconds(1);
  wish.ticket = {granted_.origin, "", granted_.token, granted_.secret};
  again_ = cluster_.join(2);
  moved_ = cluster_.acquire(again_, wish);
  EXPECT_FALSE(cluster_.is_inside(again_, moved_)) << "nobody knows of it any more";
  cluster_.release(second_, other_);
  cluster_.pass(Cluster::kStep);
  EXPECT_FALSE(has_left(second_, other_)) << "nobody has said to be inside";
  EXPECT_EQ(cluster_.told<Refused>(second_, other_), nullptr);
}

TEST_F(AdoptionInABand, OneLeavesBecauseOfAClientThatSaysThatItIsInside) {
  cluster_.kill(0);
  show_ticket_at(2);
  cluster_.pass(Cluster::kLease * 4);  // until nobody counts what the dead member had recorded
  cluster_.release(second_, other_);
  cluster_.pass(Cluster::kLease * 4);
  EXPECT_FALSE(has_left(second_, other_));
  cluster_.confirm(again_, moved_);
  EXPECT_TRUE(has_left(second_, other_));
  cluster_.release(again_, moved_);
  cluster_.pass(Duration::seconds(10));
  EXPECT_FALSE(has_left(again_, moved_));
}

// Those who come too late to be believed give back what they showed. Of three inside, where two must stay, nobody could leave
// and nobody enter if two of them had to be let out like those on whom others rely.
TEST(AdoptionOfTwo, WhoNeverSaidThatItIsInsideNeedNotStay) {
  Cluster cluster("majority:n=5");
  struct Moved {
    std::string name;
    SessionId client = 0;
    RequestId request = 0;
  };
  std::vector<Moved> all = {{"p"}, {"q"}};
  std::vector<Granted> granted;
  const SessionId first = cluster.join(0);
  const SessionId other = cluster.join(0);
  const SessionId third = cluster.join(1);
  granted.push_back(*cluster.told<Granted>(first, cluster.band(first, "x", "p", 2, 3)));
  granted.push_back(*cluster.told<Granted>(other, cluster.band(other, "x", "q", 2, 3)));
  const RequestId stays = cluster.band(third, "x", "r", 2, 3);
  ASSERT_TRUE(cluster.is_inside(third, stays));
  cluster.kill(0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Wish wish = wish_of({Type::band, 2, 3}, {all[i].name});
    wish.wait = Duration::seconds(1);
    wish.ticket = {granted[i].origin, "", granted[i].token, granted[i].secret};
    all[i].client = cluster.join(2);
    all[i].request = cluster.acquire(all[i].client, wish);
    ASSERT_TRUE(cluster.is_inside(all[i].client, all[i].request));
  }
  cluster.pass(Cluster::kLease * 4);
  cluster.release(third, stays);
  for (const Moved& one : all) cluster.release(one.client, one.request);
  const SessionId late = cluster.join(3);
  const RequestId enters = cluster.band(late, "x", "s", 2, 3);
  cluster.pass(Duration::seconds(10));
  EXPECT_TRUE(cluster.is_inside(late, enters));
  EXPECT_EQ(cluster.told<Left>(third, stays), nullptr) << "only one other is inside";
}

// One who moves is one, though it is recorded twice for a while: a floor of three is not armed by two.
TEST(AdoptionOfTwo, ArmsNoFloorForThree) {
  Cluster cluster("majority:n=5");
  const SessionId first = cluster.join(0);
  const RequestId inside = cluster.band(first, "x", "p", 3);
  const Granted granted = *cluster.told<Granted>(first, inside);
  Wish wish = wish_of({Type::band, 3, kNoMax}, {"p"});
  wish.wait = Duration::seconds(1);
  wish.ticket = {granted.origin, "", granted.token, granted.secret};
  const SessionId again = cluster.join(2);
  const RequestId moved = cluster.acquire(again, wish);
  cluster.confirm(again, moved);
  const SessionId second = cluster.join(1);
  const RequestId other = cluster.band(second, "x", "q", 3);
  ASSERT_TRUE(cluster.is_inside(second, other));
  cluster.release(second, other);
  cluster.pass(Cluster::kLease * 4);
  EXPECT_NE(cluster.told<Left>(second, other), nullptr);
}

}  // namespace
}  // namespace coterie::member
