// What strangers say reaches a member's log: not as they said it, and not as often.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include "attack/attacked.h"

namespace coterie::attack {
namespace {

using testing::HasSubstr;

void expect_plain_lines(const std::string& log) {
  constexpr std::size_t kLongest = 2'100;  // with the time and the level before the text
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), kLongest) << line.substr(0, 200);
    EXPECT_TRUE(std::none_of(line.begin(), line.end(), [](char c) { return c >= 0 && c < ' '; }))
        << line;
    EXPECT_TRUE(line.starts_with("20")) << "a line without a time: " << line;
  }
}

TEST(AttackedLog, HasNoControlCharactersAndNoLongLines) {
  Attacked attacked({.names = {"a"}});
  ASSERT_TRUE(attacked.is_ready());
  const std::string nasty = "\x1b]0;owned\x07\x1b[2J\r\n2026-01-01T00:00:00 info all is well\n";
  const auto say = [&](const wire::Message& message) {
    Raw raw = attacked.connect();
    raw.send(message);
    const auto reason = raw.goodbye();
    ASSERT_TRUE(reason);
    EXPECT_LE(reason->size(), 1'100U);
    EXPECT_EQ(reason->find('\x1b'), std::string::npos);
  };
  say(member_hello(nasty, ""));
  say(member_hello(std::string(200'000, 'x'), ""));
  say(member_hello("a", nasty + std::string(200'000, 'y')));
  Raw client = attacked.client(0, nasty + std::string(100'000, 'z'));
  EXPECT_TRUE(client.send(acquire(1, "m")));
  ASSERT_TRUE(client.receive_until([](const auto& said) { return is_granted(said, 1); }));
  const cli::Outcome status = attacked.run("status m");
  EXPECT_EQ(status.out.find('\x1b'), std::string::npos) << status.out;
  EXPECT_LT(status.out.size(), 1'000U);
  ASSERT_TRUE(attacked.members().has_logged(0, "]0;owned"));
  expect_plain_lines(attacked.members().log(0));
}

// Each is refused for another reason: by a name of its own.
TEST(AttackedLog, IsNotFloodedByManyKindsOfRefusals) {
  Attacked attacked({.names = {"a"}});
  ASSERT_TRUE(attacked.is_ready());
  const auto lines = [&] {
    const std::string log = attacked.members().log(0);
    return std::count(log.begin(), log.end(), '\n');
  };
  const auto before = lines();
  const auto start = std::chrono::steady_clock::now();
  constexpr int kRefusals = 400;
  for (int i = 0; i < kRefusals; ++i) {
    Raw raw = attacked.connect();
    raw.send(member_hello("nobody-" + std::to_string(i), ""));
    ASSERT_TRUE(raw.goodbye());
  }
  const auto seconds =
      std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - start).count();
  // A few at once, and then one a second; a machine may take its time for all of this.
  EXPECT_LE(lines() - before, 10 + seconds + 1) << attacked.members().log(0);
  if (seconds > 100) GTEST_SKIP() << "too slow a machine to flood anything";
  // The next one that is due tells of the others.
  ASSERT_TRUE(cli::comes_true([&] {
    static int more = 0;
    Raw raw = attacked.connect();
    raw.send(member_hello("late-" + std::to_string(more++), ""));
    raw.goodbye();
    return attacked.members().log(0).find("lines of this kind before it were left out") !=
           std::string::npos;
  }));
  attacked.expect_served();
}

// Here the table of its store cannot be written, and every 128 records the store tries again: a client that holds and releases makes
// the records.
TEST(AttackedLog, IsNotFloodedByWarningsOfTheStore) {
  Attacked attacked({.names = {"a"}});
  ASSERT_TRUE(attacked.is_ready());
  std::filesystem::create_directory(attacked.folder().path() + "/a.data/table.new");
  Raw client = attacked.client();
  constexpr std::uint64_t kHolds = 1'500;
  std::string calls;
  for (std::uint64_t id = 1; id <= kHolds; ++id) {
    wire::Message hold = acquire(id, "n" + std::to_string(id));
    hold.mutable_call()->mutable_acquire()->set_owner("o");
    calls += framed(hold);
  }
  ASSERT_TRUE(client.send_bytes(calls));
  ASSERT_TRUE(client.receive_until([](const auto& said) {
    return said.event().has_lasts() && said.event().lasts().request() == kHolds;
  })) << client.trouble();
  ASSERT_TRUE(attacked.members().has_logged(0, "cannot become part of its table"));
  const std::string log = attacked.members().log(0);
  std::size_t lines = 0;
  for (std::size_t at = log.find("of its table"); at != std::string::npos;
       at = log.find("of its table", at + 1))
    ++lines;
  EXPECT_LE(lines, 3U) << log;  // the same once a minute
}

}  // namespace
}  // namespace coterie::attack
