// What a person at a terminal sees and types: a pseudo-terminal with a shell in it, so that keys become signals.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>

#include "cli/command.h"

namespace coterie::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kCtrlC = "\x03";
constexpr const char* kCtrlZ = "\x1a";

// A shell with job control that runs a script, in a terminal of so many columns.
class Terminal {
 public:
  explicit Terminal(const std::string& script, unsigned short columns = 80) {
    winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    shell_ = ::forkpty(&file_, nullptr, nullptr, &size);
    if (shell_ != 0) return;
    const std::string line = "coterie() { '" + command_path() + "' \"$@\"; }; set -m; " + script;
    ::execlp("bash", "bash", "--norc", "-c", line.c_str(), nullptr);
    ::_exit(127);
  }
  ~Terminal() {
    ::close(file_);  // hangs up
    ::waitpid(shell_, nullptr, 0);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(const char* keys) const { ASSERT_GT(::write(file_, keys, 1), 0); }
  void resize(unsigned short rows) const {
    const winsize size{.ws_row = rows, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    ASSERT_EQ(::ioctl(file_, TIOCSWINSZ, &size), 0);
  }
  // Everything up to the text and a little more; empty if it does not come.
  std::string until(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (shown_.find(text) == std::string::npos) {
      if (std::chrono::steady_clock::now() > end || !read()) {
        ADD_FAILURE() << "never shown: " << text << "\n" << shown_;
        return "";
      }
    }
    const std::size_t length = shown_.find(text) + text.size();
    std::string seen = shown_.substr(0, length);
    shown_.erase(0, length);
    return seen;
  }

 private:
  bool read() {
    pollfd file{file_, POLLIN, 0};
    if (::poll(&file, 1, 100) == 0) return true;
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(file_, buffer.data(), buffer.size());
    if (count <= 0) return false;
    shown_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }

  pid_t shell_ = -1;
  int file_ = -1;
  std::string shown_;
};

class AtTerminal : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::system("command -v bash >/dev/null") != 0) return;
    folder_ = new Folder;
    ::setenv("COTERIE_DEV", (folder_->path() + "/dev").c_str(), 1);
    ASSERT_EQ(folder_->run("dev --members 3 --detach --lease 10s").exit_code, 0);
  }
  static void TearDownTestSuite() {
    if (folder_ == nullptr) return;
    folder_->run("dev stop");
    ::unsetenv("COTERIE_DEV");
    delete folder_;
  }
  void SetUp() override {
    if (folder_ == nullptr) GTEST_SKIP() << "bash is not installed";
  }
  static Folder* folder_;
};
Folder* AtTerminal::folder_ = nullptr;

TEST_F(AtTerminal, CtrlZStopsTheJobAndFgGoesOn) {
  Terminal terminal(
      "coterie mutex stopped -- sh -c 'echo in; sleep 1; echo out'; echo stopped $?; "
      "fg >/dev/null; echo done $?; coterie status stopped");
  terminal.until("in\r\n");
  terminal.type(kCtrlZ);
  terminal.until("stopped 148");
  terminal.until("out");
  terminal.until("done 0");
  terminal.until("nobody holds or waits for stopped");
}

TEST_F(AtTerminal, CtrlCEndsTheCommandAsASignalDoes) {
  Terminal terminal(
      "coterie mutex ended -- sh -c 'trap \"exit 9\" INT; echo in; while :; do sleep 0.1; done'; "
      "echo code $?; coterie status ended");
  terminal.until("in\r\n");
  terminal.type(kCtrlC);
  terminal.until("code 9");
  terminal.until("nobody holds or waits for ended");
}

// What a program may read is whole (Quorum.PipedLinesAreWhole); what a person reads fits.
TEST_F(AtTerminal, LongLinesAreCut) {
  Terminal terminal("coterie quorum show grid:rows=30,cols=40; echo 'do''ne'");
  const std::string shown = terminal.until("done");
  EXPECT_THAT(shown, HasSubstr("  {0,1,2,3,"));
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 81U) << line;
}

// In a band it is for us first: the command is a job of its own.
TEST_F(AtTerminal, CtrlCInABandAsksWhetherItMayLeave) {
  Terminal terminal(
      "coterie band job --as a --min 1 --inside -- "
      "sh -c 'trap \"echo told; exit 9\" INT; echo in; while :; do sleep 0.1; done'; "
      "echo code $?; coterie status job");
  terminal.until("in\r\n");
  terminal.type(kCtrlC);
  const std::string line = terminal.until("at least 1 must stay");
  EXPECT_THAT(line, HasSubstr("\r\x1b[Kjob: a waits to leave: 1 inside, of whom "));
  EXPECT_THAT(line, testing::Not(HasSubstr("told")));
  terminal.type(kCtrlC);
  terminal.until("told");
  terminal.until("code 9");
  terminal.until("nobody holds or waits for job");
}

