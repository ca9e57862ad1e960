// When the members of a list agree that their cluster is new, and when they must not: each crash, each lost disk and each absence
// in the middle of it.
#include "net/founding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace coterie::net {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Members {
 public:
  explicit Members(std::vector<std::string> names = {"a", "b", "c"}) : names_(std::move(names)) {
    for (const std::string& name : names_) start(name);
  }

  // With what is on its disk; on an empty one it draws a seed.
  void start(const std::string& name) {
    Disk& disk = disks_[name];
    if (disk.seed.empty()) disk.seed = std::string(24, '0') + std::to_string(10'000'000 + ++drawn_);
    Founding founding(name, names_);
    founding.resume(disk.seed, disk.known);
    disk.known = founding.known();
    up_[name] = founding;
  }
  void crash(const std::string& name) { up_.erase(name); }
  void lose(const std::string& name) {
    crash(name);
    disks_[name] = {};
  }
  // The one asks, the other answers.
  void ask(const std::string& who, const std::string& whom) {
    if (!up_.contains(who) || !up_.contains(whom)) return;
    if (up_[who].hear(whom, up_[whom].word())) disks_[who].known = up_[who].known();
  }
  void ask_all() {
    for (const auto& one : names_) {
      for (const auto& other : names_) {
        if (one != other) ask(one, other);
      }
    }
  }
  Founding& at(const std::string& name) { return up_.at(name); }
  std::optional<Founding::Seeds> founded(const std::string& name) {
    return up_.contains(name) ? up_.at(name).founded() : std::nullopt;
  }
  const std::vector<std::string>& names() const { return names_; }
  bool has_disk(const std::string& name, const Founding::Seeds& seeds) {
    return disks_[name].known == seeds;
  }

 private:
  struct Disk {
    std::string seed;
    Founding::Seeds known;
  };
  std::vector<std::string> names_;
  std::map<std::string, Disk> disks_;
  std::map<std::string, Founding> up_;
  int drawn_ = 0;
};

TEST(Founding, NeedsTheSameWordOfAll) {
  Members members;
  EXPECT_FALSE(members.founded("a"));
  members.ask("a", "b");
  members.ask("a", "c");
  EXPECT_FALSE(members.founded("a"));  // the others do not know as much
  members.ask_all();
  members.ask_all();
  for (const std::string& name : members.names()) {
    ASSERT_TRUE(members.founded(name)) << name << ": " << members.at(name).why();
    EXPECT_EQ(members.founded(name), members.founded("a"));
  }
}

TEST(Founding, IsAtOnceOfOneMemberAlone) {
  Members members({"a"});
  EXPECT_TRUE(members.founded("a"));
}

TEST(Founding, WaitsForWhoIsAbsent) {
  Members members;
  members.crash("c");
  for (int round = 0; round < 5; ++round) members.ask_all();
  EXPECT_FALSE(members.founded("a"));
  EXPECT_THAT(members.at("a").why(),
              HasSubstr("waits for c: a new cluster begins when all have met"));
  members.start("c");
  members.ask_all();
  members.ask_all();
  EXPECT_TRUE(members.founded("a"));
}

TEST(Founding, WhoHadDataTakesNoPart) {
  Members members;
  members.at("b").give_up();
  for (int round = 0; round < 5; ++round) members.ask_all();
  EXPECT_FALSE(members.founded("a"));
  EXPECT_THAT(members.at("a").why(),
              AllOf(HasSubstr("b may have had some and lost it"), HasSubstr("--new-cluster")));
}

TEST(Founding, ALostDiskIsNoticedByOneThatWasNot) {
  Members members;
  members.ask_all();
  members.ask_all();
  ASSERT_TRUE(members.founded("a"));  // and it may have been born, and granted, alone
  members.lose("a");
  members.lose("b");
  members.start("a");
  members.start("b");
  for (int round = 0; round < 5; ++round) members.ask_all();
  for (const std::string& name : members.names()) EXPECT_FALSE(members.founded(name)) << name;
  EXPECT_THAT(members.at("c").why(), HasSubstr("a has lost its own since they met first"));
  EXPECT_THAT(members.at("a").why(), HasSubstr("this member has lost its own since"));
}

// Members start, crash, lose their disks and meet by chance. Two different foundings need that all disks were lost between
// them; and a crash never keeps members from agreeing later.
TEST(Founding, HappensOnceWhileOneDiskIsThere) {
  for (unsigned seed = 1; seed <= 2'000; ++seed) {
    std::mt19937 random(seed);
    Members members;
    std::optional<Founding::Seeds> first;
    bool has_lost = false;
    const auto any = [&] { return members.names()[random() % 3]; };
    for (int step = 0; step < 120; ++step) {
      const std::string who = any();
      const auto what = random() % 40;
      if (what == 0) {
        members.crash(who);
      } else if (what == 1 && step > 20) {
        members.lose(who);
        has_lost = true;
      } else if (what < 6) {
        members.start(who);
      } else {
        members.ask(who, any());
      }
      for (const std::string& name : members.names()) {
        const auto founded = members.founded(name);
        if (!founded) continue;
        if (!first) first = founded;
        if (*founded == *first) continue;
        const bool is_one_left = members.has_disk("a", *first) || members.has_disk("b", *first) ||
                                 members.has_disk("c", *first);
        ASSERT_FALSE(is_one_left) << "seed " << seed;
        first = founded;
      }
    }
    if (has_lost) continue;
    for (const std::string& name : members.names()) members.start(name);
    for (int round = 0; round < 3; ++round) members.ask_all();
    EXPECT_TRUE(members.founded("a")) << "seed " << seed << ": " << members.at("a").why();
  }
}

}  // namespace
}  // namespace coterie::net
