// Members and clients that show each other certificates: those of the right authority, and others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "cli/command.h"
#include "cli/serving.h"

namespace coterie::cli {
namespace {

using testing::HasSubstr;

bool has_openssl() { return std::system("openssl version >/dev/null 2>&1") == 0; }

// Certificates are made as an administrator would: docs/operations.md has the same lines.
class Tls : public testing::Test {
 protected:
  static constexpr const char* kMember = "extendedKeyUsage=serverAuth,clientAuth";
  static constexpr const char* kClient = "extendedKeyUsage=clientAuth";

  static void SetUpTestSuite() {
    if (!has_openssl()) return;
    folder_ = new Folder;
    make_authority("ca");
    make_authority("other");
    for (const std::string name : {"a", "b", "c", "stranger"}) sign(name, "ca", kMember, 2);
    sign("alice", "ca", kClient, 2);
    sign("late", "ca", kClient, -1);
    sign("mallory", "other", kClient, 2);
  }
  static void TearDownTestSuite() { delete folder_; }
  void SetUp() override {
    if (folder_ == nullptr) GTEST_SKIP() << "the openssl command is not there";
  }

  static void shell(const std::string& line) {
    const std::string all = "cd '" + folder_->path() + "' && (" + line + ") >openssl.log 2>&1";
    ASSERT_EQ(std::system(all.c_str()), 0) << line << "\n" << folder_->read("openssl.log");
  }
  static constexpr const char* kKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  static void make_authority(const std::string& name) {
    shell("openssl req -x509 " + std::string(kKey) + " -keyout " + name + ".key -out " + name +
          ".pem -days 2 -subj /CN=" + name);
  }
  static void sign(const std::string& name, const std::string& authority, const std::string& use,
                   int days, std::string subject = "") {
    if (subject.empty()) subject = name;
    folder_->write("use", "subjectAltName=IP:127.0.0.1\n" + use + "\n");
    shell("openssl req " + std::string(kKey) + " -keyout " + name +
          ".key -out request -subj /CN=" + subject + " && openssl x509 -req -in request -CA " +
          authority + ".pem -CAkey " + authority + ".key -CAcreateserial -days " +
          std::to_string(days) + " -extfile use -out " + name + ".pem");
  }
  // A member's section, with the certificate of `shown`.
  static std::string section(const std::string& shown) {
    return "[tls]\ncertificate = \"" + shown + ".pem\"\nkey = \"" + shown +
           ".key\"\nauthority = \"ca.pem\"\n";
  }
  static std::string as(const std::string& client, const std::string& authority = "ca") {
    return " --ca " + authority + ".pem --cert " + client + ".pem --key " + client + ".key ";
  }
  static Outcome mutex(const Serving& serving, const std::string& options) {
    return folder_->run("mutex m --wait 5s --members " + serving.list() + options + " -- true");
  }
  static Folder* folder_;
};
Folder* Tls::folder_ = nullptr;

TEST_F(Tls, WhoHasNoCertificateOfTheAuthorityGetsNothing) {
  Serving serving(*folder_, {.more = section});
  serving.client_options = as("alice");
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  const Outcome alice = mutex(serving, as("alice"));
  EXPECT_EQ(alice.exit_code, 0) << alice.err;

  const auto expect_none = [&](const std::string& options, const std::string& why) {
    const Outcome outcome = folder_->run("status --json --members " + serving.list() + options);
    EXPECT_EQ(outcome.exit_code, 69) << options;
    EXPECT_THAT(outcome.out, HasSubstr(why)) << options;
  };
  expect_none("", "it was closed; perhaps it wants TLS");
  expect_none(as("mallory"), "alert unknown ca");
  expect_none(as("late"), "alert certificate expired");
  expect_none(as("alice", "other"), "certificate verify failed");
  EXPECT_TRUE(serving.has_logged(0, "certificate has expired"));

  const Outcome half = mutex(serving, " --ca ca.pem");
  EXPECT_EQ(half.exit_code, 2);
  EXPECT_THAT(half.err, HasSubstr("TLS needs --ca, --cert and --key"));
  const Outcome missing = mutex(serving, as("nobody"));
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("nobody.pem cannot be used for TLS"));