// Ctrl-C in the line ends the shell's script too, as it would without us.
TEST_F(AtTerminal, WhoWaitsSeesItsPlaceAndCtrlCLeavesTheLine) {
  Terminal terminal(
      "coterie mutex line -- sleep 8 & "
      "until coterie status line | grep -q token; do sleep 0.02; done; "
      "coterie mutex line -- true; echo never");
  const std::string line = terminal.until("waiting for line, 1 of 1: ");
  EXPECT_THAT(line, HasSubstr("\r\x1b[K"));  // over the line before
  EXPECT_THAT(folder_->run("status line").out, HasSubstr("waiting,"));
  terminal.type(kCtrlC);
  for (int i = 0; i < 200; ++i) {
    if (folder_->run("status line").out.find("waiting,") == std::string::npos) return;
  }
  ADD_FAILURE() << folder_->run("status line").out;
}

// What does not fit would go on in the next row, and stay there.
TEST_F(AtTerminal, WhoWaitsSeesAsMuchAsANarrowTerminalHasRoomFor) {
  constexpr std::size_t kNarrow = 40;
  Terminal terminal(
      "coterie mutex narrow -- sleep 8 & "
      "until coterie status narrow | grep -q token; do sleep 0.02; done; "
      "coterie mutex narrow -- true",
      kNarrow);
  const std::string begin = "waiting for narrow, 1 of 1: ";
  terminal.until(begin);
  const std::string rest = terminal.until("..\r");  // up to the next line, which is written over it
  EXPECT_EQ(rest.find_first_of("\r\n"), rest.size() - 1);
  EXPECT_EQ(begin.size() + rest.size() - 1, kNarrow - 1);
  terminal.type(kCtrlC);
}

TEST_F(AtTerminal, LongMistakesAreBrokenAtWords) {
  Terminal terminal("coterie mutx; coterie mutex; echo end", 40);
  std::istringstream lines(terminal.until("end"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_LE(line.size(), 40U + 1) << line;  // and the end of the line
  EXPECT_GT(count, 5U);
}

constexpr const char* kOtherScreen = "\x1b[?1049h";
constexpr const char* kOwnScreen = "\x1b[?1049l";

TEST_F(AtTerminal, WatchShowsPagesInPlaceAndCtrlCLeavesTheTerminalAsItWas) {
  Terminal terminal(
      "before=$(stty -g); trap : INT; coterie status --watch; echo code $?; "
      "[ \"$before\" = \"$(stty -g)\" ] && echo unchanged");
  terminal.until(kOtherScreen);
  terminal.until("names known");
  terminal.until("\x1b[H");  // over the page before
  terminal.until("names known");
  terminal.type(kCtrlC);
  EXPECT_THAT(terminal.until("code 130"), HasSubstr(kOwnScreen));
  terminal.until("unchanged");
}

// The terminal would echo what is typed wherever the cursor is.
TEST_F(AtTerminal, WatchTakesKeysForItselfAndQEndsIt) {
  Terminal terminal(
      "before=$(stty -g); coterie status --watch; echo code $?; "
      "[ \"$before\" = \"$(stty -g)\" ] && echo unchanged");
  terminal.until("names known");
  terminal.type("~");
  EXPECT_THAT(terminal.until("names known"), Not(HasSubstr("~")));
  terminal.type("q");
  EXPECT_THAT(terminal.until("code 0"), HasSubstr(kOwnScreen));
  terminal.until("unchanged");
}

TEST_F(AtTerminal, WatchSeesAMemberDieAndComeBack) {
  Terminal terminal("trap : INT; coterie status --watch; echo code $?");
  terminal.until("m3");
  ASSERT_EQ(folder_->run("dev kill 2").exit_code, 0);
  terminal.until("no answer");
  ASSERT_EQ(folder_->run("dev start 2").exit_code, 0);
  terminal.until("m2 has restarted");
  terminal.type(kCtrlC);
  terminal.until("code 130");
}

TEST_F(AtTerminal, WatchFitsIntoASmallerWindow) {
  Terminal terminal("trap : INT; coterie status --watch; echo code $?");
  terminal.until("names known");
  terminal.resize(3);
  const std::string page = terminal.until(" more lines");
  EXPECT_THAT(page, HasSubstr("m1"));
  EXPECT_THAT(page.substr(page.rfind("\x1b[H")), Not(HasSubstr("m2")));
  terminal.resize(24);
  terminal.until("names known");
  terminal.type(kCtrlC);
  terminal.until("code 130");
}

TEST_F(AtTerminal, WatchLendsTheTerminalToTheShellAtCtrlZ) {
  Terminal terminal("coterie status --watch; echo stopped $?; fg >/dev/null; echo code $?");
  terminal.until("names known");
  terminal.type(kCtrlZ);
  EXPECT_THAT(terminal.until("stopped 148"), HasSubstr(kOwnScreen));
  terminal.until(kOtherScreen);
  terminal.until("names known");
  terminal.type(kCtrlC);
  terminal.until(kOwnScreen);
}

// Into a file: page after page, as text.
TEST_F(AtTerminal, WatchNeedsNoTerminal) {
  folder_->write("watch.sh", "'" COTERIE_BINARY
                             "' status --watch >pages 2>errors & watch=$!\n"
                             "until [ $(grep -c '^member ' pages) = 2 ]; do sleep 0.02; done\n"
                             "kill -TERM $watch; wait $watch\n");
  EXPECT_EQ(folder_->run("--version && sh watch.sh").exit_code, 128 + SIGTERM);
  EXPECT_EQ(folder_->read("errors"), "");
  EXPECT_THAT(folder_->read("pages"), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace coterie::cli
