// Configuration files: what they mean, and what is said of those that mean nothing.
#include "net/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coterie::net {
namespace {

const std::string kGood = R"(name = "b"
data = "data"

[members]
a = "10.0.0.1:7400"
b = "10.0.0.2:7400"
c = "[::1]:7400"
)";

std::string fault_of(const std::string& text) {
  const auto settings = parse_settings(text);
  return settings ? "no fault" : settings.error().message;
}

TEST(Settings, HaveDefaultsForAllButMembersNameAndData) {
  const auto settings = parse_settings(kGood);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->name(), "b");
  EXPECT_EQ(settings->member.self, 1U);
  EXPECT_EQ(settings->member.system.spec(), "majority:n=3");
  EXPECT_EQ(settings->listen.text(), "10.0.0.2:7400");
  EXPECT_EQ(settings->addresses[2].text(), "[::1]:7400");
  EXPECT_EQ(settings->member.lease, member::Duration::seconds(2));
  EXPECT_EQ(settings->member.heartbeat, member::Duration::milliseconds(250));
}

TEST(Settings, NameTheLineOfAMistake) {
  EXPECT_EQ(fault_of(kGood + "\n[time]\nlease = 2\n"),
            "line 10: time.lease must be a time such as \"250ms\" or \"2s\"");
  EXPECT_EQ(fault_of(kGood + "\n[time]\nleas = \"2s\"\n"),
            "line 10: time.leas is not known here; known are: drift_ppm, heartbeat, keep, lease, "
            "session, "
            "suspect_after");
  EXPECT_THAT(fault_of(kGood + "\nd = \n"), ::testing::StartsWith("line 9: "));
  EXPECT_EQ(fault_of("# \xc3\xa9\n\xc3\xa9 = 1\n"),
            "line 2: characters beyond ASCII must be in quotes");
  EXPECT_EQ(fault_of("name = 9\"\xef\xb9\xbf\"\n"), "line 1: a quote in the middle of a word");
  EXPECT_EQ(fault_of("name = 9\x01\n"), "line 1: a control character");
  EXPECT_EQ(fault_of("\nname =[[}(e[]"), "line 2: no list and no table can be a value here");
  EXPECT_EQ(fault_of("name = 9.5a='\xef\xbb\xaf"), "line 1: a second equals sign");
  EXPECT_EQ(fault_of("name = 9 '\xef\xbb\xaf'"), "line 1: a quote in the middle of a word");
  EXPECT_EQ(fault_of("name = {a = 1}"), "line 1: no list and no table can be a value here");
  EXPECT_EQ(fault_of(kGood + " [@time]\n"), "line 8: the name of a table must follow \"[\"");
  EXPECT_EQ(fault_of("name = \"\"\"\nb\"\"\"\n"),
            "line 1: a text must be on one line, in one pair of quotes");
  EXPECT_EQ(fault_of("\xef\xbb\xbf" + kGood + "\xc3\xa9 = \"\\\"\xc3\xa9\"\n"),
            "line 8: characters beyond ASCII must be in quotes");
  EXPECT_EQ(fault_of(kGood + "d = \"10.0.0.4\"\n"),
            "line 8: members.d must be an address such as \"10.0.0.1:7400\"");
  EXPECT_EQ(fault_of(kGood + "d = \"10.0.0.1:7400\"\n"),
            "line 8: 10.0.0.1:7400 is another member's address too");
  EXPECT_EQ(fault_of("name = \"z\"\ndata = \"d\"\n[members]\na = \"h:1\"\n"),
            "line 1: name must be one of the members: a");
  EXPECT_EQ(fault_of("name = \"a\"\n[members]\na = \"h:1\"\n"),
            "data must be the folder of what must last");
  EXPECT_EQ(fault_of("system = \"majority:n=5\"\n" + kGood),
            "line 1: the quorum system is for 5 members; there are 3");
  EXPECT_THAT(fault_of("system = \"grid-rw:rows=1,cols=3\"\n" + kGood),
              ::testing::StartsWith("line 1: the quorum system must be an ordinary coterie"));
  EXPECT_THAT(fault_of("name = \"a\"\ndta = \"d\"\n[members]\na = \"h:1\"\n"),
              ::testing::StartsWith("line 2: dta is not known here"));
  EXPECT_THAT(fault_of("system = \"majorty:n=3\"\n" + kGood),
              ::testing::StartsWith("line 1: system: "));
  EXPECT_EQ(fault_of(kGood + "\n[time]\nlease = \"1s\"\nheartbeat = \"500ms\"\n"),
            "line 10: lease must be at least four times heartbeat");
  EXPECT_EQ(fault_of(kGood + "\n[time]\nheartbeat = \"3s\"\n"),
            "line 10: lease must be at least four times heartbeat");
  EXPECT_EQ(fault_of(kGood + "\n[limits]\nclients = 0\n"),
            "line 10: limits.clients must be a number from 1 to 1000000");
  EXPECT_EQ(fault_of(kGood + "\n[tls]\nkey = \"k\"\n"),
            "line 9: [tls] needs certificate, key and authority: paths of PEM files");
  EXPECT_EQ(fault_of(""), "there must be a table [members] of names and addresses");
}

