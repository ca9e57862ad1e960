// Who is a member, over real TLS: certificates that the right authority has signed, and that are still no member's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "attack/attacked.h"

namespace coterie::attack {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

struct Flawed {
  std::string file;
  Certificate certificate;
  std::string why;
};

// Each is signed by the right authority and says something else than member b's should.
std::vector<Flawed> flawed() {
  const std::string no_member = "extendedKeyUsage must have serverAuth and clientAuth";
  const std::string no_address = "its subjectAltName must have 127.0.0.1";
  return {
      {"client", {.common_name = "b", .purposes = "clientAuth"}, no_member},
      {"anything", {.common_name = "b", .purposes = ""}, no_member},
      {"nul", {.common_name = "b\0.example"s}, R"(it is of "b\x00.example", not of "b")"},
      {"case", {.common_name = "B"}, R"(it is of "B", not of "b")"},
      {"tail", {.common_name = "b "}, R"(it is of "b ", not of "b")"},
      {"elsewhere", {.common_name = "b", .alt_names = "IP:127.0.0.2"}, no_address},
      {"text", {.common_name = "b", .alt_names = "DNS:127.0.0.1"}, no_address},
      {"nowhere", {.common_name = "b", .alt_names = ""}, no_address},
  };
}

// Without the ends of lines that a message is folded at.
std::string unfolded(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// What the member says to who shows this and claims to be b.
std::string answer_to(Attacked& attacked, const std::string& file) {
  Raw raw = attacked.connect_with(file);
  raw.send(member_hello("b", attacked.configuration()));
  const auto answer = raw.receive();
  if (!answer) return raw.trouble();
  return answer->has_goodbye() ? answer->goodbye().reason() : "welcome";
}

TEST(MemberCertificates, AClientsCertificateDoesNotPlayAMember) {
  Attacked attacked({.road = Road::tls});
  ASSERT_TRUE(attacked.is_ready());
  for (const Flawed& flaw : flawed()) {
    attacked.authority().sign(flaw.file, flaw.certificate);
    EXPECT_THAT(answer_to(attacked, flaw.file), HasSubstr(flaw.why)) << flaw.file;
  }
  attacked.other_authority().sign("forged", {.common_name = "b"});
  EXPECT_THAT(answer_to(attacked, "forged"), HasSubstr("unknown ca"));
  attacked.authority().sign("late", {.common_name = "b", .valid_until_days = 0});
  EXPECT_THAT(answer_to(attacked, "late"), HasSubstr("certificate expired"));
  attacked.authority().sign("soon", {.common_name = "b", .valid_from_days = 1});
  EXPECT_NE(answer_to(attacked, "soon"), "welcome");
  EXPECT_TRUE(attacked.members().has_logged(0, "certificate is not yet valid"));
  attacked.expect_served();
  attacked.expect_alive();
  // That it is refused for what it lacks, and not for how it came:
  EXPECT_EQ(answer_to(attacked, "b"), "welcome");
}

TEST(MemberCertificates, MembersMayHaveAnAuthorityOfTheirOwn) {
  Attacked attacked({.road = Road::tls, .have_own_authority = true});
  ASSERT_TRUE(attacked.is_ready());
  attacked.authority().sign("perfect", {.common_name = "b"});
  EXPECT_THAT(answer_to(attacked, "perfect"),
              HasSubstr("the authority of members does not vouch for it"));
  attacked.expect_served();
  EXPECT_EQ(answer_to(attacked, "b"), "welcome");
}

// What others would refuse is known before it is used, and told at a start all the same.
TEST(MemberCertificates, ServeCheckSaysWhatOthersWouldRefuse) {
  Attacked attacked({.road = Road::tls, .names = {"b"}});
  ASSERT_TRUE(attacked.is_ready());
  const cli::Folder& folder = attacked.folder();
  const auto check = [&](const std::string& file) {
    folder.write("check.toml",
                 "name = \"b\"\ndata = \"check.data\"\nlisten = \"127.0.0.1:0\"\n[members]\nb = "
                 "\"127.0.0.1:7499\"\n" +
                     attacked.section_of(file));
    return folder.run("serve --check --config check.toml");
  };
  EXPECT_EQ(check("b").exit_code, 0) << check("b").err;
  auto all = flawed();
  all[0].why = "unsuitable certificate purpose";  // OpenSSL says that of this one, before we look
  all.push_back({"late", {.common_name = "b", .valid_until_days = 0}, "certificate has expired"});
  all.push_back({"soon", {.common_name = "b", .valid_from_days = 1}, "is not yet valid"});
  for (const Flawed& flaw : all) {
    attacked.authority().sign(flaw.file, flaw.certificate);
    const cli::Outcome outcome = check(flaw.file);
    EXPECT_EQ(outcome.exit_code, 2) << flaw.file;
    EXPECT_THAT(unfolded(outcome.err), HasSubstr(flaw.file + ".pem: "));
    EXPECT_THAT(unfolded(outcome.err), HasSubstr(flaw.why));
  }
  attacked.other_authority().sign("forged", {.common_name = "b"});
  EXPECT_THAT(check("forged").err, HasSubstr("other members would refuse forged.pem: unable to"));
  EXPECT_THAT(check("missing").err, HasSubstr("missing.pem cannot be used for TLS"));
}

}  // namespace
}  // namespace coterie::attack
