#include "net/complaints.h"

#include <gtest/gtest.h>

#include <string>

namespace coterie::net {
namespace {

using api::Duration;
using api::Instant;

int said_of(Complaints& complaints, Complaint kind, Instant from, int count, Duration apart) {
  int said = 0;
  for (int i = 0; i < count; ++i) {
    const Instant now = from + apart * i;
    said += complaints.judge(kind, std::to_string(now.ns), now).is_due ? 1 : 0;
  }
  return said;
}

TEST(Complaints, TheSameIsSaidOnceAMinute) {
  Complaints complaints;
  const Instant now{1};
  EXPECT_TRUE(complaints.judge(Complaint::hello, "x", now).is_due);
  EXPECT_FALSE(complaints.judge(Complaint::hello, "x", now + Duration::seconds(59)).is_due);
  EXPECT_TRUE(complaints.judge(Complaint::hello, "y", now + Duration::seconds(59)).is_due);
  const auto again = complaints.judge(Complaint::hello, "x", now + Duration::seconds(60));
  EXPECT_TRUE(again.is_due);
  EXPECT_EQ(again.left_out, 0U);  // y told of it
}

TEST(Complaints, DifferentOnesOfAKindAreAFewAtOnceAndThenOneASecond) {
  Complaints complaints;
  const Instant now = Instant{} + Duration::seconds(1'000);
  EXPECT_EQ(said_of(complaints, Complaint::hello, now, 10'000, Duration::milliseconds(1)), 19);
  const auto later = complaints.judge(Complaint::hello, "later", now + Duration::seconds(11));
  EXPECT_TRUE(later.is_due);
  EXPECT_EQ(later.left_out, 999U);  // since the one after nine seconds
  // Another kind has a share of its own.
  EXPECT_TRUE(complaints.judge(Complaint::member, "x", now + Duration::seconds(11)).is_due);
}

TEST(Complaints, WhatWasLeftOutIsToldEvenIfNothingFollows) {
  Complaints complaints;
  const Instant now = Instant{} + Duration::seconds(5);
  said_of(complaints, Complaint::bytes, now, 100, Duration{});
  EXPECT_TRUE(complaints.overdue(now + Duration::seconds(59)).empty());
  const auto told = complaints.overdue(now + Duration::seconds(60));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].kind, Complaint::bytes);
  EXPECT_EQ(told[0].times, 99U);  // the first was said
  EXPECT_TRUE(complaints.overdue(now + Duration::seconds(300)).empty());
}

// What is remembered of what an attacker makes up is little.
TEST(Complaints, LongTextsAreComparedByTheirBeginning) {
  Complaints complaints;
  const std::string start(300, 'x');
  EXPECT_TRUE(complaints.judge(Complaint::call, start + "1", Instant{1}).is_due);
  EXPECT_FALSE(complaints.judge(Complaint::call, start + "2", Instant{2}).is_due);
}

}  // namespace
}  // namespace coterie::net
