// Operations of a client, against a driver that writes down what they ask for.
#include "session/operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "session/change_call.h"
#include "session/end_call.h"
#include "session/mutants/end_call.h"

namespace coterie::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

api::Instant at(std::int64_t ms) { return {ms * 1'000'000}; }

class Script : public Operation::Driver {
 public:
  std::vector<std::string> heard() { return std::exchange(heard_, {}); }

  void ask(const api::Wish& wish) override { heard_.push_back("ask " + wish.name); }
  void end(const api::Burial& burial) override { heard_.push_back("end" + text_of(burial)); }
  void settle(const api::Burial& burial) override { heard_.push_back("settle" + text_of(burial)); }
  void change(const api::Change& change) override {
    heard_.push_back("change " + api::text_of(change.kind) + ", replaces " +
                     std::to_string(change.replaces.value_or(0)));
  }
  void give_up() override { heard_.emplace_back("give up"); }
  void look() override { heard_.emplace_back("look"); }
  api::Attempt draw_attempt() override { return {1, ++attempts_}; }
  void done(Outcome<LastingHold> outcome) override {
    heard_.push_back(outcome ? "done " + std::to_string(outcome->token)
                             : "refused " + outcome.error().text);
    reason_ = outcome ? std::nullopt : std::optional(outcome.error().reason);
  }
  std::optional<Reason> reason() const { return reason_; }

 private:
  static std::string text_of(const api::Burial& burial) {
    if (burial.how == api::Burial::How::find) return " what is found";
    return " " + std::to_string(burial.token) + (burial.is_forced ? " by force" : "");
  }

  std::vector<std::string> heard_;
  std::optional<Reason> reason_;
  std::uint64_t attempts_ = 0;
};

api::Picture nobody() {
  api::Picture picture;
  picture.name = "door";
  picture.kind = api::Kind{api::Type::band, 2, 5};
  return picture;
}

api::Picture held_by(const std::string& owner, std::uint64_t token) {
  api::Picture picture = nobody();
  api::Picture::Holder holder;
  holder.client = owner;
  holder.token = token;
  holder.is_lasting = true;
  picture.holders.push_back(holder);
  return picture;
}

Refusal refusal(Reason reason) { return {reason, "no"}; }

// ---- ends

class EndCallTest : public testing::Test {
 protected:
  void start() {
    call_.start(at(0));
    ASSERT_THAT(driver_.heard(), ElementsAre("look"));
  }
  void start_to_end(std::uint64_t token) {
    start();
    call_.seen(held_by("db-1", token), at(1));
    ASSERT_THAT(driver_.heard(), ElementsAre("end " + std::to_string(token)));
  }

