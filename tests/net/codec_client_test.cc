// The client's half of the codec, against the member's half and against what no member says.
#include "net/codec_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "net/codec.h"

namespace coterie::net {
namespace {

api::Event over_the_wire(const api::Event& event) {
  wire::Event made;
  encode(event, {}, made);
  return decode(made).value();
}

TEST(CodecClient, AnEventArrivesAsItWasSaid) {
  const api::Granted granted{7, "g", 42, {3, {5}}, {1, 9, 2, Time{8}}, {11, 12}};
  const auto heard = std::get<api::Granted>(over_the_wire(granted));
  EXPECT_EQ(heard.request, 7U);
  EXPECT_EQ(heard.group, "g");
  EXPECT_EQ(heard.token, 42U);
  EXPECT_EQ(heard.good.beat, 3U);
  EXPECT_EQ(heard.good.lasts, api::Duration{5});
  EXPECT_EQ(heard.origin, granted.origin);
  EXPECT_TRUE(heard.secret.is(granted.secret));
  const auto kept =
      std::get<api::Kept>(over_the_wire(api::Kept{{1, {2}}, {{7, {1, {1}}}}, {{8, Time{17}}}}));
  ASSERT_EQ(kept.shorter.size(), 1U);
  EXPECT_EQ(kept.shorter[0].second.lasts, api::Duration{1});
  ASSERT_EQ(kept.places.size(), 1U);
  EXPECT_EQ(kept.places[0].second, Time{17});
}

TEST(CodecClient, ACallArrivesAsItWasSaid) {
  wire::Call call;
  encode(api::Call{api::Release{7, {.wait = {5}, .is_abandonment = true, .is_quiet = true}}}, call);
  EXPECT_EQ(call.release().request(), 7U);
  const auto how = decode(call.release());
  ASSERT_TRUE(how);
  EXPECT_EQ(how->wait, api::Duration{5});
  EXPECT_TRUE(how->is_quiet);
  wire::Call survey;
  encode(api::Call{api::Survey{9, "door"}}, survey);
  EXPECT_EQ(survey.survey().after(), "door");
}

// Times that nobody can add to a clock, and refusals of a later version.
TEST(CodecClient, WhatNoMemberSaysIsCutToWhatCanBe) {
  wire::Welcome welcome;
  welcome.set_session_ns(std::numeric_limits<std::uint64_t>::max());
  welcome.set_drift_ppm(std::numeric_limits<std::uint64_t>::max());
  EXPECT_GT(decode(welcome).length, api::Duration{});
  EXPECT_EQ(decode(welcome).drift.ppm, 1'000'000);
  wire::Event event;
  event.mutable_refused()->set_why(static_cast<wire::Refusal>(256));
  EXPECT_EQ(std::get<api::Refused>(decode(event).value()).why, api::Refusal::invalid);
  event.mutable_shown();
  EXPECT_FALSE(decode(event));
}

}  // namespace
}  // namespace coterie::net
