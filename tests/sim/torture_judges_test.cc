// What judges a run of torture: clocks, the witness of exclusion, the numbers of names, the floor of bands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sim/torture_clock.h"
#include "sim/torture_floor.h"
#include "sim/torture_witness.h"

namespace coterie::sim::torture {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(TortureClock, IsOffByNoMoreThanItMayBe) {
  constexpr std::int64_t kPpm = 20'000;
  DriftingClock clock(Random(7), 5 * kSecond, kPpm, kSecond / 3);
  member::Instant before = clock.at(5 * kSecond);
  for (Real real = 5 * kSecond; real < 60 * kSecond; real += kSecond / 10) {
    const member::Instant shown = clock.at(real + kSecond / 10);
    EXPECT_GE((shown - before).ns, kSecond / 10 * (1'000'000 - kPpm) / 1'000'000 - 2);
    EXPECT_LE((shown - before).ns, kSecond / 10 * (1'000'000 + kPpm) / 1'000'000 + 2);
    before = shown;
  }
}

TEST(TortureClock, KnowsTheFirstMomentAtWhichItShowsATime) {
  DriftingClock clock(Random(3), 0, 100'000, kSecond / 7);
  const member::Instant start = clock.at(0);
  for (std::int64_t ns = 1; ns < 20 * kSecond; ns = ns * 3 + 1) {
    const member::Instant shown = start + member::Duration{ns};
    const Real when = clock.when(shown);
    EXPECT_GE(clock.at(when), shown);
    EXPECT_LT(clock.at(when - 1), shown);
  }
  EXPECT_EQ(clock.when(member::Instant::never()), kNever);
}

Entry entry_of(const member::Kind& kind, HoldId hold, const std::string& group,
               member::Number token, Real asked = 0) {
  return {.hold = hold,
          .who = "c" + std::to_string(hold),
          .resource = 0,
          .kind = kind,
          .group = group,
          .token = token,
          .asked = asked,
          .at = asked};
}
Entry mutex_entry(HoldId hold, member::Number token) {
  return entry_of({member::Type::mutex, 0, 1}, hold, "", token);
}
Entry room_entry(HoldId hold, const std::string& group, member::Number token) {
  return entry_of({member::Type::room, 0, 1}, hold, group, token);
}
constexpr member::Kind kMutex{member::Type::mutex, 0, 1};
constexpr member::Kind kTwo{member::Type::semaphore, 0, 2};
constexpr member::Kind kTwoGroups{member::Type::room, 0, 2};
constexpr member::Kind kBand{member::Type::band, 2, 3};

bool is_fine(const Witness::Judgement& judgement) {
  return !judgement.exclusion && !judgement.tokens;
}

TEST(TortureWitness, SeesTwoInAMutex) {
  Witness witness(1);
  EXPECT_TRUE(is_fine(witness.enter(mutex_entry(1, 5))));
  witness.leave(0, 1, 0);
  EXPECT_TRUE(is_fine(witness.enter(mutex_entry(2, 6))));
  EXPECT_THAT(witness.enter(mutex_entry(3, 7)).exclusion,
              Optional(HasSubstr("c2 (token 6), c3 (token 7)")));
}

TEST(TortureWitness, SeesTwoGroupsInARoom) {
  Witness witness(1);
  EXPECT_TRUE(is_fine(witness.enter(room_entry(1, "a", 5))));
  EXPECT_TRUE(is_fine(witness.enter(room_entry(2, "a", 5))));
  EXPECT_THAT(witness.enter(room_entry(3, "b", 9)).exclusion,
              Optional(HasSubstr("one group inside")));
}

TEST(TortureWitness, SeesAMutexAndARoomUnderOneName) {
  Witness witness(1);
  EXPECT_TRUE(is_fine(witness.enter(room_entry(1, "a", 5))));
  EXPECT_NE(witness.enter(mutex_entry(2, 9)).exclusion, std::nullopt);
}

TEST(TortureWitness, RemembersTheTokensOfAllWhoWereThere) {
  Witness witness(1);
  const auto pass = [&](const Entry& entry) {
    const Witness::Judgement judgement = witness.enter(entry);
    witness.leave(0, entry.hold, 0);
    EXPECT_EQ(judgement.exclusion, std::nullopt);
    return judgement.tokens;
  };
  EXPECT_EQ(pass(room_entry(1, "a", 5)), std::nullopt);
  EXPECT_EQ(pass(room_entry(2, "a", 4)), std::nullopt);  // they might have been there together
  EXPECT_THAT(pass(room_entry(3, "b", 5)), Optional(HasSubstr("5 was used before")));
  EXPECT_EQ(pass(room_entry(4, "b", 7)), std::nullopt);
  EXPECT_EQ(pass(room_entry(5, "b", 6)), std::nullopt);
  EXPECT_NE(pass(room_entry(6, "a", 7)), std::nullopt);
  EXPECT_EQ(pass(room_entry(7, "a", 8)), std::nullopt);
  EXPECT_NE(pass(mutex_entry(8, 8)), std::nullopt);
  EXPECT_EQ(pass(mutex_entry(9, 9)), std::nullopt);
  EXPECT_NE(pass(mutex_entry(10, 9)), std::nullopt);
}

TEST(TortureWitness, SeesThreeWhereTwoMayBe) {
  Witness witness(1);
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kTwo, 1, "", 5))));
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kTwo, 2, "", 6))));
  EXPECT_THAT(witness.enter(entry_of(kTwo, 3, "", 7)).exclusion,
              Optional(HasSubstr("at most 2 inside")));
}

