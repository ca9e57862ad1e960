// What goes over a connection comes back as it was; what cannot be is not taken.
#include "net/codec.h"

#include <gtest/gtest.h>

#include "base/pack.h"

namespace coterie::net {
namespace {

using protocol::Rank;
using protocol::census::Way;

member::Frame full_frame() {
  member::Frame frame;
  frame.from = 1;
  frame.to = 2;
  frame.clock = Time{3};
  frame.ceiling = 4;
  frame.is_silent = true;
  frame.is_farewell = true;
  const member::Kind room{member::Type::room};
  const member::Kind band{member::Type::band, 2, member::kNoMax};
  const std::vector<member::Recorded> census = {
      {41, protocol::Life::former, "web-2", {}, 0, false, true}, {42, {}, "", "db-1", 49, true}};
  const member::Terms terms{43, 2, 44, true};
  frame.asking = {5, 6, 7, {}, 8};
  frame.asking.packets = {
      {"name", room, 9,
       member::Request{Time{10}, {Rank::holding, {Time{11}, 12}}, {"a", "b"}, true, {45, 46}}},
      {"name", {}, 9, member::Yield{Time{13}, 14}},
      {"name", {}, 9, member::Release{Time{15}, 16}},
      {"name", band, 9,
       member::Poll{Time{30}, {Rank::waiting, {Time{31}, 32}}, Way::out, true, {47, 48}}},
      {"name", band, 9, member::Commit{Time{33}, 34, "web-1", true, true, "web-1"}},
      {"name", band, 9, member::Withdraw{Time{35}}},
      {"name", band, 9, member::Record{"web-1"}},
      {"name", band, 9, member::Erase{36}},
      {"name", {}, 9, member::Pin{"db-1", 45, "a", true, {70, 71}, 72, 73}},
      {"name", {}, 9, member::Unpin{"db-1", 46}},
      {"name", band, 9, member::Agree{terms}},
      {"name", {}, 9, member::Disown{{49, 50, 51, Time{52}}, 53, {54, 55}}},
      {"name", {}, 9, member::Keys{{{{56, 57}, 58}}}},
      {"name", {}, 9, member::Vouch{{59, 60, 61, Time{62}}, {{63, 64}, 65}, "a"}},
      {"name", {}, 0, member::Probed{66, Time{67}}}};
  frame.answering = {17, 18, 19, {}, 20};
  frame.answering.packets = {{"name", room, 1, member::Lock{Time{21}, "a", 22, true}},
                             {"name", {}, 1, member::Inquire{Time{23}}},
                             {"name", {}, 1, member::Wanted{Time{24}}},
                             {"name", {}, 1, member::Queued{Time{25}, true, true}},
                             {"name", {}, 1, member::Mismatch{Time{26}, room}},
                             {"name", band, 1, member::Grant{Time{37}, 38, census, terms}},
                             {"name", band, 1, member::Update{Time{39}, census, terms}},
                             {"name", band, 1, member::Preempt{Time{40}}},
                             {"name", {}, 1, member::Pinned{"db-1", 47}},
                             {"name", {}, 1, member::Unpinned{"db-1", 48}},
                             {"name", band, 1, member::Agreed{50}},
                             {"name", band, 1, member::Vouched{true}},
                             {"name", {}, 0, member::Probe{68, Time{69}}}};
  frame.questions = {{27, "name"}};
  frame.reports = {{28, "view"}};
  frame.keepsakes = "keepsakes";
  return frame;
}

TEST(Codec, GivesFramesBackAsTheyWere) {
  const member::Frame frame = full_frame();
  wire::Frame sent;
  encode(frame, sent);
  wire::Frame received;
  ASSERT_TRUE(received.ParseFromString(sent.SerializeAsString()));
  const auto read = decode(received);
  ASSERT_TRUE(read);
  EXPECT_EQ(packed(*read), packed(frame));
}

TEST(Codec, TakesNoFrameThatCannotBe) {
  wire::Frame frame;
  encode(full_frame(), frame);
  const auto is_taken = [&](const auto& spoil) {
    wire::Frame wrong = frame;
    spoil(wrong);
    return decode(wrong).has_value();
  };
  EXPECT_TRUE(is_taken([](wire::Frame&) {}));
  EXPECT_FALSE(is_taken([](wire::Frame& f) { f.mutable_asking()->add_packets(); }));
  EXPECT_FALSE(is_taken([](wire::Frame& f) {  // an answer among the asks
    f.mutable_asking()->mutable_packets(0)->mutable_wanted();
  }));
  EXPECT_FALSE(is_taken([](wire::Frame& f) {
    f.mutable_asking()->mutable_packets(0)->set_name(std::string(Limits::kName + 1, 'x'));
  }));
  EXPECT_FALSE(is_taken([](wire::Frame& f) {
    for (int i = 0; i <= Limits::kGroups; ++i)
      f.mutable_asking()->mutable_packets(0)->mutable_request()->add_groups("g");
  }));
  EXPECT_FALSE(is_taken([](wire::Frame& f) {
    f.mutable_asking()->mutable_packets(0)->mutable_kind()->set_type(static_cast<wire::Type>(77));
  }));
}

TEST(Codec, GivesWishesBackAsTheyWere) {
  member::Wish wish;
  wish.request = 1;
  wish.name = "name";
  wish.kind = {member::Type::room};
  wish.groups = {"a", "b"};
  wish.is_try = true;
  wish.wait = member::Duration::seconds(5);
  wire::Acquire acquire;
  encode(wish, acquire);
  const auto read = decode(acquire);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, wish.name);
  EXPECT_EQ(read->groups, wish.groups);
  EXPECT_EQ(read->wait, wish.wait);
  EXPECT_TRUE(read->is_try);
  EXPECT_EQ(read->kind, wish.kind);
  acquire.set_wait_ns(~std::uint64_t{0});
  EXPECT_FALSE(decode(acquire));
}

}  // namespace
}  // namespace coterie::net
