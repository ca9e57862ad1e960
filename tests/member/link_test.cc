// Sessions and leases between two members, frame by frame.
#include "member/link.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace coterie::member {
namespace {

using protocol::Life;

constexpr Timing kTiming{Duration::seconds(2), Duration::milliseconds(2'010),
                         Duration::milliseconds(250), Duration::milliseconds(750)};

// One end of a link, and what it heard.
class End final : public Ear {
 public:
  End(Incarnation incarnation, Instant now) : link(1, incarnation, kTiming, now, *this, tally) {}

  void on_ask(NodeId /*from*/, const Packet<Ask>& packet) override { heard.push_back(packet.name); }
  void on_answer(NodeId /*from*/, const Packet<Answer>& packet) override {
    heard.push_back(packet.name);
  }
  void on_up(NodeId /*peer*/) override { heard.emplace_back("up"); }
  void on_suspect(NodeId /*peer*/) override { heard.emplace_back("suspect"); }
  void on_trust(NodeId /*peer*/) override { heard.emplace_back("trust"); }
  void on_lapse(NodeId /*peer*/) override { heard.emplace_back("lapse"); }
  void on_reborn(NodeId /*peer*/) override { heard.emplace_back("reborn"); }
  void on_expire(NodeId /*peer*/, Life life) override {
    heard.emplace_back(life == Life::present ? "expire" : "expire former");
  }

  void advance(Instant now) {
    link.stop_believing(now);
    link.advance(now);
  }
  Frame frame(Instant now) {
    Frame made;
    link.fill(made, now);
    return made;
  }
  void receive(const Frame& frame, Instant now) {
    advance(now);
    link.receive(frame, now);
  }
  std::vector<std::string> news() { return std::exchange(heard, {}); }

  Tally tally;
  Link link;
  std::vector<std::string> heard;
};

using News = std::vector<std::string>;

class TwoEnds : public ::testing::Test {
 protected:
  // Everything that either has to say arrives.
  void talk() {
    while (a.link.has_to_send() || b.link.has_to_send()) {
      if (a.link.has_to_send()) b.receive(a.frame(now), now);
      if (b.link.has_to_send()) a.receive(b.frame(now), now);
    }
  }
  void pass(Duration duration) {
    now = now + duration;
    a.advance(now);
    b.advance(now);
  }

  Instant now{1'000'000'000};
  End a{10, now};
  End b{20, now};
};

TEST_F(TwoEnds, MeetAndLeaseToEachOther) {
  talk();
  EXPECT_EQ(a.news(), News{"up"});
  EXPECT_EQ(b.news(), News{"up"});
  EXPECT_EQ(a.link.leased_until(), now + kTiming.lease);
  EXPECT_EQ(b.link.lent_until(Life::present), now + kTiming.lent);
}

TEST_F(TwoEnds, CountALeaseFromWhenTheHeartbeatWasSent) {
  talk();
  a.news();
  pass(kTiming.heartbeat);
  const Frame beat = a.frame(now);
  const Instant sent = now;
  now = now + Duration::milliseconds(100);
  b.receive(beat, now);
  a.receive(b.frame(now), now);
  EXPECT_EQ(a.link.leased_until(), sent + kTiming.lease);
  EXPECT_EQ(b.link.lent_until(Life::present), now + kTiming.lent);
}

TEST_F(TwoEnds, HandPacketsOnOnceAndInOrder) {
  talk();
  a.news(), b.news();
  a.link.ask({"1", {}, 0, Release{}});
  const Frame first = a.frame(now);
  a.link.ask({"2", {}, 0, Release{}});
  const Frame second = a.frame(now);
  b.receive(second, now);  // it overtook the first
  EXPECT_EQ(b.news(), News{});
  EXPECT_EQ(b.tally.of(Happened::packet_missing), 1U);
  b.receive(first, now);
  b.receive(first, now);
  EXPECT_EQ(b.news(), News{"1"});
  EXPECT_EQ(b.tally.of(Happened::packet_doubled), 1U);
  // What did not arrive comes again, after a while or with a new connection.
  pass(kTiming.heartbeat);
  pass(kTiming.heartbeat);
  EXPECT_EQ(a.tally.of(Happened::resent), 1U);
  b.receive(a.frame(now), now);
  EXPECT_EQ(b.news(), News{"2"});
}

// A heartbeat is behind what is under way, and must not be behind more than that.
TEST_F(TwoEnds, HaveSoMuchUnderWayAndNotMore) {
  constexpr std::size_t kMany = 10'000;
  talk();
  a.news(), b.news();
  for (std::size_t i = 0; i < kMany; ++i) a.link.ask({std::to_string(i), {}, 0, Release{}});
  EXPECT_EQ(a.link.backlog(), kMany);
  std::vector<Frame> frames;
  std::size_t packets = 0;
  while (a.link.has_to_send()) {
    frames.push_back(a.frame(now));
    packets += frames.back().asking.packets.size();
  }
  EXPECT_EQ(packets, 4'000U);
  for (const Frame& frame : frames) b.receive(frame, now);
  talk();
  pass(kTiming.heartbeat);
  talk();
  EXPECT_EQ(b.news().size(), kMany);
  EXPECT_EQ(a.link.backlog(), 0U);
}

TEST_F(TwoEnds, KnowThatTheOtherHasSaidFarewell) {
  talk();
  EXPECT_FALSE(a.link.has_left());
  pass(kTiming.heartbeat);
  Frame farewell = b.frame(now);
  farewell.is_farewell = true;
  a.receive(farewell, now);
  EXPECT_TRUE(a.link.has_left());
  End again{21, now};
  a.receive(again.frame(now), now);
  EXPECT_FALSE(a.link.has_left());
}

TEST_F(TwoEnds, SendAgainAfterAReconnect) {
  talk();
  b.news();
  a.link.ask({"1", {}, 0, Release{}});
  a.frame(now);  // lost
  a.link.connected(now);
  talk();
  EXPECT_EQ(b.news(), News{"1"});
}

TEST_F(TwoEnds, StopBelievingBeforeTheOtherForgets) {
  talk();
  a.news(), b.news();
  pass(kTiming.suspect_after);
  EXPECT_EQ(a.news(), News{"suspect"});
  pass(kTiming.lease - kTiming.suspect_after);
  EXPECT_EQ(a.news(), News{"lapse"});
  EXPECT_EQ(b.news(), (News{"suspect", "lapse"}));
  pass(kTiming.lent - kTiming.lease);
  EXPECT_EQ(a.news(), News{"expire"});
  EXPECT_EQ(b.news(), News{"expire"});
  talk();
  EXPECT_EQ(a.news(), News{"up"});
  EXPECT_EQ(b.news(), News{"up"});
}

TEST_F(TwoEnds, DropWhatBelongsToASessionThatIsOver) {
  talk();
  a.link.ask({"late", {}, 0, Release{}});
  const Frame late = a.frame(now);
  b.link.answer({"late answer", {}, 0, Wanted{}});
  const Frame late_answer = b.frame(now);
  pass(kTiming.lent);
  a.news(), b.news();
  b.receive(late, now);
  EXPECT_EQ(b.news(), News{});
  EXPECT_EQ(b.tally.of(Happened::frame_of_former_session), 1U);
  a.receive(late_answer, now);
  EXPECT_EQ(a.news(), News{});
  EXPECT_EQ(a.tally.of(Happened::answer_of_former_session), 1U);
}

// Who asks anew has seen its lease lapse, and says so by the number of its session.
TEST_F(TwoEnds, EndALeaseWhenItsHolderAsksAnew) {
  talk();
  a.news(), b.news();
  now = now + kTiming.lease;
  a.advance(now);
  b.receive(a.frame(now), now);
  EXPECT_EQ(b.tally.of(Happened::session_renewed), 1U);
  EXPECT_EQ(b.news(), (News{"lapse", "expire"}));
}

TEST_F(TwoEnds, KeepWhatAFormerLifeHeldUntilItsLeaseIsOver) {
  talk();
  b.news();
  End again(11, now);
  b.receive(again.frame(now), now);
  EXPECT_EQ(b.news(), (News{"reborn", "suspect"}));
  EXPECT_EQ(b.link.lent_until(Life::former), now + kTiming.lent);
  // Its former life is not listened to, even if it is late.
  b.receive(a.frame(now), now);
  EXPECT_EQ(b.tally.of(Happened::frame_of_former_life), 1U);
  again.receive(b.frame(now), now);
  b.receive(again.frame(now), now);
  // A third life within the lease has to wait.
  End third(12, now);
  b.receive(third.frame(now), now);
  EXPECT_EQ(b.tally.of(Happened::peer_reborn_twice), 1U);
  now = now + kTiming.lent;
  b.receive(third.frame(now), now);
  EXPECT_EQ(b.tally.of(Happened::peer_reborn_twice), 1U);
}

TEST_F(TwoEnds, EndEverythingWithAFarewell) {
  talk();
  b.news();
  Frame farewell = a.frame(now);
  farewell.is_farewell = true;
  b.receive(farewell, now);
  EXPECT_EQ(b.news(), (News{"expire", "suspect"}));
  // What is late is of a session that is over.
  Frame late = a.frame(now);
  late.asking.packets.push_back({"late", {}, 0, Release{}});
  b.receive(late, now);
  EXPECT_EQ(b.news(), News{});
}

TEST_F(TwoEnds, DoubtASilentOneUntilItSpeaks) {
  talk();
  a.news();
  pass(kTiming.heartbeat);
  b.receive(a.frame(now), now);
  Frame silent = b.frame(now);
  silent.is_silent = true;
  a.receive(silent, now);
  EXPECT_EQ(a.news(), News{"suspect"});
  pass(kTiming.heartbeat);
  talk();
  EXPECT_EQ(a.news(), News{"trust"});
}

}  // namespace
}  // namespace coterie::member