TEST(TortureWitness, SeesThreeGroupsWhereTwoMayBe) {
  Witness witness(1);
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kTwoGroups, 1, "a", 5))));
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kTwoGroups, 2, "b", 6))));
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kTwoGroups, 3, "a", 7))));
  EXPECT_THAT(witness.enter(entry_of(kTwoGroups, 4, "c", 8)).exclusion,
              Optional(HasSubstr("at most 2 groups inside")));
}

TEST(TortureWitness, SeesTwoWhoGoByOneName) {
  Witness witness(1);
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kBand, 1, "w1", 5))));
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kBand, 2, "w2", 6))));
  EXPECT_THAT(witness.enter(entry_of(kBand, 3, "w1", 7)).exclusion,
              Optional(HasSubstr("c1 and c3 go by one name, w1")));
}

TEST(TortureWitness, SeesANameInUseAsTwoThings) {
  Witness witness(1);
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kTwo, 1, "", 5))));
  EXPECT_THAT(witness.enter(entry_of(kBand, 2, "w2", 6)).exclusion,
              Optional(HasSubstr("c1 is in a semaphore of 2, c2 in a band of 2 to 3")));
}

TEST(TortureWitness, LetsOneJoinItsGroupWhenFewerMayCome) {
  Witness witness(1);
  HoldId hold = 0;
  for (const char* const group : {"a", "b", "c"}) {
    ++hold;
    EXPECT_TRUE(is_fine(witness.enter(entry_of({member::Type::room, 0, 3}, hold, group, hold))));
  }
  const auto enter = [&](const char* group) {
    ++hold;
    Entry entry = entry_of(kTwoGroups, hold, group, hold);
    entry.may_change = true;
    return witness.enter(entry).exclusion;
  };
  EXPECT_EQ(enter("a"), std::nullopt);
  EXPECT_THAT(enter("d"), Optional(HasSubstr("at most 2 groups inside")));
}

