// A real cluster of real processes that are killed and paused, and clients that write down what they did while
// they believed that they were inside.
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/crowd.h"

namespace coterie::cli {
namespace {

constexpr std::size_t kMembers = 3;

class LiveCluster : public ::testing::Test {
 protected:
  LiveCluster() {
    ::setenv("COTERIE_DEV", "dev", 1);  // in the folder that each command runs in
    const Outcome started =
        folder_.run("dev --members " + std::to_string(kMembers) + " --lease 500ms --detach");
    EXPECT_EQ(started.exit_code, 0) << started.err;
    std::istringstream lines(folder_.read("dev/members"));
    std::string name;
    std::string address;
    while (lines >> name >> address) addresses_.push_back(address);
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
    std::istringstream lines(folders[i].read("dev/members"));
    for (std::string name, address; lines >> name >> address;) addresses.insert(address);
  }
  EXPECT_EQ(addresses.size(), 2 * folders.size());
  for (const Folder& folder : folders) folder.run("dev stop");
  ::unsetenv("COTERIE_DEV");
}

}  // namespace
}  // namespace coterie::cli
