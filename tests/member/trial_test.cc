// Who only tries is let in to what is free, whatever members keep and whatever is still on its way; and is refused at once
// what somebody has.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "member/cluster.h"

namespace coterie::member {
namespace {

struct Case {
  std::string name;
  Kind kind;
  std::vector<std::string> groups;  // one of them at a time
  bool is_alone = false;
  bool lasts = false;
};

class Trial : public testing::TestWithParam<Case> {
 protected:
  static constexpr NodeId kMembers = 5;

  Trial() { cluster_.hold_frames(); }

  Wish wish(std::size_t turn) const {
    Wish wish;
    wish.name = "n";
    wish.kind = GetParam().kind;
    if (!GetParam().groups.empty())
      wish.groups = {GetParam().groups[turn % GetParam().groups.size()]};
    wish.is_alone = GetParam().is_alone;
    wish.is_try = true;
    if (GetParam().lasts) wish.owner = owner_of(turn);
    return wish;
  }

  static std::string owner_of(std::size_t turn) { return "owner-" + std::to_string(turn % 3); }

  // A frame of some way, in its order there: ways are as fast as chance will have it.
  bool deliver_one() {
    auto& frames = cluster_.frames();
    std::set<std::pair<NodeId, NodeId>> ways;
    for (const auto& [way, frame] : frames) ways.insert(way);
    if (ways.empty()) return false;
    const auto way =
        *std::next(ways.begin(), static_cast<std::ptrdiff_t>(random_.below(ways.size())));
    const auto next = std::find_if(frames.begin(), frames.end(),
                                   [&](const auto& frame) { return frame.first == way; });
    const Frame frame = next->second;
    frames.erase(next);
    cluster_.member(way.second).receive(way.first, frame, cluster_.now());
    return true;
  }

  template <class Is>
  void deliver_until(const Is& is) {
    while (!is() && deliver_one()) {
    }
  }

  bool is_in(SessionId client, RequestId request) const {
    return GetParam().lasts ? cluster_.lasts(client, request) : cluster_.is_inside(client, request);
  }
  bool is_refused(SessionId client, RequestId request) const {
    return cluster_.told<Refused>(client, request) != nullptr;
  }
  RequestId attempt(SessionId client, std::size_t turn) {
    const RequestId request = cluster_.acquire(client, wish(turn));
    deliver_until([&] { return is_in(client, request) || is_refused(client, request); });
    return request;
  }
  // As soon as it is told that it has left, others may try; what members tell each other may be on its way.
  void leave(SessionId client, RequestId request, std::size_t turn) {
    if (GetParam().lasts) {
      const Number token = cluster_.told<Lasts>(client, request)->token;
      Burial burial;
      burial.name = "n";
      burial.kind = GetParam().kind;
      burial.owner = owner_of(turn);
      burial.token = token;
      request = cluster_.bury(client, burial);
    } else {
      cluster_.release(client, request);
    }
    deliver_until([&] { return cluster_.told<Left>(client, request) != nullptr; });
    ASSERT_NE(cluster_.told<Left>(client, request), nullptr);
  }