TEST(TortureWitness, ComparesATokenWithThoseWhoHadGoneBeforeItWasAskedFor) {
  Witness witness(1);
  const Entry first = entry_of(kTwo, 1, "", 8, 10);
  EXPECT_EQ(witness.granted(first), std::nullopt);
  EXPECT_TRUE(is_fine(witness.enter(first)));
  witness.leave(0, 1, 20);
  EXPECT_EQ(witness.granted(entry_of(kTwo, 2, "", 7, 19)), std::nullopt);  // they overlap
  EXPECT_THAT(witness.granted(entry_of(kTwo, 3, "", 6, 21)),
              Optional(HasSubstr("one with 8 had gone before it asked")));
  EXPECT_THAT(witness.granted(entry_of(kTwo, 4, "", 8, 19)),
              Optional(HasSubstr("which was another's")));
}

TEST(TortureWitness, LetsOneJoinItsGroupByAnOldToken) {
  Witness witness(1);
  const Entry other = entry_of(kTwoGroups, 2, "b", 6, 10);
  EXPECT_EQ(witness.granted(entry_of(kTwoGroups, 1, "a", 5, 10)), std::nullopt);
  EXPECT_EQ(witness.granted(other), std::nullopt);
  EXPECT_TRUE(is_fine(witness.enter(other)));
  witness.leave(0, 2, 20);
  EXPECT_EQ(witness.granted(entry_of(kTwoGroups, 3, "a", 5, 30)), std::nullopt);
  EXPECT_NE(witness.granted(entry_of(kTwoGroups, 4, "b", 5, 30)), std::nullopt);
}

// Its time ran out, and an answer that came late says that it is inside all the same.
TEST(TortureWitness, SeesOneComeBetween) {
  Witness witness(1);
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kMutex, 1, "", 5))));
  witness.leave(0, 1, 20);
  EXPECT_TRUE(is_fine(witness.again(entry_of(kMutex, 2, "", 5))));
  witness.leave(0, 2, 30);
  EXPECT_TRUE(is_fine(witness.enter(entry_of(kMutex, 3, "", 6))));
  witness.leave(0, 3, 40);
  EXPECT_THAT(witness.again(entry_of(kMutex, 4, "", 5)).tokens,
              Optional(HasSubstr("but 6 was used since")));
}

TEST(TortureNumbers, EitherMayHoldUntilAChangeIsAnswered) {
  Numbers numbers({kBand});
  EXPECT_FALSE(numbers.may_have_changed(0));
  const Numbers::Question first{1, 1};
  const Numbers::Question second{1, 2};
  numbers.ask(first, 0, {member::Type::band, 0, 7}, 10);
  EXPECT_EQ(numbers.loosest(0, kBand, 5), (member::Kind{member::Type::band, 0, 7}));
  EXPECT_EQ(numbers.greatest_min(0, 5), 2U);
  EXPECT_TRUE(numbers.answer(first, 20));
  EXPECT_EQ(numbers.greatest_min(0, 19), 2U);
  EXPECT_EQ(numbers.greatest_min(0, 20), 0U);
  numbers.ask(second, 0, {member::Type::band, 1, 2}, 30);
  EXPECT_EQ(numbers.loosest(0, kBand, 30), (member::Kind{member::Type::band, 0, 7}));
  EXPECT_TRUE(numbers.answer(second, 40));
  EXPECT_EQ(numbers.loosest(0, kBand, 40), (member::Kind{member::Type::band, 1, 2}));
  EXPECT_FALSE(numbers.answer({1, 3}, 50));
}

TEST(TortureNumbers, AChangeThatWasNeverAnsweredMayHoldAtAnyTime) {
  Numbers numbers({kBand});
  numbers.ask({1, 1}, 0, {member::Type::band, 0, 7}, 10);
  numbers.ask({2, 1}, 0, {member::Type::band, 1, 2}, 20);
  numbers.answer({2, 1}, 30);
  EXPECT_EQ(numbers.loosest(0, kBand, 40).max, 7U);
  numbers.refuse({1, 1});
  EXPECT_EQ(numbers.loosest(0, kBand, 40).max, 2U);
}

