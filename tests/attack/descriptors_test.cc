// No program that a member, or a client, starts has any of their files and sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/close_range.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "attack/attacked.h"

namespace coterie::attack {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Those that a program would inherit, and what they are; but for standard input, output and error.
std::string inherited_from(pid_t process) {
  constexpr unsigned kCloseOnExec = 02000000;
  std::string found;
  const std::string folder = "/proc/" + std::to_string(process);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder + "/fdinfo", error)) {
    const int number = std::stoi(entry.path().filename().string());
    std::ifstream file(entry.path());
    std::string word;
    while (file >> word && word != "flags:") continue;
    unsigned flags = 0;
    file >> std::oct >> flags;
    if (!file || number <= 2 || (flags & kCloseOnExec) != 0) continue;
    const auto what = fs::read_symlink(folder + "/fd/" + std::to_string(number), error);
    found += std::to_string(number) + " " + what.string() + "\n";
  }
  return found;
}

// What this test has itself, by whoever started it, is not what is looked for.
void keep_own() { ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC); }

using Descriptors = OnBothRoads;
INSTANTIATE_TEST_SUITE_P(Roads, Descriptors, kBothRoads, road_name);

TEST_P(Descriptors, AreNotInherited) {
  keep_own();
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  Raw client = attacked.client();  // a connection that was accepted, beside those that members made
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(inherited_from(attacked.members().process(i)), "") << "of member " << i;
  // The command's child looks at itself, and at the command.
  attacked.folder().write("look.sh",
                          "ls -l /proc/self/fd\n"
                          "echo parent\n"
                          "grep -sH ^flags: /proc/$PPID/fdinfo/* || true\n");  // some may be gone
  keep_own();
  const cli::Outcome outcome = attacked.run("mutex fd --wait 30s", "sh look.sh");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string child = outcome.out.substr(0, outcome.out.find("parent"));
  EXPECT_THAT(child, Not(HasSubstr("socket:"))) << child;
  EXPECT_THAT(child, Not(HasSubstr("anon_inode"))) << child;
  EXPECT_THAT(outcome.out, HasSubstr("fdinfo/3:"));
  std::istringstream lines(outcome.out.substr(outcome.out.find("parent")));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t number = line.find("fdinfo/");
    if (number == std::string::npos || std::stoi(line.substr(number + 7)) <= 2) continue;
    EXPECT_THAT(line, HasSubstr("flags:\t02")) << "no close-on-exec";
  }
}

}  // namespace
}  // namespace coterie::attack
