// Real members with data folders that are not theirs, are old, or are lost; and with names that are not theirs alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/serving.h"
#include "coterie/client.h"

namespace coterie::cli {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DataFolder : public ::testing::Test {
 protected:
  DataFolder() : serving_(folder_, {}) {}

  void start_all() {
    serving_.start_all();
    ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  }
  void kill(std::size_t member) {
    serving_.signal(member, SIGKILL);
    serving_.wait(member);
  }
  void stop_all() {
    for (std::size_t member = 0; member < 3; ++member) kill(member);
  }
  static std::string data_of(const Folder& folder, const std::string& name) {
    return folder.path() + "/" + name + ".data";
  }
  std::string data(const std::string& name) const { return data_of(folder_, name); }
  void copy(const std::string& from, const std::string& to) const {
    std::filesystem::remove_all(to);
    std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
  }
  void lose(const std::string& name) const { std::filesystem::remove_all(data(name)); }
  void rewrite(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = folder_.read(file);
    const std::size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << text;
    folder_.write(file, text.replace(place, from.size(), to));
  }
  // It does not start: what it says why.
  std::string refusal(std::size_t member, std::vector<std::string> arguments = {}) {
    const std::size_t before = serving_.log(member).size();
    serving_.start(member, std::move(arguments));
    EXPECT_EQ(serving_.wait(member), 1) << serving_.log(member);
    return serving_.log(member).substr(before);
  }
  Outcome hold(const std::string& name, const std::string& owner, const std::string& wait = "20s") {
    return folder_.run("hold mutex " + name + " --as " + owner + " --wait " + wait + " --members " +
                       serving_.list());
  }
  bool is_served() {
    return folder_.run("mutex served --wait 20s --members " + serving_.list() + " -- true")
               .exit_code == 0;
  }