  Cluster cluster_{"majority:n=5"};
  Random random_{19};
};

TEST_P(Trial, AThousandTimesNobodyIsInTheWay) {
  constexpr std::size_t kTries = 1'000;
  std::size_t granted = 0;
  for (std::size_t turn = 0; turn < kTries; ++turn) {
    const SessionId client = cluster_.join(static_cast<NodeId>(random_.below(kMembers)));
    const RequestId request = attempt(client, turn);
    if (is_in(client, request)) {
      ++granted;
      leave(client, request, turn);
    } else if (const auto* const refused = cluster_.told<Refused>(client, request)) {
      ADD_FAILURE() << "try " << turn << ": " << refused->text;
      break;
    }
    cluster_.close(client);
    // Mostly somebody comes at once; now and then all is quiet for a while.
    if (random_.chance(0.05)) {
      while (deliver_one()) {
      }
    }
    if (random_.chance(0.01)) {
      cluster_.release_frames();
      cluster_.pass(Cluster::kStep * 4);
      cluster_.hold_frames();
    }
  }
  EXPECT_EQ(granted, kTries);
}

// Without that any time passes, wherever the two are, as soon as messages are through.
TEST_P(Trial, WhatIsTakenIsRefusedAtOnce) {
  for (NodeId at = 0; at < kMembers; ++at) {
    Wish other = wish(0);
    other.is_try = false;
    if (GetParam().lasts) other.owner = "another";
    other.name = "taken-" + std::to_string(at);
    const bool is_open = GetParam().kind.max == kNoMax;
    const SessionId holder = cluster_.join(at);
    std::vector<RequestId> held;
    held.push_back(cluster_.acquire(holder, other));
    deliver_until([&] { return is_in(holder, held.back()); });
    for (NodeId from = 0; from < kMembers; ++from) {
      // Where many fit, the name itself is taken; in a room, another group than the one inside tries.
      Wish attempt = wish(GetParam().groups.size() > 1 && !is_open ? 1 : 0);
      if (GetParam().kind.max > 1 && !is_open && GetParam().kind.type != Type::band) continue;
      attempt.name = other.name;
      if (GetParam().lasts) attempt.owner = "third";
      const SessionId client = cluster_.join(from);
      const RequestId request = cluster_.acquire(client, attempt);
      deliver_until([&] { return is_refused(client, request); });
      const auto* const refused = cluster_.told<Refused>(client, request);
      const bool is_friend = GetParam().kind.type == Type::room && GetParam().groups.size() == 1 &&
                             !GetParam().is_alone;
      if (is_friend) continue;
      ASSERT_NE(refused, nullptr) << at << " " << from;
      EXPECT_EQ(refused->why, Refusal::would_wait) << refused->text;
      EXPECT_TRUE(is_in(holder, held.back()));
      cluster_.close(client);
    }
  }
}

constexpr std::uint32_t kMany = kNoMax;
INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, Trial,
    testing::Values(Case{"mutex", {}, {}}, Case{"lasting_mutex", {}, {}, false, true},
                    Case{"room", {Type::room}, {"a"}},
                    Case{"rooms_in_turn", {Type::room}, {"a", "b"}},
                    Case{"writers", {Type::room}, {}, true},
                    Case{"semaphore_of_1", {Type::semaphore, 0, 1}, {}},
                    Case{"semaphore_of_2", {Type::semaphore, 0, 2}, {}},
                    Case{"lasting_semaphore", {Type::semaphore, 0, 1}, {}, false, true},
                    Case{"two_rooms", {Type::room, 0, 2}, {"a", "b", "c"}},
                    Case{"band", {Type::band, 0, 1}, {"a"}},
                    Case{"band_in_turn", {Type::band, 0, 1}, {"a", "b"}},
                    Case{"floor", {Type::band, 0, kMany}, {"a"}}),
    [](const auto& param) { return param.param.name; });

// A member that hangs is in the way until its lease is over. Nobody who only tries waits for that.
TEST(Trials, WaitForNoMemberThatDoesNotAnswer) {
  Cluster cluster("majority:n=3");
  const SessionId holder = cluster.join(0);
  cluster.release(holder, cluster.mutex(holder, "m"));  // and its member keeps it
  for (NodeId to = 1; to < 3; ++to) cluster.cut(0, to);
  Wish wish;
  wish.name = "m";
  wish.is_try = true;
  const SessionId client = cluster.join(1);
  const RequestId request = cluster.acquire(client, wish);
  cluster.pass(Duration::milliseconds(1'600));
  const auto* const refused = cluster.told<Refused>(client, request);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why, Refusal::would_wait);
  cluster.pass(Cluster::kLease * 2);
  const RequestId again = cluster.acquire(client, wish);
  EXPECT_TRUE(cluster.is_inside(client, again));
}

}  // namespace
}  // namespace coterie::member
