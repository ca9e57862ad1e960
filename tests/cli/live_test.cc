// A real cluster of real processes that are killed and paused, and clients that write down what they did while
// they believed that they were inside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/crowd.h"
#include "cli/serving.h"

namespace coterie::cli {
namespace {

using testing::Contains;
using testing::Not;

constexpr std::size_t kMembers = 3;

std::vector<std::string> addresses_in(const Folder& folder) {
  std::vector<std::string> addresses;
  std::istringstream lines(folder.read("dev/members"));
  for (std::string name, address; lines >> name >> address;) addresses.push_back(address);
  return addresses;
}

class LiveCluster : public ::testing::Test {
 protected:
  LiveCluster() {
    ::setenv("COTERIE_DEV", "dev", 1);  // in the folder that each command runs in
    const Outcome started =
        folder_.run("dev --members " + std::to_string(kMembers) + " --lease 500ms --detach");
    EXPECT_EQ(started.exit_code, 0) << started.err;
    addresses_ = addresses_in(folder_);
  }
  ~LiveCluster() override {
    folder_.run("dev stop");
    ::unsetenv("COTERIE_DEV");
  }
  void dev(const std::string& arguments) {
    const Outcome outcome = folder_.run("dev " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << ": " << outcome.err;
  }

  Folder folder_;
  std::vector<std::string> addresses_;
};

TEST_F(LiveCluster, KeepsItsPromisesWhileMembersAreKilledAndPaused) {
  ASSERT_EQ(addresses_.size(), kMembers);
  Crowd crowd(addresses_);
  crowd.wait_for_everybody();
  for (const std::string member : {"1", "2"}) {
    dev("kill " + member);
    crowd.wait_for_everybody();
    dev("start " + member);
    std::this_thread::sleep_for(2 * kLease);  // of its silence
    crowd.wait_for_everybody();
    dev("pause 3");
    std::this_thread::sleep_for(3 * kLease);  // so that it wakes up to a past
    crowd.wait_for_everybody();
    dev("resume 3");
    crowd.wait_for_everybody();
  }
  crowd.finish();
}

TEST(LocalClusters, ThatStartAtOnceChooseDifferentPorts) {
  ::setenv("COTERIE_DEV", "dev", 1);
  const std::vector<Folder> folders(3);
  std::vector<std::future<Outcome>> starts;
  for (const Folder& folder : folders)
    starts.push_back(std::async(std::launch::async,
                                [&] { return folder.run("dev --members 2 --detach --lease 2s"); }));
  std::set<std::string> addresses;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const Outcome outcome = starts[i].get();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const std::string& address : addresses_in(folders[i])) addresses.insert(address);
  }
  EXPECT_EQ(addresses.size(), 2 * folders.size());
  for (const Folder& folder : folders) folder.run("dev stop");
  ::unsetenv("COTERIE_DEV");
}

// It runs: one that has ended, and waits to be noticed, has no program any more.
bool is_process(const std::string& note) {
  std::error_code error;
  const auto program =
      std::filesystem::read_symlink("/proc/" + note.substr(0, note.find(' ')) + "/exe", error);
  return !error && !program.empty();
}

TEST(LocalClusters, KeepThePortsOfTheirDeadUntilTheyAreStopped) {
  ::setenv("COTERIE_DEV", "dev", 1);
  const Folder one;
  const Folder other;
  ASSERT_EQ(one.run("dev --members 2 --detach").exit_code, 0);
  const std::string guard = one.read("dev/ports.pid");
  ASSERT_TRUE(is_process(guard));
  for (const char* member : {"1", "2"})
    EXPECT_EQ(one.run(std::string("dev kill ") + member).exit_code, 0);

  ASSERT_EQ(other.run("dev --members 2 --detach").exit_code, 0);
  for (const std::string& address : addresses_in(other))
    EXPECT_THAT(addresses_in(one), Not(Contains(address)));
  EXPECT_EQ(one.run("dev start 1").exit_code, 0);
  EXPECT_TRUE(comes_true([&] { return one.run("status").exit_code == 0; }));  // it answers

  EXPECT_EQ(one.run("dev stop").exit_code, 0);
  EXPECT_FALSE(is_process(guard));
  const std::string forgotten = other.read("dev/ports.pid");
  other.run("dev kill 1");
  other.run("dev kill 2");
  std::filesystem::remove_all(other.path() + "/dev");  // instead of a stop
  EXPECT_TRUE(comes_true([&] { return !is_process(forgotten); }));
  ::unsetenv("COTERIE_DEV");
}

}  // namespace
}  // namespace coterie::cli