  const Folder folder_;
  Serving serving_;
};

TEST_F(DataFolder, OfAnotherMemberIsRefused) {
  start_all();
  stop_all();
  copy(data("b"), data("a"));
  EXPECT_THAT(refusal(0), HasSubstr("a.data is of member b, and this is member a"));
}

TEST_F(DataFolder, OfAnotherSystemOrMemberListIsRefused) {
  start_all();
  stop_all();
  const std::string file = folder_.read("a.toml");
  rewrite("a.toml", "name = \"a\"\n", "name = \"a\"\nsystem = \"all:n=3\"\n");
  EXPECT_THAT(refusal(0), AllOf(HasSubstr("was written under another configuration"),
                                HasSubstr("the folder has system majority:n=3"),
                                HasSubstr("the file has system all:n=3")));
  folder_.write("a.toml", file);
  rewrite("a.toml", "[members]\n", "[members]\nd = \"127.0.0.1:1\"\n");
  EXPECT_THAT(refusal(0), HasSubstr("the file has member d, system majority:n=4"));
  folder_.write("a.toml", file);
  for (std::size_t member = 0; member < 3; ++member) serving_.start(member);
  EXPECT_TRUE(serving_.is_ready()) << serving_.log(0);
}

TEST_F(DataFolder, OfAnotherClusterIsRefusedByBoth) {
  start_all();
  const Folder other_folder;
  {
    Serving other(other_folder, {});
    other.start_all();
    ASSERT_TRUE(other.is_ready()) << other.log(0);
  }
  kill(0);
  copy(data_of(other_folder, "a"), data("a"));
  serving_.start(0);
  EXPECT_TRUE(serving_.has_logged(0, "they are of different clusters: the data folder of "));
  EXPECT_TRUE(serving_.has_logged(1, "they are of different clusters: the data folder of b is of"));
  const auto served =
      folder_.run("mutex served --wait 20s --members " + serving_.addresses()[1] + " -- true");
  EXPECT_EQ(served.exit_code, 0) << served.err;  // by the others
}

TEST_F(DataFolder, ThatIsAnOldCopyIsNotBelieved) {
  start_all();
  kill(0);
  copy(data("a"), data("old"));
  serving_.start(0);
  ASSERT_TRUE(serving_.is_ready());
  kill(2);
  ASSERT_EQ(hold("m", "first").exit_code, 0);  // a and b have written it down
  serving_.start(2);
  ASSERT_TRUE(serving_.is_ready());
  kill(0);
  copy(data("old"), data("a"));
  serving_.start(0);
  EXPECT_TRUE(serving_.has_logged(0, "an older copy of the folder was put back"));
  ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  EXPECT_TRUE(std::filesystem::exists(data("a") + "/outdated-1"));
  kill(1);
  const Outcome second = hold("m", "second", "1s");
  EXPECT_EQ(second.exit_code, 75) << second.out << second.err;
}

TEST_F(DataFolder, ThatIsEmptyIsNotANewCluster) {
  start_all();
  kill(0);
  lose("a");
  EXPECT_THAT(refusal(0, {"--new-cluster"}),
              AllOf(HasSubstr("--new-cluster is refused: member "),
                    HasSubstr("says that its cluster lives (identity ")));
  serving_.start(0);  // now as one that lost its disk
  EXPECT_TRUE(serving_.is_ready()) << serving_.log(0);
}

TEST_F(DataFolder, ThatWasUsedIsNoNewClusterAndHasLostNothing) {
  start_all();
  stop_all();
  EXPECT_THAT(refusal(0, {"--new-cluster"}), HasSubstr("has been used: its cluster is not new"));
  EXPECT_THAT(refusal(0, {"--accept-data-loss"}), HasSubstr("--accept-data-loss is for a member"));
}

// A new cluster grants nothing before all have met, and is born once.
TEST_F(DataFolder, IsNewOnlyTogetherWithAllOthers) {
  serving_.start(0, {"--new-cluster"});
  serving_.start(1, {"--new-cluster"});
  ASSERT_TRUE(serving_.has_logged(
      0, "waits for all others: if none of them has any either, the cluster is new"));
  EXPECT_NE(folder_.run("mutex m --wait 500ms --members " + serving_.list() + " -- true").exit_code,
            0);
  kill(0);
  serving_.start(0);  // what it has drawn is on its disk
  serving_.start(2, {"--new-cluster"});
  ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  const auto identity = [&](std::size_t member) {
    const std::string log = serving_.log(member);
    const std::string before = "the cluster has the identity ";
    return log.substr(log.find(before) + before.size(), 32);
  };
  EXPECT_EQ(identity(0), identity(1));
  EXPECT_EQ(identity(0), identity(2));
}

TEST_F(DataFolder, IsLostAtTwoOfThreeAndTheLossIsAccepted) {
  start_all();
  ASSERT_EQ(hold("m", "first").exit_code, 0);
  stop_all();
  lose("a");
  lose("b");
  for (std::size_t member = 0; member < 3; ++member) serving_.start(member);
  ASSERT_TRUE(serving_.has_logged(0, "see --accept-data-loss in docs/operations.md"));
  EXPECT_EQ(hold("x", "somebody", "1s").exit_code, 75);  // no way without it
  for (const std::size_t member : {0U, 1U}) {
    kill(member);
    serving_.start(member, {"--accept-data-loss"});
  }
  // One of them at least; then the other may learn from it what is left.
  ASSERT_TRUE(comes_true([&] {
    return (serving_.log(0) + serving_.log(1)).find("the loss is accepted") != std::string::npos;
  })) << serving_.log(0);
  ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  EXPECT_TRUE(is_served());
}

// The number of its starts is lost too, and nothing else tells which of its lives is the last: not the clock.
TEST_F(DataFolder, IsLostAndTheMemberIsHeardAgain) {
  start_all();
  for (int round = 0; round < 3; ++round) {
    kill(0);
    serving_.start(0);
    ASSERT_TRUE(serving_.is_ready());
  }
  kill(0);
  lose("a");
  serving_.start(0);
  ASSERT_TRUE(serving_.has_logged(0, "knows a later start of this member")) << serving_.log(0);
  ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  EXPECT_TRUE(comes_true([&] {
    return (serving_.log(1) + serving_.log(2)).find("is not its last one") != std::string::npos;
  }));
  kill(2);
  EXPECT_TRUE(is_served());
}

// Somebody starts member a a second time, elsewhere, with a copy of its data or without.
TEST_F(DataFolder, IsOfOneProcessAndASecondIsRefused) {
  start_all();
  for (const bool is_copy : {true, false}) {
    if (is_copy) {
      copy(data("a"), data("twin"));
    } else {
      lose("twin");
    }
    folder_.write("twin.toml", folder_.read("a.toml"));
    rewrite("twin.toml", "a.data", "twin.data");
    rewrite("twin.toml", "listen = \"" + serving_.addresses()[0],
            "listen = \"127.0.0.1:" + std::to_string(free_ports(1).front()));
    serving_.start_other("twin");
    EXPECT_TRUE(
        serving_.has_logged("twin", "it refuses: member a runs at " + serving_.addresses()[0]));
    EXPECT_TRUE(serving_.has_logged(1, "and this is another process of that name"));
    serving_.stop_other();
  }
  EXPECT_TRUE(serving_.is_ready()) << serving_.log(0);
  kill(2);
  EXPECT_TRUE(is_served());
}

// A rolling restart makes the lease shorter, while a client that is cut off believes by the longer one.
TEST(ShorterLease, DoesNotShortenWhatWasPromised) {
  const Folder folder;
  Serving serving(folder, {.lease = "4s", .more = [](const std::string& /*name*/) {
                             return std::string("session = \"6s\"\n");
                           }});
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  Options options;
  options.addresses = {serving.addresses()[2]};
  auto first = Client::connect(options);
  ASSERT_TRUE(first) << first.error().text;
  const auto held = first->mutex("m", Patience::at_most(20s));
  ASSERT_TRUE(held) << held.error().text;
  serving.signal(2, SIGSTOP);  // it hears nothing any more, nor does its client
  const auto cut_off = Clock::now();
  for (const std::size_t member : {0U, 1U}) {
    const std::string file = member == 0 ? "a.toml" : "b.toml";
    std::string text = folder.read(file);
    const std::string longer = "lease = \"4s\"";
    folder.write(file, text.replace(text.find(longer), longer.size(), "lease = \"1s\""));
    serving.signal(member, SIGKILL);
    serving.wait(member);
    serving.start(member);
  }
  options.addresses = {serving.addresses()[0], serving.addresses()[1]};
  options.timeout = 20s;
  auto second = Client::connect(options);
  ASSERT_TRUE(second) << second.error().text;
  const auto entered = second->mutex("m", Patience::at_most(30s));
  const auto since = Clock::now();
  ASSERT_TRUE(entered) << entered.error().text;
  EXPECT_GE(since, held->valid_until()) << "two believe at once";
  EXPECT_GT(held->valid_until(), cut_off + 1s) << "the first must have believed for a while";
  serving.signal(2, SIGKILL);
  serving.wait(2);
}

// ---- the first start (net/founding.h)

TEST_F(DataFolder, AFirstStartNeedsNoFlag) {
  for (std::size_t member = 0; member < 3; ++member) serving_.start(member);
  ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  EXPECT_TRUE(is_served());
  stop_all();
  for (std::size_t member = 0; member < 3; ++member) serving_.start(member);
  EXPECT_TRUE(is_served());
}

TEST_F(DataFolder, AFirstStartWaitsForAllAndSaysForWhom) {
  serving_.start(0);
  serving_.start(1);
  ASSERT_TRUE(serving_.has_logged(0, "waits for c: a new cluster begins when all have met"));
  const auto refused =
      folder_.run("mutex served --wait 100ms --members " + serving_.addresses()[0] + " -- true");
  EXPECT_EQ(refused.exit_code, 69) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("it has no data, and waits for c"));
  const auto status = folder_.run("status --members " + serving_.addresses()[0]);
  EXPECT_THAT(status.out + status.err, HasSubstr("waits for c"));
  // With the flag it is the same, and that it was tried without does not matter.
  for (const std::size_t member : {0U, 1U}) kill(member);
  for (std::size_t member = 0; member < 3; ++member) serving_.start(member, {"--new-cluster"});
  EXPECT_TRUE(serving_.is_ready()) << serving_.log(0);
  EXPECT_TRUE(is_served());
}