TEST(Settings, AreNotExposedWithoutTls) {
  auto settings = parse_settings(kGood);
  EXPECT_THAT(exposure(*settings), ::testing::HasSubstr("10.0.0.2:7400 can be reached"));
  EXPECT_THAT(exposure(*settings), ::testing::StartsWith("line 6: "));
  settings->listen = {"127.0.0.1", 1};
  EXPECT_EQ(exposure(*settings), "");
  settings->listen = {"0.0.0.0", 1};
  settings->tls = TlsFiles{"c", "k", "a"};
  EXPECT_EQ(exposure(*settings), "");
}

TEST(Settings, SayWhatDiffers) {
  const auto ours = parse_settings(kGood);
  const auto theirs = parse_settings(kGood + "\n[time]\nlease = \"4s\"\n");
  EXPECT_EQ(difference("a", ours->cluster(), "b", theirs->cluster()),
            "a has lease 2000 ms; b has lease 4000 ms");
}

TEST(Address, IsAHostAndAPort) {
  EXPECT_EQ(parse_address("[::1]:80")->host, "::1");
  EXPECT_EQ(parse_address("name:80")->port, 80U);
  for (const char* const wrong : {"", "name", ":80", "name:", "name:80x", "name:70000", "name:-1"})
    EXPECT_FALSE(parse_address(wrong)) << wrong;
  EXPECT_TRUE(parse_address("127.0.0.9:1")->is_loopback());
  EXPECT_FALSE(parse_address("128.0.0.9:1")->is_loopback());
}

TEST(Time, HasAUnit) {
  EXPECT_EQ(parse_duration("250ms")->ns, 250'000'000);
  EXPECT_EQ(parse_duration("2m")->ns, 120'000'000'000);
  for (const char* const wrong : {"", "5", "s", "-1s", "1.5s", "5 s", "99999999999s", "999999999h",
                                  "1h5", "30m1h", "1h1h", "1000d1000d", "h30m", "1dd"})
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
}

TEST(Time, MayHaveSeveral) {
  constexpr std::int64_t kMinute = 60'000'000'000;
  EXPECT_EQ(parse_duration("1h30m")->ns, 90 * kMinute);
  EXPECT_EQ(parse_duration("1d")->ns, 24 * 60 * kMinute);
  EXPECT_EQ(parse_duration("1m500ms")->ns, kMinute + 500'000'000);
  EXPECT_EQ(parse_duration("0s")->ns, 0);
}

TEST(Settings, SayTheSizeOfTheSystemOnce) {
  const std::string members =
      "\n[members]\na = \"127.0.0.1:1\"\nb = \"127.0.0.1:2\"\nc = \"127.0.0.1:3\"\n";
  const auto spec = [&](const std::string& system) {
    const auto read =
        parse_settings("name = \"a\"\ndata = \"d\"\nsystem = \"" + system + "\"" + members);
    return read ? read->member.system.spec() : read.error().message;
  };
  EXPECT_EQ(spec("majority"), "majority:n=3");
  EXPECT_EQ(spec("all"), "all:n=3");
  EXPECT_EQ(spec("majorty").substr(0, 7), "line 3:");
}

}  // namespace
}  // namespace coterie::net