// Guest i, of session i, goes by the name wi.
class TortureFloor : public ::testing::Test {
 protected:
  void enter(member::SessionId guest, const std::string& name) {
    floor_.asks(0, {guest, 1, static_cast<NodeId>(guest % 2), name}, now_);
    floor_.granted(guest, 1, now_);
  }
  void enter(member::SessionId guest) { enter(guest, "w" + std::to_string(guest)); }
  // And all that were told of it have heard it.
  void arm() {
    floor_.armed(0, now_);
    now_ += kSpread;
  }
  spec::Fault leave(member::SessionId guest) { return floor_.left(guest, 1, now_).fault; }

  static constexpr Real kEcho = 100;
  static constexpr Real kSpread = 10;
  Numbers numbers_{{kBand}};
  Floor floor_{numbers_, 1, {.echo = kEcho, .spread = kSpread}};
  Real now_ = 0;
};

TEST_F(TortureFloor, SeesOneLetOutWhoHadToStay) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  arm();
  EXPECT_EQ(leave(1), std::nullopt);
  EXPECT_EQ(leave(2), "w2 was let out: 1 stay inside, at least 2 must");
}

TEST_F(TortureFloor, IsSureOfNothingBeforeAllCanHaveHeard) {
  for (const member::SessionId guest : {1U, 2U}) enter(guest);
  floor_.armed(0, now_);
  now_ += kSpread - 1;
  EXPECT_EQ(leave(1), std::nullopt);
  EXPECT_TRUE(floor_.may_be_armed(0));
}

TEST_F(TortureFloor, IsNotSureIfThereWasTrouble) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  floor_.armed(0, now_);
  floor_.trouble(now_, now_ + 5);
  floor_.armed(0, now_ + 4);
  now_ += 2 * kSpread;
  EXPECT_EQ(leave(1), std::nullopt);
  EXPECT_EQ(leave(2), std::nullopt);
  arm();
  floor_.trouble(now_, now_ + 5);  // all know by now
  EXPECT_NE(leave(3), std::nullopt);
}

TEST_F(TortureFloor, WhoEndsWithoutLeavingCountsForAWhile) {
  for (const member::SessionId guest : {1U, 2U, 3U, 4U, 5U}) enter(guest);
  arm();
  floor_.lost(1, 1, now_);
  floor_.session_ends(2, now_);
  now_ += kEcho;
  EXPECT_EQ(leave(3), std::nullopt);
  now_ += 1;
  EXPECT_NE(leave(4), std::nullopt);
}

TEST_F(TortureFloor, NorDoesOneLeaveThatIsAbandoned) {
  for (const member::SessionId guest : {1U, 2U, 3U, 4U, 5U}) enter(guest);
  arm();
  floor_.abandoned(1, 1, true, now_);  // its member says nothing to that
  floor_.abandoned(2, 1, false, now_);
  EXPECT_EQ(leave(2), std::nullopt);
  now_ += kEcho;
  EXPECT_EQ(leave(3), std::nullopt);
  now_ += 1;
  EXPECT_NE(leave(4), std::nullopt);
}

TEST_F(TortureFloor, OfOneThatAskedTwiceByOneNumberTheLastIsMeant) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  arm();
  floor_.abandoned(3, 1, true, now_);
  now_ += 2 * kEcho;
  enter(3);
  EXPECT_EQ(leave(1), std::nullopt);
  EXPECT_NE(leave(2), std::nullopt);
}

TEST_F(TortureFloor, NotSoWhoHasLeftSince) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  arm();
  floor_.member_ends(1, now_);  // of w1 and w3
  enter(5, "w1");
  EXPECT_EQ(leave(5), std::nullopt);
  EXPECT_NE(leave(2), std::nullopt);
}

TEST_F(TortureFloor, GoesByTheNumbersThatHeldSinceItWasAskedToLeave) {
  for (const member::SessionId guest : {1U, 2U, 3U, 4U}) enter(guest);
  arm();
  const Numbers::Question change{9, 1};
  numbers_.ask(change, 0, {member::Type::band, 3, 4}, now_);
  floor_.wants_out(2, 1, now_);
  numbers_.answer(change, ++now_);
  floor_.wants_out(1, 1, now_);
  EXPECT_EQ(leave(1), std::nullopt);
  EXPECT_EQ(leave(2), std::nullopt) << "it asked before";
  numbers_.ask({9, 2}, 0, {member::Type::band, 0, 4}, ++now_);
  floor_.wants_out(3, 1, now_);
  EXPECT_EQ(leave(3), std::nullopt) << "either may hold";
}

