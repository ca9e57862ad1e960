// Clients whose member has died, or does not hear them any more, and who show their tickets at another one; in a
// cluster whose network and clock the test moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "member/adopted.h"
#include "member/cluster.h"

namespace coterie::member {
namespace {

using ::testing::HasSubstr;

struct Guest {
  SessionId client = 0;
  RequestId request = 0;
};

// What two clients want who cannot both be inside.
struct Rivals {
  std::string name;
  Wish first;
  Wish second;

  friend void PrintTo(const Rivals& rivals, std::ostream* out) { *out << rivals.name; }
};

std::vector<Rivals> all_kinds() {
  const Wish mutex = wish_of({Type::mutex});
  const Wish one = wish_of({Type::semaphore, 0, 1});
  return {
      {"mutex", mutex, mutex},
      {"room", wish_of({Type::room}, {"a", "c"}), wish_of({Type::room}, {"b"})},
      {"alone", wish_of({Type::room}, {}, true), wish_of({Type::room}, {"b"})},
      {"semaphore", one, one},
      {"band", wish_of({Type::band, 0, 1}, {"p"}), wish_of({Type::band, 0, 1}, {"q"})},
  };
}

class Adoption : public ::testing::TestWithParam<Rivals> {
 protected:
  Guest enter(NodeId at, const Wish& wish) {
    const SessionId client = cluster_.join(at);
    return {client, cluster_.acquire(client, wish)};
  }
  // Until the arbiters know the secrets of those inside (keyring.h).
  void be_known() { cluster_.pass(Duration::milliseconds(100)); }
  // As the client library does it.
  Guest move(const Guest& guest, Wish wish, NodeId to, Duration left = Duration::seconds(1)) {
    if (cluster_.is_alive(0)) be_known();
    const auto* const granted = cluster_.told<Granted>(guest.client, guest.request);
    wish.ticket = {granted->origin, granted->group, granted->token, granted->secret};
    wish.wait = left;
    cluster_.silence(guest.client);
    return enter(to, wish);
  }
  bool is_inside(const Guest& guest) const {
    return cluster_.is_inside(guest.client, guest.request);
  }
  Number token(const Guest& guest) const { return cluster_.token(guest.client, guest.request); }
  // Two of those who come second may be inside: they are of one group.
  static bool is_shared() { return GetParam().second.kind.type == Type::room; }
  void release(const Guest& guest) { cluster_.release(guest.client, guest.request); }