TEST_F(DataFolder, AFirstStartThatCrashesGoesOn) {
  for (int times = 0; times < 5; ++times) {
    for (std::size_t member = 0; member < 3; ++member) serving_.start(member);
    serving_.has_logged(0, "waits for all others");
    stop_all();
  }
  for (std::size_t member = 0; member < 3; ++member) serving_.start(member);
  ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  EXPECT_TRUE(is_served());
}

TEST_F(DataFolder, LostDisksAreNoFirstStart) {
  start_all();
  ASSERT_EQ(hold("m", "first").exit_code, 0);
  stop_all();
  lose("b");
  lose("c");
  // The one that knows is away: the others wait for it.
  serving_.start(1);
  serving_.start(2);
  ASSERT_TRUE(serving_.has_logged(1, "waits for a: a new cluster begins when all have met"));
  serving_.start(0);
  ASSERT_TRUE(serving_.has_logged(1, "says that its cluster lives"));
  ASSERT_TRUE(serving_.has_logged(2, "says that its cluster lives"));
  EXPECT_NE(hold("m", "second", "1s").exit_code, 0);
  // Nor when it loses its disk as well, since they have heard of it.
  kill(0);
  lose("a");
  serving_.start(0);
  ASSERT_TRUE(serving_.has_logged(0, "may have had some and lost it"));
  EXPECT_NE(hold("m", "second", "1s").exit_code, 0);
}

}  // namespace
}  // namespace coterie::cli