  ::setenv("COTERIE_CA", "ca.pem", 1);
  ::setenv("COTERIE_CERT", "alice.pem", 1);
  ::setenv("COTERIE_KEY", "alice.key", 1);
  EXPECT_EQ(mutex(serving, "").exit_code, 0);
  for (const char* name : {"COTERIE_CA", "COTERIE_CERT", "COTERIE_KEY"}) ::unsetenv(name);
}

// A certificate is for an address, and a client's is not for a member.
TEST_F(Tls, WhoIsNotTheMemberIsNotTakenForIt) {
  Serving serving(*folder_, {.more = [](const std::string& name) {
    return section(name == "b" ? "stranger" : name == "c" ? "alice" : name);
  }});
  serving.start_all();
  EXPECT_TRUE(serving.has_logged(0, "member b cannot be reached"));
  const std::string flaw = "is refused: it is of \"stranger\", not of \"b\"";
  EXPECT_TRUE(serving.has_logged(0, "its certificate " + flaw));
  EXPECT_TRUE(serving.has_logged(0, "the certificate that was shown for member b " + flaw));
  EXPECT_TRUE(serving.has_logged(1, "other members would refuse stranger.pem: it is of"));
  EXPECT_TRUE(serving.has_logged(0, "unsuitable certificate purpose"));
  std::string by_name = serving.addresses()[0];
  by_name.replace(0, by_name.find(':'), "localhost");
  const Outcome outcome = folder_->run("status m --members " + by_name + as("alice"));
  EXPECT_EQ(outcome.exit_code, 69);
  EXPECT_THAT(outcome.err, HasSubstr("hostname mismatch"));
  // By the address that its certificate names the member is believed; it says why it cannot serve.
  EXPECT_THAT(folder_->run("status m --members " + serving.addresses()[0] + as("alice")).err,
              HasSubstr("the member does not know its cluster yet"));
}

// A new authority and certificates by it, in the old files: read when somebody says so, and only if they are good.
TEST_F(Tls, CertificatesAreReadAgainAtSighup) {
  const auto put = [](const std::string& of, const std::string& place) {
    shell("cp " + of + ".pem " + place + ".pem && cp " + of + ".key " + place + ".key");
  };
  put("ca", "root");
  put("a", "own");
  Serving serving(
      *folder_,
      {.names = {"a"}, .more = [](const std::string& /*name*/) {
         return "[tls]\ncertificate = \"own.pem\"\nkey = \"own.key\"\nauthority = \"root.pem\"\n";
       }});
  serving.client_options = as("alice");
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  const auto renew = [&](const std::string& logged) {
    serving.signal(0, SIGHUP);
    EXPECT_TRUE(serving.has_logged(0, logged)) << serving.log(0);
  };

  shell("cp other.key own.key");
  renew("own.key cannot be used for TLS: key values mismatch");
  put("stranger", "own");
  renew("others would refuse own.pem: it is of \"stranger\", not of \"a\"");
  sign("old", "ca", kMember, -1);
  put("old", "own");
  renew("others would refuse own.pem: certificate has expired");
  put("alice", "own");
  renew("others would refuse own.pem: unsuitable certificate purpose");
  shell("echo nothing >own.pem");
  renew("own.pem cannot be used for TLS");
  EXPECT_EQ(mutex(serving, as("alice")).exit_code, 0) << serving.log(0);

  folder_->write("hold.sh", "'" COTERIE_BINARY "' mutex kept --members " + serving.list() +
                                as("alice") + " -- sh -c 'touch held; until [ -e go ]; do sleep " +
                                "0.02; done' && touch left\n");
  ASSERT_EQ(folder_->run("--version && (sh hold.sh >hold.log 2>&1 &)").exit_code, 0);
  ASSERT_TRUE(comes_true([] { return folder_->has("held"); })) << folder_->read("hold.log");
  sign("a2", "other", kMember, 2, "a");
  put("a2", "own");
  put("other", "root");
  renew("certificates were read again");
  EXPECT_EQ(mutex(serving, as("mallory", "other")).exit_code, 0) << serving.log(0);
  EXPECT_EQ(mutex(serving, as("alice", "other")).exit_code, 69);
  folder_->write("go", "");  // who was there before has noticed nothing
  EXPECT_TRUE(comes_true([] { return folder_->has("left"); })) << folder_->read("hold.log");
}

TEST_F(Tls, IsNeededWhereOthersCanListen) {
  const std::string open =
      "name = \"a\"\ndata = \"d\"\nlisten = \"0.0.0.0:7499\"\n[members]\na = \"127.0.0.1:7499\"\n";
  folder_->write("open.toml", open);
  const Outcome refused = folder_->run("serve --check --config open.toml");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("can be reached from other machines"));
  EXPECT_EQ(folder_->run("serve --check --insecure --config open.toml").exit_code, 0);
  folder_->write("open.toml", open + section("a"));
  EXPECT_EQ(folder_->run("serve --check --config open.toml").exit_code, 0);
}

}  // namespace
}  // namespace coterie::cli