  Cluster cluster_{"majority:n=5"};
};

INSTANTIATE_TEST_SUITE_P(Kinds, Adoption, ::testing::ValuesIn(all_kinds()),
                         [](const auto& one) { return one.param.name; });

TEST_P(Adoption, KeepsTheHoldOfADeadMembersClient) {
  const Guest holder = enter(0, GetParam().first);
  const Guest rival = enter(1, GetParam().second);
  ASSERT_TRUE(is_inside(holder));
  be_known();
  cluster_.kill(0);
  const Guest moved = move(holder, GetParam().first, 2);
  ASSERT_TRUE(is_inside(moved));
  EXPECT_EQ(token(moved), token(holder));
  EXPECT_EQ(cluster_.told<Granted>(moved.client, moved.request)->group,
            cluster_.told<Granted>(holder.client, holder.request)->group);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(is_inside(moved));
  EXPECT_FALSE(is_inside(rival));
  release(moved);
  cluster_.pass(Cluster::kLease * 4);
  ASSERT_TRUE(is_inside(rival));
  EXPECT_GT(token(rival), token(holder));
}

TEST_P(Adoption, SurvivesTheNextMemberToo) {
  const Guest holder = enter(0, GetParam().first);
  be_known();
  cluster_.kill(0);
  const Guest moved = move(holder, GetParam().first, 2);
  const Guest rival = enter(1, GetParam().second);
  cluster_.kill(2);
  const Guest again = move(moved, GetParam().first, 3);
  ASSERT_TRUE(is_inside(again));
  EXPECT_EQ(token(again), token(holder));
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(is_inside(again));
  EXPECT_FALSE(is_inside(rival));
}

TEST_P(Adoption, WorksAtTheNextLifeOfTheSameMember) {
  const Guest holder = enter(0, GetParam().first);
  const Guest rival = enter(1, GetParam().second);
  be_known();
  cluster_.kill(0);
  cluster_.start(0);
  cluster_.pass(Cluster::kStep);
  const Guest moved = move(holder, GetParam().first, 0);
  EXPECT_TRUE(is_inside(moved));
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(is_inside(moved));
  EXPECT_FALSE(is_inside(rival));
}

// Only the connection broke. What the old member does when the session lapses there must not let anybody in: neither
// its own next client nor one that finds what it keeps.
TEST_P(Adoption, IsNotUndoneByAMemberThatLives) {
  const Guest holder = enter(0, GetParam().first);
  const Guest in_line = enter(0, GetParam().second);
  const Guest moved = move(holder, GetParam().first, 2);
  ASSERT_TRUE(is_inside(moved));
  cluster_.pass(Duration::seconds(4));
  EXPECT_FALSE(is_inside(in_line));
  const Guest late = enter(0, GetParam().second);
  EXPECT_FALSE(is_inside(late));
  release(moved);
  cluster_.pass(Cluster::kLease * 4);
  EXPECT_TRUE(is_inside(in_line));
  EXPECT_EQ(is_inside(late), is_shared());
}

TEST_P(Adoption, LeavesNothingToOthersAtTheNewMember) {
  const Guest holder = enter(0, GetParam().first);
  be_known();
  cluster_.kill(0);
  const Guest moved = move(holder, GetParam().first, 2);
  const Guest next = enter(2, GetParam().second);
  ASSERT_TRUE(is_inside(moved));
  EXPECT_FALSE(is_inside(next));
  cluster_.silence(moved.client);  // it goes on to a third member, perhaps
  cluster_.pass(Duration::seconds(4));
  EXPECT_TRUE(is_inside(next));
  EXPECT_GT(token(next), token(moved));
}

// It comes so late that another is inside: it waits for as long as it has, and disturbs nobody.
TEST_P(Adoption, ComesTooLate) {
  const Guest holder = enter(0, GetParam().first);
  const Guest rival = enter(1, GetParam().second);
  be_known();
  cluster_.kill(0);
  cluster_.pass(Cluster::kLease * 3);
  ASSERT_TRUE(is_inside(rival));
  const Guest moved = move(holder, GetParam().first, 2, Duration::milliseconds(100));
  cluster_.pass(Cluster::kLease);
  EXPECT_TRUE(is_inside(rival));
  if (is_inside(moved)) release(moved);  // counted twice, but not believed
  release(rival);
  const Guest next = enter(3, GetParam().second);
  cluster_.pass(Cluster::kLease * 4);
  EXPECT_TRUE(is_inside(next));
}

// Nothing proves a place in line: whoever says that it has come from another member waits behind those who are here.
TEST_P(Adoption, PassesNobodyByAPlaceThatItNames) {
  const Guest holder = enter(1, GetParam().first);
  const Guest first = enter(2, GetParam().second);
  cluster_.pass(Cluster::kStep);  // the others' clocks have seen that
  Wish wish = GetParam().second;
  if (wish.kind.type == Type::band) wish.groups = {"r"};
  if (wish.kind.type == Type::room) wish.groups = {"z"};
  wish.place = Time{1};
  const Guest liar = enter(3, wish);
  cluster_.pass(Cluster::kLease);
  release(holder);
  cluster_.pass(Cluster::kLease * 2);
  EXPECT_TRUE(is_inside(first));
  EXPECT_FALSE(is_inside(liar));
}

class Mutex : public Adoption {};
INSTANTIATE_TEST_SUITE_P(Only, Mutex, ::testing::Values(all_kinds().front()),
                         [](const auto& one) { return one.param.name; });

TEST_P(Mutex, IsFreeAtOnceWhenWhoWasAdoptedLeaves) {
  const Guest holder = enter(0, GetParam().first);
  const Guest rival = enter(1, GetParam().second);
  be_known();
  cluster_.kill(0);
  const Guest moved = move(holder, GetParam().first, 2);
  EXPECT_FALSE(is_inside(rival));
  release(moved);
  EXPECT_TRUE(is_inside(rival));
}

TEST_P(Mutex, IsFreeAtOnceWhenWhoWasAdoptedLeavesAMemberThatLives) {
  const Guest holder = enter(0, GetParam().first);
  const Guest rival = enter(1, GetParam().second);
  const Guest moved = move(holder, GetParam().first, 2);
  release(moved);
  ASSERT_TRUE(is_inside(rival));
  cluster_.pass(Duration::seconds(4));
  EXPECT_TRUE(is_inside(rival));
  const Guest next = enter(0, GetParam().first);
  EXPECT_FALSE(is_inside(next));
  release(rival);
  EXPECT_TRUE(is_inside(next));
}

// Another request in the same slot, of a life that began its clock anew, is not the one that the ticket names.
TEST_P(Mutex, TellsLivesApart) {
  const Guest holder = enter(0, GetParam().first);
  be_known();
  cluster_.kill(0);
  cluster_.start(0);
  cluster_.pass(Cluster::kStep);
  const Guest next = enter(0, GetParam().first);
  const Guest moved = move(holder, GetParam().first, 2);
  EXPECT_TRUE(is_inside(moved));
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(is_inside(moved));
  EXPECT_FALSE(is_inside(next));
}

TEST_P(Mutex, TakesNoTicketThatCannotBe) {
  const Guest holder = enter(0, GetParam().first);
  const Granted granted = *cluster_.told<Granted>(holder.client, holder.request);
  const auto refusal = [&](const auto& spoil) {
    Wish wish = GetParam().first;
    wish.ticket = {granted.origin, granted.group, granted.token, granted.secret};
    wish.wait = Duration::seconds(1);
    spoil(wish);
    const Guest guest = enter(1, wish);
    const auto* const refused = cluster_.told<Refused>(guest.client, guest.request);
    return refused != nullptr ? refused->text : "";
  };
  EXPECT_EQ(refusal([](Wish& wish) { wish.ticket->origin.member = 5; }), "a ticket of no member");
  EXPECT_EQ(refusal([](Wish& wish) { wish.ticket->origin.incarnation = 0; }),
            "a ticket of no member");
  EXPECT_THAT(refusal([](Wish& wish) { wish.ticket->token = ~Number{0}; }), HasSubstr("token"));
  EXPECT_THAT(refusal([](Wish& wish) { wish.ticket->token = 0; }), HasSubstr("token"));
  EXPECT_THAT(refusal([](Wish& wish) { wish.wait = {}; }), HasSubstr("no time"));
  EXPECT_THAT(refusal([](Wish& wish) {
                wish.kind = {Type::room};
                wish.groups = {"a"};
                wish.ticket->group = "b";
              }),
              HasSubstr("another group"));
}

TEST(AdoptionInRooms, OneOfSeveralGroupsStays) {
  Cluster cluster("majority:n=5");
  const SessionId first = cluster.join(0);
  const SessionId second = cluster.join(1);
  const SessionId third = cluster.join(3);
  const RequestId inside = cluster.rooms(first, "r", 2, "a");
  const RequestId other = cluster.rooms(second, "r", 2, "b");
  const RequestId waits = cluster.rooms(third, "r", 2, "c");
  cluster.kill(0);
  const Granted granted = *cluster.told<Granted>(first, inside);
  Wish wish;
  wish.name = "r";
  wish.kind = {Type::room, 0, 2};
  wish.groups = {"a"};
  wish.wait = Duration::seconds(1);
  wish.ticket = {granted.origin, granted.group, granted.token, granted.secret};
  const SessionId again = cluster.join(2);
  const RequestId moved = cluster.acquire(again, wish);
  EXPECT_TRUE(cluster.is_inside(again, moved));
  cluster.pass(Cluster::kLease * 3);
  EXPECT_TRUE(cluster.is_inside(again, moved));
  EXPECT_FALSE(cluster.is_inside(third, waits));
  cluster.release(second, other);
  EXPECT_TRUE(cluster.is_inside(third, waits));
}

}  // namespace
}  // namespace coterie::member