  Script driver_;
  EndCall call_{{.name = "door", .owner = "db-1"}, at(1'000), driver_};
};

TEST_F(EndCallTest, NamesTheTokenThatItSaw) {
  start_to_end(42);
  call_.settled(LastingHold{}, at(2));
  EXPECT_THAT(driver_.heard(), ElementsAre("done 42"));
}

TEST_F(EndCallTest, SaysThatThereIsNothingWhenAQuorumHasSaidSo) {
  start();
  call_.seen(nobody(), at(1));
  EXPECT_THAT(driver_.heard(), ElementsAre("end what is found"));
  call_.settled(refusal(Reason::invalid), at(2));
  EXPECT_EQ(driver_.reason(), Reason::invalid);
}

TEST_F(EndCallTest, LooksAgainWhenMembersFindWhatItDidNotSee) {
  start();
  call_.seen(nobody(), at(1));
  driver_.heard();
  call_.settled(refusal(Reason::look_first), at(2));
  EXPECT_THAT(driver_.heard(), IsEmpty());
  call_.tick(call_.next_tick());
  EXPECT_THAT(driver_.heard(), ElementsAre("look"));
  api::Picture still_nobody = nobody();
  still_nobody.dark_names = {"c"};
  call_.seen(still_nobody, at(3));
  EXPECT_THAT(driver_.heard(),
              ElementsAre("refused whether db-1 holds door is not known: no answer of c"));
  EXPECT_EQ(driver_.reason(), Reason::unreachable);
}

// The member that was asked first may have ended the hold before it went away.
TEST_F(EndCallTest, WhatIsGoneAfterAnEndWithoutAnAnswerHasEnded) {
  start_to_end(42);
  call_.settled(refusal(Reason::unheard), at(2));
  EXPECT_THAT(driver_.heard(), ElementsAre("end 42"));
  call_.settled(refusal(Reason::invalid), at(3));
  EXPECT_THAT(driver_.heard(), ElementsAre("done 42"));
}

TEST_F(EndCallTest, WhatIsGoneBeforeItWasAskedForWasNotEndedByThisCall) {
  start_to_end(42);
  call_.settled(refusal(Reason::invalid), at(3));
  EXPECT_EQ(driver_.reason(), Reason::invalid);
}

TEST_F(EndCallTest, MustStayIsTheAnswerOfTheFirstMemberOnly) {
  start_to_end(42);
  call_.settled(refusal(Reason::must_stay), at(900));
  EXPECT_EQ(driver_.reason(), Reason::must_stay);
}

TEST_F(EndCallTest, MustStayAfterAnEndWithoutAnAnswerIsNoAnswer) {
  start_to_end(42);
  call_.settled(refusal(Reason::unheard), at(2));
  driver_.heard();
  call_.settled(refusal(Reason::must_stay), at(1'000));
  EXPECT_EQ(driver_.reason(), Reason::unreachable);
}

TEST(EndCallMutants, StaysUnheard) {
  Script driver;
  mutants::StaysUnheard call({.name = "door", .owner = "db-1"}, at(1'000), driver);
  call.start(at(0));
  call.seen(held_by("db-1", 42), at(1));
  call.settled(refusal(Reason::unheard), at(2));
  call.settled(refusal(Reason::must_stay), at(1'000));
  EXPECT_EQ(driver.reason(), Reason::must_stay);
}

TEST_F(EndCallTest, IsNotRepeatedWhenPatienceIsOver) {
  start_to_end(42);
  call_.settled(refusal(Reason::unheard), at(1'000));
  EXPECT_EQ(driver_.reason(), Reason::unreachable);
}

TEST_F(EndCallTest, IsGivenUpWhenItIsCancelled) {
  start_to_end(42);
  call_.cancel(at(2));
  call_.cancel(at(3));
  EXPECT_THAT(driver_.heard(), ElementsAre("give up"));
  call_.settled(refusal(Reason::unheard), at(4));
  EXPECT_EQ(driver_.reason(), Reason::unreachable);
}

// A late answer to an operation that is over changes nothing.
TEST_F(EndCallTest, SaysOnceHowItCameOut) {
  start_to_end(42);
  call_.settled(LastingHold{}, at(2));
  driver_.heard();
  call_.settled(refusal(Reason::unheard), at(3));
  call_.seen(nobody(), at(4));
  EXPECT_THAT(driver_.heard(), IsEmpty());
}

TEST(ForcedEnd, EndsTheTokenThatItWasGivenOnly) {
  Script driver;
  EndCall call({.name = "door", .owner = "db-1", .token = 41, .is_forced = true}, at(1'000),
               driver);
  call.start(at(0));
  call.seen(held_by("db-1", 42), at(1));
  EXPECT_THAT(driver.heard(),
              ElementsAre("look", "refused db-1 holds door with the token 42, not 41"));
  EndCall right({.name = "door", .owner = "db-1", .token = 42, .is_forced = true}, at(1'000),
                driver);
  right.start(at(0));
  right.seen(held_by("db-1", 42), at(1));
  EXPECT_THAT(driver.heard(), ElementsAre("look", "end 42 by force"));
}

// ---- changes

class ChangeCallTest : public testing::Test {
 protected:
  static api::Picture set_to(std::uint32_t max, std::uint64_t version) {
    api::Picture picture;
    picture.name = "seats";
    picture.kind = api::Kind{api::Type::semaphore, 0, max};
    picture.is_set = true;
    picture.version = version;
    return picture;
  }

  Script driver_;
  ChangeCall call_{"seats", change_limits(api::Type::semaphore, {}, 5), driver_};
};

TEST_F(ChangeCallTest, NamesTheVersionThatItReplaces) {
  call_.start(at(0));
  call_.seen(set_to(3, 7), at(1));
  EXPECT_THAT(driver_.heard(), ElementsAre("look", "change a semaphore of 5, replaces 7"));
  call_.settled(LastingHold{}, at(2));
  EXPECT_THAT(driver_.heard(), ElementsAre("done 0"));
  EXPECT_EQ(call_.kind().max, 5U);
}

TEST_F(ChangeCallTest, LooksAgainWhenSomethingWasSetInBetween) {
  call_.start(at(0));
  call_.seen(set_to(3, 7), at(1));
  call_.settled(refusal(Reason::mismatch), at(2));
  call_.seen(set_to(4, 8), at(3));
  EXPECT_THAT(driver_.heard(), ElementsAre("look", "change a semaphore of 5, replaces 7", "look",
                                           "change a semaphore of 5, replaces 8"));
}

// A copy of the change at another member was first.
TEST_F(ChangeCallTest, IsDoneWhenItIsInForceAfterARefusal) {
  call_.start(at(0));
  call_.seen(set_to(3, 7), at(1));
  call_.settled(refusal(Reason::mismatch), at(2));
  driver_.heard();
  call_.seen(set_to(5, 8), at(3));
  EXPECT_THAT(driver_.heard(), ElementsAre("done 0"));
}

TEST_F(ChangeCallTest, IsRefusedWhenTheSameVersionIsRefusedTwice) {
  call_.start(at(0));
  for (int time = 0; time < 2; ++time) {
    call_.seen(set_to(3, 7), at(1));
    call_.settled(refusal(Reason::mismatch), at(2));
  }
  EXPECT_EQ(driver_.reason(), Reason::mismatch);
}

TEST_F(ChangeCallTest, IsGivenUpWhileMembersAreAsked) {
  call_.start(at(0));
  call_.seen(set_to(3, 7), at(1));
  driver_.heard();
  call_.cancel(at(2));
  EXPECT_THAT(driver_.heard(), ElementsAre("give up"));
  call_.settled(refusal(Reason::mismatch), at(3));
  EXPECT_EQ(driver_.reason(), Reason::mismatch);
}

TEST_F(ChangeCallTest, RefusesLimitsThatCannotBe) {
  ChangeCall none("seats", change_limits(api::Type::semaphore, {}, 0), driver_);
  none.start(at(0));
  none.seen(set_to(3, 7), at(1));
  EXPECT_EQ(driver_.reason(), Reason::invalid);
}

}  // namespace
}  // namespace coterie::session
