// Holds, and places in line, that move with their client to another member.
#include "session/session_fixture.h"

namespace coterie::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(SessionTest, AHoldMovesToAnotherMember) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600));
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2400 ms with a ticket of 4"));
  grant_from(5, ticket, 1, at(610));
  EXPECT_THAT(heard(), ElementsAre("renewed 1 until 3600"));
  session_->tick(at(1'100));
  keep(2, 3'000, at(1'110));
  EXPECT_THAT(heard(), ElementsAre("beat 2", "renewed 1 until 4100"));
  go_elsewhere(at(1'200));
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2900 ms with a ticket of 5"));
}

// Whether it was inside all the while, only its own clock can tell.
TEST_F(SessionTest, AMoveThatComesTooLateIsGivenBack) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600));
  heard();
  grant_from(5, ticket, 1, at(3'000));
  EXPECT_THAT(heard(), ElementsAre("let go 1"));
  session_->tick(at(3'000));
  EXPECT_THAT(heard(), testing::IsSupersetOf({"lost 1", "left 1"}));
}

// To let it go while it believes in what it had would make its old member's arbiters forget that.
TEST_F(SessionTest, APromiseThatIsOverWhenItComesIsLetGoWithTheHold) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600));
  heard();
  session_->receive(granted_of(ticket, 1, 100), at(800));
  EXPECT_THAT(heard(), IsEmpty());
  session_->tick(at(3'000));
  EXPECT_THAT(heard(), testing::IsSupersetOf({"let go 1", "lost 1", "left 1"}));
}

TEST_F(SessionTest, AMoveThatIsNotAnsweredIsGivenUpWithTheHold) {
  connect_and_get_ticket();
  go_elsewhere(at(600));
  heard();
  session_->tick(at(3'000));
  EXPECT_THAT(heard(), testing::IsSupersetOf({"let go 1", "lost 1", "left 1"}));
}

TEST_F(SessionTest, AnotherTokenIsAnotherHold) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600));
  heard();
  grant_from(5, ticket, 1, at(610), 43);
  EXPECT_THAT(heard(), ElementsAre("let go 1"));
}

TEST_F(SessionTest, AMoveThatIsRefusedLeavesTheHoldAsItWas) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600));
  heard();
  refuse(ticket, api::Refusal::timed_out, at(610));
  EXPECT_THAT(heard(), IsEmpty());
  go_elsewhere(at(700));
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2300 ms with a ticket of 4"));
}

// Of two members that take over one hold, the one that its client does not use would take the record from the other.
TEST_F(SessionTest, ATicketIsShownToNobodyElseUntilItIsAnswered) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600), "n2");
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2400 ms with a ticket of 4"));
  go_elsewhere(at(700), "n3");
  EXPECT_THAT(heard(), IsEmpty());
  go_elsewhere(at(800), "n2");
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2200 ms with a ticket of 4"));
  refuse(ticket, api::Refusal::timed_out, at(810));
  go_elsewhere(at(900), "n3");
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2100 ms with a ticket of 4"));
  grant_from(5, ticket, 1, at(910));
  EXPECT_THAT(heard(), ElementsAre("renewed 1 until 3900"));
  go_elsewhere(at(1'000), "n2");
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2900 ms with a ticket of 5"));
}

TEST_F(SessionTest, AMoveGoesOnWhenTheConnectionIsThereAgain) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600));
  session_->disconnected();
  heard();
  session_->hello(true, at(700));
  api::Welcome welcome = welcome_of(9);
  welcome.is_resumed = true;
  welcome.inside.push_back(granted_of(ticket, 1, 3'000));
  session_->welcomed(welcome, at(700));
  EXPECT_THAT(heard(), ElementsAre("renewed 1 until 3600"));
}

TEST_F(SessionTest, WhoLeavesDoesNotMove) {
  const Ticket ticket = connect_and_get_ticket();
  session_->release(ticket, at(10));
  heard();
  go_elsewhere(at(600));
  EXPECT_THAT(heard(), ElementsAre("left 1"));
}

TEST_F(SessionTest, WhoLeavesOnTheWayTellsTheNewMember) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600));
  heard();
  session_->release(ticket, at(610));
  EXPECT_THAT(heard(), ElementsAre("leave 1"));
  refuse(ticket, api::Refusal::cancelled, at(620));
  EXPECT_THAT(heard(), ElementsAre("left 1"));
}

TEST_F(SessionTest, WhoIsThrownAwayOnTheWayIsLetGoByTheNewMember) {
  const Ticket ticket = connect_and_get_ticket();
  go_elsewhere(at(600));
  heard();
  session_->abandon(ticket, at(620));
  EXPECT_THAT(heard(), ElementsAre("let go 1", "left 1"));
  grant_from(5, ticket, 1, at(620));
  EXPECT_THAT(heard(), IsEmpty());
}

