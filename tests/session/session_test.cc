// A session with one member after the other, whatever becomes of its connections.
#include "session/session_fixture.h"

namespace coterie::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(SessionTest, SaysWhoItIsAndAsksWhenItIsWelcome) {
  const Ticket ticket = ask(at(0));
  EXPECT_THAT(heard(), IsEmpty());
  const api::Hello hello = session_->hello(false, at(5));
  EXPECT_EQ(hello.label, "tester");
  EXPECT_EQ(hello.beat, 1U);
  EXPECT_EQ(hello.session, 0U);
  welcome(7, at(10));
  EXPECT_THAT(heard(), ElementsAre("ask " + std::to_string(ticket)));
}

// A promise counts from when the beat that it names was sent, not from when it came, and is taken for less by
// what two clocks may differ: 2 thousandths of 3 seconds, if each is right to a thousandth.
TEST_F(SessionTest, BelievesFromWhenItsBeatWasSentLessTheDrift) {
  session_->hello(false, at(5));
  api::Welcome welcome = welcome_of(7);
  welcome.drift = {1'000};
  session_->welcomed(welcome, at(10));
  const Ticket ticket = ask(at(20));
  heard();
  grant(ticket, 1, 3'000, at(900));
  EXPECT_THAT(heard(), ElementsAre("granted 1 until 2999"));
}

TEST_F(SessionTest, KeepsAliveSixTimesASessionAndIsRenewed) {
  const Ticket ticket = connect_and_enter();
  EXPECT_EQ(session_->next_tick(), at(500));
  session_->tick(at(500));
  EXPECT_THAT(heard(), ElementsAre("beat 2"));
  keep(2, 3'000, at(510));
  EXPECT_THAT(heard(), ElementsAre("renewed " + std::to_string(ticket) + " until 3500"));
  keep(1, 1'000, at(520));  // what was told before was true as well
  EXPECT_THAT(heard(), IsEmpty());
}

// A lease may be much shorter than a session: six keep-alives in a session would come too late for it.
TEST_F(SessionTest, KeepsAliveThreeTimesInWhatIsPromised) {
  connect();
  const Ticket ticket = ask(at(0));
  grant(ticket, 1, 300, at(0));
  heard();
  EXPECT_EQ(session_->next_tick(), at(100));
  session_->tick(at(100));
  keep(2, 300, at(110));
  EXPECT_THAT(heard(), ElementsAre("beat 2", "renewed 1 until 400"));
  EXPECT_LE(session_->next_tick(), at(210));
  session_->release(ticket, at(120));
  let_out(ticket, at(130));
  session_->tick(at(200));
  keep(3, 3'000, at(210));
  session_->tick(session_->next_tick());
  keep(4, 3'000, at(320));
  session_->tick(session_->next_tick());
  EXPECT_GT(session_->next_tick(), at(600)) << "nothing needs it so often any more";
}

TEST_F(SessionTest, AHoldWithAShorterPromiseIsRenewedByThatOne) {
  const Ticket ticket = connect_and_enter();
  session_->tick(at(500));
  heard();
  const api::Good good{2, Duration::milliseconds(3'000)};
  const api::Good shorter{2, Duration::milliseconds(2'800)};
  session_->receive(api::Kept{good, {{ticket, shorter}}, {}}, at(510));
  EXPECT_THAT(heard(), ElementsAre("renewed 1 until 3300"));
}

TEST_F(SessionTest, StopsBelievingByItself) {
  const Ticket ticket = connect_and_enter();
  session_->disconnected();
  EXPECT_LE(session_->next_tick(), at(3'000));
  session_->tick(at(2'999));
  session_->tick(at(3'000));
  EXPECT_THAT(heard(), ElementsAre("lost 1", "left 1"));
  session_->release(ticket, at(3'001));
  EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(SessionTest, AGrantThatComesTooLateIsGivenBackAndAskedForAgain) {
  connect();
  const Ticket ticket = ask(at(0));
  heard();
  grant(ticket, 1, 1'000, at(2'000));
  EXPECT_THAT(heard(), ElementsAre("let go 1", "ask 1"));
}

TEST_F(SessionTest, LeavesAndIsToldThatItLeft) {
  const Ticket ticket = connect_and_enter();
  session_->release(ticket, at(10));
  session_->release(ticket, at(11));
  EXPECT_THAT(heard(), ElementsAre("leave 1"));
  session_->receive(api::Left{ticket}, at(20));
  EXPECT_THAT(heard(), ElementsAre("left 1"));
}

TEST_F(SessionTest, WhoGivesUpWaitingIsOutAtOnceAndALateGrantIsNotHeard) {
  connect();
  const Ticket ticket = ask(at(0));
  heard();
  session_->release(ticket, at(10));
  EXPECT_THAT(heard(), ElementsAre("let go 1", refused_as(ticket, Reason::cancelled)));
  grant(ticket, 1, 3'000, at(20));
  EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(SessionTest, PatienceEndsWithAndWithoutAMember) {
  const Ticket ticket = ask(at(0), at(700));
  session_->hello(false, at(100));
  welcome(7, at(100));
  EXPECT_THAT(heard(), ElementsAre("ask 1 for 600 ms"));
  session_->disconnected();
  session_->tick(at(699));
  EXPECT_THAT(heard(), IsEmpty());
  session_->tick(at(700));
  EXPECT_THAT(heard(), ElementsAre(refused_as(ticket, Reason::unreachable)));
}

TEST_F(SessionTest, WhoOnlyTriesIsToldThatNobodyAnswers) {
  const Ticket ticket = ask(at(0), at(700), true);
  session_->tick(at(700));
  EXPECT_THAT(heard(), ElementsAre(refused_as(ticket, Reason::unreachable)));
}

TEST_F(SessionTest, RefusalsKeepTheirReason) {
  connect();
  const std::vector<std::pair<api::Refusal, Reason>> pairs = {
      {api::Refusal::held_already, Reason::held_already},
      {api::Refusal::mismatch, Reason::mismatch},
      {api::Refusal::would_wait, Reason::would_wait},
      {api::Refusal::timed_out, Reason::timed_out},
      {api::Refusal::cancelled, Reason::cancelled},
      {api::Refusal::invalid, Reason::invalid},
      {api::Refusal::look_first, Reason::look_first}};
  for (const auto& [why, reason] : pairs) {
    const Ticket ticket = ask(at(1));
    heard();
    refuse(ticket, why, at(2));
    EXPECT_THAT(heard(), ElementsAre(refused_as(ticket, reason)));
  }
}

// While what is held is still good.
TEST_F(SessionTest, AMemberThatDoesNotAnswerABeatIsLeft) {
  connect();
  heard();
  session_->tick(at(500));
  keep(2, 3'000, at(501));
  session_->tick(at(1'000));
  EXPECT_THAT(heard(), ElementsAre("beat 2", "beat 3"));
  session_->tick(at(1'500));
  EXPECT_THAT(heard(), ElementsAre("part"));
  EXPECT_TRUE(session_->may_resume(at(1'500)));
}

// Whoever paused was the client itself: the member has its time to answer.
TEST_F(SessionTest, AClientThatPausedAsksBeforeItLeaves) {
  connect();
  heard();
  session_->tick(at(2'900));
  EXPECT_THAT(heard(), ElementsAre("beat 2"));
}

// ---- a connection breaks

TEST_F(SessionTest, AResumedSessionKeepsItsHoldsAndItsNumbers) {
  connect_and_enter();
  session_->disconnected();
  const api::Hello hello = session_->hello(true, at(600));
  EXPECT_EQ(hello.session, 7U);
  EXPECT_EQ(hello.beat, 2U);
  api::Welcome welcome = welcome_of(7);
  welcome.is_resumed = true;
  welcome.inside.push_back(granted_of(1, 1, 3'000));
  session_->welcomed(welcome, at(610));
  EXPECT_THAT(heard(), IsEmpty());
  keep(2, 3'000, at(620));
  EXPECT_THAT(heard(), ElementsAre("renewed 1 until 3600"));
}

// The word that it was lost may have been lost itself: what the member does not list is not believed.
TEST_F(SessionTest, AResumedSessionLosesWhatItsMemberHasGivenUp) {
  connect_and_enter();
  session_->disconnected();
  session_->hello(true, at(600));
  welcome(7, at(610), true);
  EXPECT_THAT(heard(), ElementsAre("lost 1", "left 1"));
}

TEST_F(SessionTest, AResumedSessionMendsWhatWasOnItsWay) {
  connect();
  const Ticket never_arrived = ask(at(0));
  const Ticket in_line = ask(at(0));
  const Ticket granted_unheard = ask(at(0));
  const Ticket leaving = ask(at(0));
  const Ticket cancelled = ask(at(0));
  grant(leaving, 1, 3'000, at(1));
  session_->disconnected();
  session_->release(leaving, at(2));
  session_->release(cancelled, at(2));
  heard();
  session_->hello(true, at(600));
  api::Welcome welcome = welcome_of(7);
  welcome.is_resumed = true;
  welcome.inside.push_back(granted_of(granted_unheard, 1, 3'000));
  welcome.inside.push_back(granted_of(leaving, 1, 3'000));
  welcome.waiting.push_back(in_line);
  welcome.waiting.push_back(cancelled);
  session_->welcomed(welcome, at(610));
  EXPECT_THAT(heard(), testing::UnorderedElementsAre("leave " + std::to_string(leaving),
                                                     "let go " + std::to_string(cancelled),
                                                     "ask " + std::to_string(never_arrived),
                                                     "granted 3 until 3000"));
}

TEST_F(SessionTest, AtAnotherMemberItAsksAgainAndOldHoldsRunOut) {
  connect_and_enter();
  const Ticket waiting = ask(at(10));
  heard();
  session_->disconnected();
  EXPECT_EQ(session_->hello(false, at(600)).session, 0U);
  welcome(9, at(610));
  EXPECT_THAT(heard(), ElementsAre("ask " + std::to_string(waiting)));
  keep(1, 3'000, at(620));  // of the new session: the old hold has no part in it
  EXPECT_THAT(heard(), IsEmpty());
  session_->tick(at(3'000));
  EXPECT_THAT(heard(), testing::Contains("lost 1"));
}

TEST_F(SessionTest, TheMemberMayHaveForgottenTheSession) {
  connect_and_enter();
  session_->disconnected();
  session_->hello(true, at(600));
  welcome(8, at(610));  // a new one, whose first beat is the second of ours
  const Ticket ticket = ask(at(620));
  heard();
  grant(ticket, 2, 3'000, at(630));
  EXPECT_THAT(heard(), ElementsAre("granted 2 until 3600"));
}

// ---- the member says that it is over

TEST_F(SessionTest, AnEndedSessionLosesItsHolds) {
  connect_and_enter();
  session_->receive(api::Ended{}, at(10));
  EXPECT_THAT(heard(), ElementsAre("lost 1", "left 1", "part"));
  EXPECT_FALSE(session_->may_resume(at(10)));
}

TEST_F(SessionTest, BeforeAMemberStopsWhatIsHeldMayBeFinished) {
  const Ticket ticket = connect_and_enter();
  const Ticket waiting = ask(at(5));
  heard();
  refuse(waiting, api::Refusal::stopping, at(10));
  stop_member(at(10));
  EXPECT_THAT(heard(), ElementsAre("lost 1"));
  session_->release(ticket, at(100));
  EXPECT_THAT(heard(), ElementsAre("leave 1"));
  let_out(ticket, at(110));
  EXPECT_THAT(heard(), ElementsAre("left 1", "close", "part"));
  session_->hello(false, at(120));
  welcome(9, at(130));
  EXPECT_THAT(heard(), ElementsAre("ask " + std::to_string(waiting)));
}

TEST_F(SessionTest, AMemberThatStopsIsLeftAtOnceIfNothingIsHeld) {
  connect();
  ask(at(0));
  heard();
  stop_member(at(10));
  EXPECT_THAT(heard(), ElementsAre("close", "part"));
}

// ---- bands

TEST_F(SessionTest, WhoWantsToLeaveABandIsInsideUntilItIsLetOut) {
  const Ticket ticket = connect_and_join();
  session_->release(ticket, at(100), at(600));
  EXPECT_THAT(heard(), ElementsAre("ask out 1 for 500 ms"));
  session_->tick(at(500));
  keep(2, 3'000, at(510));
  EXPECT_THAT(heard(), ElementsAre("beat 2", "renewed 1 until 3500"));
  let_out(ticket, at(520));
  EXPECT_THAT(heard(), ElementsAre("left 1"));
}

TEST_F(SessionTest, WhoIsNotLetOutOrDoesNotWantToLeaveAnyMoreStays) {
  const Ticket ticket = connect_and_join();
  session_->release(ticket, at(100), Instant::never(), true);
  EXPECT_THAT(heard(), ElementsAre("ask out 1 at once"));
  refuse(ticket, api::Refusal::must_stay, at(110));
  EXPECT_THAT(heard(), ElementsAre("stays 1"));
  let_out(ticket, at(120));  // it has not asked for that
  EXPECT_THAT(heard(), IsEmpty());
  session_->release(ticket, at(200));
  session_->stay(ticket, at(300));
  EXPECT_THAT(heard(), ElementsAre("ask out 1", "stay 1"));
  refuse(ticket, api::Refusal::must_stay, at(310));
  EXPECT_THAT(heard(), ElementsAre("stays 1"));
}

// It may have been let out, or lost: nobody can tell, so it must not be taken for the better of the two.
TEST_F(SessionTest, WhoMissesTheAnswerToALeaveHasLostItsHold) {
  const Ticket ticket = connect_and_join();
  session_->release(ticket, at(100), at(1'000));
  heard();
  session_->disconnected();
  session_->hello(true, at(600));
  api::Welcome inside = welcome_of(7);
  inside.is_resumed = true;
  inside.inside.push_back(granted_of(ticket, 1, 3'000));
  session_->welcomed(inside, at(610));
  EXPECT_THAT(heard(), ElementsAre("ask out 1 for 390 ms"));
  session_->disconnected();
  session_->hello(true, at(700));
  welcome(7, at(710), true);
  EXPECT_THAT(heard(), ElementsAre("lost 1", "left 1"));
}

TEST_F(SessionTest, WhoIsThrownAwayIsOutAtOnce) {
  const Ticket ticket = connect_and_join();
  session_->release(ticket, at(100));
  session_->abandon(ticket, at(200));
  EXPECT_THAT(heard(), ElementsAre("ask out 1", "let go 1", "left 1"));
}

TEST_F(SessionTest, WhoIsThrownAwayIsLetGoAgainShouldTheWordBeLost) {
  const Ticket ticket = connect_and_enter();
  session_->disconnected();
  session_->abandon(ticket, at(200));
  EXPECT_THAT(heard(), ElementsAre("left 1"));
  session_->hello(true, at(600));
  api::Welcome inside = welcome_of(7);
  inside.is_resumed = true;
  inside.inside.push_back(granted_of(ticket, 1, 3'000));
  session_->welcomed(inside, at(610));
  EXPECT_THAT(heard(), ElementsAre("let go 1"));
}

TEST_F(SessionTest, BeforeAMemberStopsTheLastThatIsThrownAwayPartsFromIt) {
  const Ticket ticket = connect_and_enter();
  stop_member(at(10));
  heard();
  session_->abandon(ticket, at(200));
  EXPECT_THAT(heard(), ElementsAre("let go 1", "left 1", "close", "part"));
}

TEST_F(SessionTest, ForAnOwnerItHoldsAndEndsWhatLasts) {
  connect();
  api::Wish wish;
  wish.name = "door";
  wish.owner = "db-1";
  const Ticket held = session_->acquire(wish, Instant::never(), at(0));
  session_->receive(api::Lasts{held, "", 42}, at(10));
  EXPECT_THAT(heard(), ElementsAre("ask 1", "lasts 1 42"));
  const Ticket ended = session_->bury({}, Instant::never(), at(20));
  let_out(ended, at(50));
  EXPECT_THAT(heard(), ElementsAre("bury 2", "lasts 2 0"));
}

// The member that was asked may have done it, and died before it said so: who asked must look.
TEST_F(SessionTest, WhatIsAskedForAnOwnerIsNotAskedAgainElsewhere) {
  connect();
  const Ticket ended = session_->bury({}, Instant::never(), at(20));
  heard();
  session_->disconnected();
  session_->hello(false, at(30));
  welcome(9, at(40));
  EXPECT_THAT(heard(), ElementsAre(refused_as(ended, Reason::unheard)));
}

// Its member may be writing it down: only that member knows how it comes out.
TEST_F(SessionTest, ARequestForAnOwnerIsGivenUpWhenItsMemberSaysSo) {
  connect();
  api::Wish wish;
  wish.name = "door";
  wish.owner = "db-1";
  const Ticket late = session_->acquire(wish, at(100), at(0));
  heard();
  session_->tick(at(100));
  EXPECT_THAT(heard(), ElementsAre("leave 1"));
  refuse(late, api::Refusal::cancelled, at(140));
  EXPECT_THAT(heard(), ElementsAre(refused_as(late, Reason::timed_out)));
  const Ticket crossed = session_->acquire(wish, Instant::never(), at(150));
  session_->abandon(crossed, at(160));
  session_->receive(api::Lasts{crossed, "", 42}, at(170));
  EXPECT_THAT(heard(), ElementsAre("ask 2", "leave 2", "lasts 2 42"));
  const Ticket unheard = session_->acquire(wish, Instant::never(), at(200));
  session_->abandon(unheard, at(210));
  heard();
  go_elsewhere(at(220));
  EXPECT_THAT(heard(), ElementsAre(refused_as(unheard, Reason::unheard)));
  const Ticket silent = session_->acquire(wish, Instant::never(), at(230));
  session_->abandon(silent, at(240));
  session_->disconnected();
  heard();
  session_->tick(at(3'300));
  EXPECT_THAT(heard(), ElementsAre(refused_as(silent, Reason::unheard)));
}

// Its member may have let it out when the patience of its client ends: that it must stay only a member can say.
TEST_F(SessionTest, TheEndOfAHoldInABandIsGivenUpWhenItsMemberSaysSo) {
  connect();
  api::Burial burial;
  burial.kind = {api::Type::band, 3, api::kNoMax};
  const Ticket ended = session_->bury(burial, at(100), at(0));
  session_->tick(at(100));
  EXPECT_THAT(heard(), ElementsAre("bury 1 for 100 ms"));
  let_out(ended, at(110));
  EXPECT_THAT(heard(), ElementsAre("lasts 1 0"));
  const Ticket stays = session_->bury(burial, at(300), at(200));
  session_->tick(at(300));
  heard();
  refuse(stays, api::Refusal::must_stay, at(310));
  EXPECT_THAT(heard(), ElementsAre(refused_as(stays, Reason::must_stay)));
  const Ticket unknown = session_->bury(burial, at(500), at(400));
  session_->tick(at(500));
  heard();
  refuse(unknown, api::Refusal::cancelled, at(510));
  EXPECT_THAT(heard(), ElementsAre(refused_as(unknown, Reason::timed_out)));
}

// The member that was asked first may have let it out before it went away (torture, seed 371).
TEST_F(SessionTest, AnEndThatTwoMembersWereAskedForIsNotSaidToStay) {
  connect();
  api::Burial burial;
  burial.kind = {api::Type::band, 3, api::kNoMax};
  burial.token = 42;
  for (const bool is_late : {false, true}) {
    const Ticket ended = session_->bury(burial, at(100), at(0));
    go_elsewhere(at(30));
    if (is_late) session_->tick(at(100));
    heard();
    refuse(ended, api::Refusal::must_stay, at(110));
    EXPECT_THAT(heard(),
                ElementsAre(refused_as(ended, is_late ? Reason::timed_out : Reason::unheard)));
  }
}

// ---- questions

TEST_F(SessionTest, QuestionsAreAskedAgainAndGivenUpInTheEnd) {
  const Ticket first = session_->show("door", at(1'000));
  connect();
  EXPECT_THAT(heard(), ElementsAre("question"));
  EXPECT_TRUE(session_->answered(first, at(10)));
  EXPECT_FALSE(session_->answered(first, at(11)));
  session_->disconnected();
  const Ticket second = session_->survey("", at(1'000));
  session_->tick(at(1'000));
  EXPECT_THAT(heard(), ElementsAre(refused_as(second, Reason::unreachable)));
}

}  // namespace
}  // namespace coterie::session