TEST_F(TortureFloor, ATicketCountsWhenItsClientHasTakenWhatItWasGranted) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  arm();
  floor_.asks(0, {.session = 5, .request = 1, .name = "w1", .has_ticket = true}, now_);
  floor_.granted(5, 1, now_);
  EXPECT_EQ(leave(1), std::nullopt);
  EXPECT_NE(leave(2), std::nullopt);
  floor_.moved(5, 1, now_);
  EXPECT_EQ(leave(3), "w3 was let out: 1 stay inside, at least 2 must") << "w1 is";
}

TEST_F(TortureFloor, WhatLastsOutlivesItsSessionUntilItIsEnded) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  floor_.asks(0, {.session = 4, .request = 1, .name = "w4", .lasts = true}, now_);
  arm();
  floor_.session_ends(4, now_);  // nobody has heard what came of it
  now_ += 2 * kEcho;
  EXPECT_EQ(leave(1), std::nullopt);
  floor_.asks(0, {.session = 5, .request = 1, .name = "w4", .is_forced = true}, now_);
  EXPECT_EQ(leave(5), std::nullopt) << "whoever minds";
  now_ += 2 * kEcho;
  EXPECT_NE(leave(2), std::nullopt);
}

// The end was written down by too few, and one of the others was lost until it was by enough.
TEST_F(TortureFloor, WhatLastsIsToEndBeforeThatIsWrittenDown) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  arm();
  floor_.asks(0, {.session = 5, .request = 1, .name = "w1", .buries = true}, now_);
  floor_.wants_out(5, 1, now_);
  floor_.lost(2, 1, now_);
  now_ += 2 * kEcho;
  EXPECT_EQ(leave(5), std::nullopt);
  enter(6);
  floor_.asks(0, {.session = 7, .request = 1, .name = "w6", .buries = true}, now_);
  floor_.wants_out(7, 1, now_);
  EXPECT_NE(leave(7), std::nullopt) << "there was nobody but w3";
}

TEST_F(TortureFloor, OfTwoThatAreToEndOneMustCountTheOther) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  arm();
  for (const member::SessionId guest : {1U, 2U}) {
    floor_.asks(
        0,
        {.session = guest + 4, .request = 1, .name = "w" + std::to_string(guest), .buries = true},
        now_);
    floor_.wants_out(guest + 4, 1, now_);
  }
  EXPECT_EQ(leave(5), std::nullopt);
  EXPECT_NE(leave(6), std::nullopt);
}

TEST_F(TortureFloor, WhoWasToldToStayIsNotToEnd) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  arm();
  floor_.asks(0, {.session = 5, .request = 1, .name = "w1", .buries = true}, now_);
  floor_.wants_out(5, 1, now_);
  floor_.refused(5, 1, false, now_);
  floor_.lost(2, 1, now_);
  now_ += 2 * kEcho;
  floor_.asks(0, {.session = 7, .request = 1, .name = "w1", .buries = true}, now_);
  floor_.wants_out(7, 1, now_);
  EXPECT_NE(leave(7), std::nullopt);
}

TEST_F(TortureFloor, TimeDoesNotRunWhileFramesAreSlow) {
  for (const member::SessionId guest : {1U, 2U, 3U}) enter(guest);
  arm();
  floor_.lost(1, 1, now_);
  floor_.slow(now_ + 50);
  now_ += 50 + kEcho;
  EXPECT_EQ(leave(2), std::nullopt);
  now_ += 1;
  EXPECT_NE(leave(3), std::nullopt);
}

}  // namespace
}  // namespace coterie::sim::torture