// Nobody may leave a band because its member is gone.
TEST_F(SessionTest, WhoLeavesABandMovesFirst) {
  const Ticket ticket = connect_and_get_ticket(api::Type::band);
  session_->release(ticket, at(10));
  heard();
  go_elsewhere(at(600));
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2400 ms with a ticket of 4"));
  grant_from(5, ticket, 1, at(610));
  EXPECT_THAT(heard(), ElementsAre("renewed 1 until 3600", "confirm 1", "ask out 1"));
}

// Its former member may have let it out, and somebody else in.
TEST_F(SessionTest, WhoWaitedToLeaveWhenItMovedDoesNotGoBackInside) {
  const Ticket ticket = connect_and_get_ticket(api::Type::band);
  session_->release(ticket, at(10));
  go_elsewhere(at(600));
  grant_from(5, ticket, 1, at(610));
  heard();
  refuse(ticket, api::Refusal::must_stay, at(700));
  EXPECT_THAT(heard(), ElementsAre("let go 1", "lost 1", "left 1"));
}

TEST_F(SessionTest, WhoWantsToLeaveAfterItMovedMayHaveToStay) {
  const Ticket ticket = connect_and_get_ticket(api::Type::band);
  go_elsewhere(at(600));
  grant_from(5, ticket, 1, at(610));
  session_->release(ticket, at(620));
  heard();
  refuse(ticket, api::Refusal::must_stay, at(700));
  EXPECT_THAT(heard(), ElementsAre("stays 1"));
}

// The connection broke on the way, and with it what confirmed the hold: a member lets a hold that was never confirmed out at once,
// and the floor of the band would be broken (torture, seed 2065).
TEST_F(SessionTest, AHoldThatMovedIsConfirmedBeforeItIsAskedOutAgain) {
  const Ticket ticket = connect_and_get_ticket(api::Type::band);
  session_->release(ticket, at(10));
  go_elsewhere(at(600));
  grant_from(5, ticket, 1, at(610));
  EXPECT_THAT(heard(), testing::IsSupersetOf({"confirm 1", "ask out 1"}));
  session_->disconnected();
  session_->hello(true, at(700));
  api::Welcome welcome = welcome_of(9);
  welcome.is_resumed = true;
  api::Granted granted = granted_of(ticket, 1, 3'000);
  granted.origin.incarnation = 5;
  welcome.inside = {granted};
  session_->welcomed(welcome, at(700));
  EXPECT_THAT(heard(), ElementsAre("confirm 1", "ask out 1"));
}

TEST_F(SessionTest, WhoWaitsKeepsItsPlace) {
  connect();
  const Ticket ticket = ask(at(0));
  session_->receive(api::Kept{{}, {}, {{ticket, Time{17}}}}, at(500));
  heard();
  go_elsewhere(at(600));
  EXPECT_THAT(heard(), ElementsAre("ask 1 in place 17"));
}

TEST_F(SessionTest, AMemberThatStopsIsLeftWhenAllHasMoved) {
  const Ticket ticket = connect_and_get_ticket();
  stop_member(at(500));
  EXPECT_THAT(heard(), ElementsAre("move on"));
  EXPECT_FALSE(session_->may_resume(at(510)));
  go_elsewhere(at(600));
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 2400 ms with a ticket of 4"));
  grant_from(5, ticket, 1, at(610));
  EXPECT_THAT(heard(), ElementsAre("renewed 1 until 3600", "close former"));
}

TEST_F(SessionTest, WhoLeavesWhatAStoppingMemberGaveItDoesNotWaitForAnother) {
  const Ticket ticket = connect_and_get_ticket();
  stop_member(at(500));
  heard();
  session_->release(ticket, at(510));
  EXPECT_THAT(heard(), ElementsAre("left 1", "close former"));
}

TEST_F(SessionTest, WhereNobodyElseIsFoundWhatIsHeldMayBeFinished) {
  const Ticket ticket = connect_and_get_ticket();
  stop_member(at(500));
  heard();
  session_->cannot_move();
  EXPECT_THAT(heard(), ElementsAre("lost 1"));
  session_->release(ticket, at(700));
  EXPECT_THAT(heard(), ElementsAre("left 1", "close former"));
}

TEST_F(SessionTest, WhoKnowsOneMemberOnlyDoesNotMove) {
  has_elsewhere_ = false;
  connect_and_get_ticket();
  stop_member(at(500));
  EXPECT_THAT(heard(), ElementsAre("lost 1"));
}

}  // namespace
}  // namespace coterie::session
