// Whatever a member may put into a message can be read where it arrives, and is the same there: for every message of
// members, with values drawn by the lists of their fields, so that a new field is drawn too.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "base/pack.h"
#include "member/resource.h"
#include "member/sound.h"
#include "net/codec.h"

namespace coterie::net {
namespace {

class Draw {
 public:
  std::uint64_t below(std::uint64_t limit) { return chance_() % limit; }

  void fill(bool& value) { value = below(2) == 0; }
  void fill(std::uint32_t& value) { value = static_cast<std::uint32_t>(chance_()); }
  void fill(std::uint64_t& value) {
    value = below(4) == 0 ? member::kMostNumber - below(2) : chance_() >> (2 + below(60));
  }
  void fill(Time& value) {
    std::uint64_t time = 0;
    fill(time);
    value = Time{time};
  }
  void fill(std::string& value) {
    static const std::array<std::string, 6> kTexts = {
        "", "a", "db/primary", "gr\xc3\xb6\xc3\x9f\x65", "\xe5\x90\x8d\xe5\x89\x8d", "\x01m.17.3"};
    value = kTexts.at(below(kTexts.size()));
  }
  void fill(protocol::Rank& value) {
    value = below(2) == 0 ? protocol::Rank::holding : protocol::Rank::waiting;
  }
  void fill(protocol::Life& value) {
    value = below(2) == 0 ? protocol::Life::present : protocol::Life::former;
  }
  void fill(protocol::census::Way& value) {
    value = below(2) == 0 ? protocol::census::Way::in : protocol::census::Way::out;
  }
  void fill(member::Kind& value) {
    constexpr std::array kKinds = {
        member::Kind{member::Type::mutex}, member::Kind{member::Type::room},
        member::Kind{member::Type::room, 0, 7}, member::Kind{member::Type::semaphore, 0, 3},
        member::Kind{member::Type::band, 2, member::kNoMax}};
    value = kKinds.at(below(kKinds.size()));
  }
  void fill(member::Settle::How& value) { value = static_cast<member::Settle::How>(below(5)); }
  void fill(member::Settled::Verdict& value) {
    value = static_cast<member::Settled::Verdict>(below(4));
  }
  void fill(member::Attempt& value) { value = {chance_(), chance_()}; }
  void fill(member::Secret& value) { value = {chance_(), chance_()}; }
  void fill(member::Origin& value) {
    value = {static_cast<NodeId>(below(5)),
             chance_(),
             static_cast<member::Slot>(below(member::kMostSlots)),
             {}};
    fill(value.since);
  }
  void fill(member::Terms& value) {
    fill(value.version);
    fill(value.is_armed);
    value.max = static_cast<std::uint32_t>(1 + below(1'000));
    value.min = static_cast<std::uint32_t>(below(value.max));
  }
  template <class Value>
  void fill(std::vector<Value>& values) {
    values.resize(below(4));
    for (Value& value : values) fill(value);
  }
  template <Listed Value>
  void fill(Value& value) {
    std::apply([this](auto&... fields) { (fill(fields), ...); }, value.fields());
    if constexpr (std::is_same_v<Value, member::Recorded>)
      value.id = static_cast<NodeId>(below(1U << 20U));
  }

 private:
  std::mt19937_64 chance_{18};
};

template <class Body, std::size_t... alternatives>
std::vector<member::Packet<Body>> one_of_each(Draw& draw,
                                              std::index_sequence<alternatives...> /*all*/) {
  std::vector<member::Packet<Body>> packets;
  const auto add = [&](auto body) {
    draw.fill(body);
    member::Packet<Body> packet{"name", {}, 0, body};
    draw.fill(packet.kind);
    draw.fill(packet.slot);
    packets.push_back(std::move(packet));
  };
  (add(std::variant_alternative_t<alternatives, Body>{}), ...);
  return packets;
}
template <class Body>
std::vector<member::Packet<Body>> one_of_each(Draw& draw) {
  return one_of_each<Body>(draw, std::make_index_sequence<std::variant_size_v<Body>>());
}

std::optional<member::Frame> sent(const member::Frame& frame) {
  wire::Frame made;
  encode(frame, made);
  wire::Frame read;
  if (!read.ParseFromString(made.SerializeAsString())) return std::nullopt;
  return decode(read);
}

TEST(EveryMessage, ArrivesAsItWasSent) {
  Draw draw;
  for (int round = 0; round < 300; ++round) {
    member::Frame frame;
    frame.asking.packets = one_of_each<member::Ask>(draw);
    frame.answering.packets = one_of_each<member::Answer>(draw);
    ASSERT_TRUE(member::is_sound(frame));
    const auto read = sent(frame);
    ASSERT_TRUE(read);
    EXPECT_EQ(packed(*read), packed(frame));
  }
}

// One byte of text that is not UTF-8, or a number that cannot be: a member would not send it, and none would take it.
TEST(EveryMessage, IsRefusedAtBothEndsIfItCannotBe) {
  Draw draw;
  member::Frame frame;
  frame.asking.packets = {{"na\xffme", {}, 0, member::Release{}}};
  EXPECT_FALSE(member::is_sound(frame));
  EXPECT_FALSE(sent(frame));
  frame.asking.packets = {{"name", {}, 0, member::Release{{}, ~member::Number{0}}}};
  EXPECT_FALSE(member::is_sound(frame));
  EXPECT_FALSE(sent(frame));
  frame.asking.packets = {{"name", {}, 0, member::Yield{Time{~std::uint64_t{0}}, 0}}};
  EXPECT_FALSE(member::is_sound(frame));
  EXPECT_FALSE(sent(frame));
}

}  // namespace
}  // namespace coterie::net
