// Every call of a client while its request, or another's, is in any phase. Nothing is judged but that members live: whatever
// a client sends, and when, an assertion or a bad pointer of its member would stop everybody.
//
// Frames wait until they are let through, all of them or one round, so that a call finds each phase between two frames.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "member/cluster.h"

namespace coterie::member {
namespace {

enum class Act : std::uint8_t {
  acquire,
  hold,     // so that it lasts
  show,     // the ticket of the other client's last grant, or of its own
  release,  // the last request
  abandon,
  leave_soon,
  stay,
  end_whatever,
  end_named,
  end_forced,
  end_nothing,  // with a token that nobody has
  change,
  reform,
  forget,
  lend,
  look,
  close,  // and come back
  wait,   // so that times run out
};
constexpr std::size_t kActs = static_cast<std::size_t>(Act::wait) + 1;

// Two clients, at two members, of one name.
class Stage {
 public:
  explicit Stage(Kind kind) : kind_(kind) {
    for (NodeId at = 0; at < 2; ++at) people_[at].client = cluster_.join(at);
    cluster_.hold_frames();
  }

  // How far frames come after it: not at all, one round, or until all is quiet.
  enum class HowFar : std::uint8_t { none, round, all };

  void act(std::size_t who, Act act, HowFar flow) {
    Person& person = people_[who];
    switch (act) {
      case Act::acquire:
        person.last = cluster_.acquire(person.client, wish(who));
        break;
      case Act::hold: {
        Wish lasting = wish(who);
        lasting.owner = owner(who);
        if (kind_.type == Type::band) lasting.groups = {lasting.owner};
        person.last = cluster_.acquire(person.client, lasting);
        break;
      }
      case Act::show:
        show(who);
        break;
      case Act::release:
        cluster_.release(person.client, person.last);
        break;
      case Act::abandon:
        cluster_.release(person.client, person.last, {.is_abandonment = true});
        break;
      case Act::leave_soon:
        cluster_.release(person.client, person.last, {.wait = Duration::milliseconds(1)});
        break;
      case Act::stay:
        cluster_.stay(person.client, person.last);
        break;
      case Act::end_whatever:
        end(who, 0, false);
        break;
      case Act::end_named:
        end(who, token_of(who), false);
        break;
      case Act::end_forced:
        end(who, token_of(who), true);
        break;
      case Act::end_nothing:
        end(who, 7'777, false);
        break;
      case Act::change:
        person.last = cluster_.change(person.client, "x", {kind_.type, 0, 3}, kind_);
        break;
      case Act::reform:
        person.last = cluster_.change(
            person.client,
            {.name = "x", .was = kind_, .kind = {Type::semaphore, 0, 5}, .is_reform = true});
        break;
      case Act::forget:
        person.last = cluster_.change(person.client,
                                      {.name = "x", .was = kind_, .kind = kind_, .forgets = true});
        break;
      case Act::lend:
        cluster_.lend(person.client, person.last, 4);
        break;
      case Act::look:
        cluster_.member(static_cast<NodeId>(who))
            .show(person.client, 1'000'000, "x", cluster_.now());
        break;
      case Act::close:
        cluster_.close(person.client);
        person.client = cluster_.join(static_cast<NodeId>(who));
        break;
      case Act::wait:
        cluster_.pass(Duration::milliseconds(100));
        break;
    }
    if (flow == HowFar::round) cluster_.deliver_once();
    if (flow == HowFar::all) cluster_.deliver();
  }

  // In the end all is let through, and those who are left leave.
  void end() {
    cluster_.release_frames();
    cluster_.pass(Cluster::kStep);
    for (Person& person : people_) cluster_.close(person.client);
    cluster_.pass(Cluster::kStep);
  }

 private:
  struct Person {
    SessionId client = 0;
    RequestId last = 0;
  };

  Wish wish(std::size_t who) const {
    Wish wish;
    wish.name = "x";
    wish.kind = kind_;
    if (kind_.type == Type::room) wish.groups = {who == 0 ? "a" : "b"};
    if (kind_.type == Type::band) wish.groups = {owner(who)};
    return wish;
  }
  static std::string owner(std::size_t who) { return who == 0 ? "p" : "q"; }
  void end(std::size_t who, Number token, bool is_forced) {
    Burial burial;
    burial.name = "x";
    burial.kind = kind_;
    burial.owner = owner(who);
    burial.token = token;
    burial.is_forced = is_forced;
    burial.wait = Duration::milliseconds(50);
    people_[who].last = cluster_.bury(people_[who].client, burial);
  }
  Number token_of(std::size_t who) const {
    for (const Person& person : people_) {
      for (const Event& event : cluster_.events(person.client)) {
        if (const auto* const lasts = std::get_if<Lasts>(&event); lasts && &person == &people_[who])
          return lasts->token;
      }
    }
    return 1;
  }
  void show(std::size_t who) {
    Wish shown = wish(who);
    shown.wait = Duration::milliseconds(200);
    shown.ticket = Ticket{};
    shown.ticket->origin = {0, 1, 0, Time{1}};
    shown.ticket->token = 1;
    if (kind_.type == Type::room) shown.ticket->group = shown.groups.front();
    for (const Person& person : people_) {
      for (const Event& event : cluster_.events(person.client)) {
        const auto* const granted = std::get_if<Granted>(&event);
        if (granted == nullptr) continue;
        shown.ticket->origin = granted->origin;
        shown.ticket->token = granted->token;
      }
    }
    people_[who].last = cluster_.acquire(people_[who].client, shown);
  }

  Kind kind_;
  Cluster cluster_{"majority:n=3"};
  std::array<Person, 2> people_;
};

class Phases : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(EveryKind, Phases,
                         ::testing::Values(Kind{Type::mutex}, Kind{Type::room},
                                           Kind{Type::room, 0, 2}, Kind{Type::semaphore, 0, 1},
                                           Kind{Type::band, 1, 2}),
                         [](const auto& one) {
                           return std::to_string(static_cast<int>(one.param.type)) + "_" +
                                  std::to_string(one.param.max);
                         });

using HowFar = Stage::HowFar;
constexpr std::array kDistances = {HowFar::none, HowFar::round, HowFar::all};

// After a hold that lasts, or one that does not, and whatever comes of it.
TEST_P(Phases, OfAnyTwoCalls) {
  for (const Act first : {Act::acquire, Act::hold}) {
    for (std::size_t second = 0; second < kActs; ++second) {
      for (std::size_t third = 0; third < kActs; ++third) {
        for (const HowFar flow : kDistances) {
          Stage stage(GetParam());
          stage.act(0, first, HowFar::all);
          stage.act(0, static_cast<Act>(second), flow);
          stage.act(0, static_cast<Act>(third), flow);
          stage.end();
        }
      }
    }
  }
}

// Drawn, the same each time: longer, by two clients.
TEST_P(Phases, OfManyCalls) {
  std::mt19937 chance(18);
  const auto draw = [&](std::size_t below) { return chance() % below; };
  for (int round = 0; round < 200; ++round) {
    Stage stage(GetParam());
    for (int step = 0; step < 24; ++step)
      stage.act(draw(2), static_cast<Act>(draw(kActs)), kDistances.at(draw(kDistances.size())));
    stage.end();
  }
}

// It was let out of the band, and that is being written down, when its client says that it wants to stay.
TEST(PhasesOfABand, ItIsTooLateToStay) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  Wish wish;
  wish.name = "x";
  wish.kind = {Type::band, 0, 3};
  wish.groups = {"p"};
  wish.owner = "p";
  const RequestId hold = cluster.acquire(client, wish);
  ASSERT_TRUE(cluster.lasts(client, hold));
  Burial burial;
  burial.name = "x";
  burial.kind = wish.kind;
  burial.owner = "p";
  burial.token = cluster.told<Lasts>(client, hold)->token;
  for (int rounds = 0; rounds < 8; ++rounds) {
    cluster.hold_frames();
    const RequestId end = cluster.bury(client, burial);
    for (int round = 0; round < rounds; ++round) cluster.deliver_once();
    cluster.stay(client, end);
    cluster.release_frames();
    cluster.pass(Cluster::kStep);
  }
}

}  // namespace
}  // namespace coterie::member
