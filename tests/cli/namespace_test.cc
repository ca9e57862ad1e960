// Members on machines of their own, as far as the network is concerned: a cable that is pulled out makes no noise,
// unlike a process that ends.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/crowd.h"
#include "cli/serving.h"

namespace coterie::cli {
namespace {

using namespace std::chrono_literals;

// Three network namespaces, joined by a bridge.
class Islands : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "network namespaces need root";
    if (!run("ip link add {0} type bridge && ip addr add {1}.1/24 dev {0} && ip link set {0} up"))
      GTEST_SKIP() << "ip link cannot make a bridge here";
    for (int i = 0; i < 3; ++i) {
      if (!run("ip netns add {2} && ip link add {2} type veth peer name eth0 netns {2} && "
               "ip link set {2} master {0} up && ip -n {2} addr add {1}.{3}/24 dev eth0 && "
               "ip -n {2} link set eth0 up && ip -n {2} link set lo up",
               i))
        GTEST_SKIP() << "ip netns is not allowed here";
    }
  }
  void TearDown() override {
    for (int i = 0; i < 3; ++i) static_cast<void>(run("ip netns del {2}; ip link del {2}", i));
    static_cast<void>(run("ip link del {0}"));
  }

  std::string island(int i) const { return fmt::format("{}{}", bridge_, i); }
  // {0}: the bridge; {1}: the addresses; {2}: the i-th island; {3}: its address.
  bool run(const std::string& line, int i = 0) const {
    const std::string all = fmt::format(fmt::runtime("(" + line + ") >/dev/null 2>&1"), bridge_,
                                        kNet, island(i), kFirst + i);
    return std::system(all.c_str()) == 0;
  }
  void enter(int i) const {
    const int space = ::open(("/var/run/netns/" + island(i)).c_str(), O_RDONLY | O_CLOEXEC);
    if (space < 0 || ::setns(space, CLONE_NEWNET) != 0) ::_exit(126);
  }

  static constexpr const char* kNet = "10.213.74";
  static constexpr int kFirst = 11;
  std::string bridge_ = fmt::format("cot{}", ::getpid() % 100'000);
};

TEST_F(Islands, ACableIsPulledOutAndPutBack) {
  const bool is_soak = std::getenv("COTERIE_SOAK_SECONDS") != nullptr;
  Folder folder;
  Serving serving(folder, {.hosts = {"10.213.74.11", "10.213.74.12", "10.213.74.13"}});
  for (int i = 0; i < 3; ++i)
    serving.start(static_cast<std::size_t>(i), {"--new-cluster", "--insecure"}, [&] { enter(i); });
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  Crowd crowd(serving.addresses());
  crowd.wait_for_everybody();
  // A moment is enough to be suspected; ten seconds, for connections to be given up.
  for (const auto pulled :
       is_soak ? std::vector{10'000ms, 1'000ms, 4'000ms} : std::vector{1'000ms}) {
    ASSERT_TRUE(run("ip link set {2} nomaster"));
    std::this_thread::sleep_for(pulled);
    crowd.wait_for_everybody(0);
    ASSERT_TRUE(run("ip link set {2} master {0}"));
    const auto back = Clock::now();
    crowd.wait_for_everybody();
    EXPECT_LT(Clock::now() - back, 5s);
  }
  crowd.finish();
}

}  // namespace
}  // namespace coterie::cli
