// A cluster of real members for attacks on it: three processes with a folder and ports of their own, plain or with TLS,
// and honest clients beside the attacker that must not notice anything.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "attack/certificates.h"
#include "attack/raw.h"
#include "cli/command.h"
#include "cli/serving.h"

namespace coterie::attack {

enum class Road { plain, tls };

class Attacked {
 public:
  struct Plan {
    Road road = Road::plain;
    // Long, so that nothing is lost by a machine that is busy.
    std::string lease = "10s";
    // What else is in a member's file, before the sections [members], [time] and [tls] that are given.
    std::function<std::string(const std::string& name)> more = {};
    std::vector<std::string> names = {"a", "b", "c"};
    // With TLS: another authority, "members", signs the certificates of members, and no client's.
    bool have_own_authority = false;
  };
  // Starts the members of a new cluster. REQUIRES, of all that follows: is_ready().
  explicit Attacked(Plan plan);
  // They answer, and grant.
  bool is_ready() const { return is_ready_; }

  const cli::Folder& folder() const { return folder_; }
  cli::Serving& members() { return *serving_; }
  // With TLS: signs for the members and for the client alice; "other" is not trusted.
  const Authority& authority() const { return *authority_; }
  const Authority& members_authority() const { return members_ ? *members_ : *authority_; }
  const Authority& other_authority() const { return *other_; }
  // The section [tls] of a member that shows FILE.pem.
  std::string section_of(const std::string& file) const;

  // A connection to a member by its index, as a client that has a certificate if one is needed.
  Raw connect(std::size_t member = 0);
  // The same with the certificate FILE.pem of the folder.
  Raw connect_with(const std::string& file, std::size_t member = 0);
  // The same, and its hello is answered by a welcome: it is a client with a session.
  Raw client(std::size_t member = 0, const std::string& label = "guest");

  // What a member must say of its configuration, so that others take its hello.
  std::string configuration() const;

  // `coterie ARGUMENTS [-- PROGRAM]` as an honest client, which knows all members and has a certificate if one is needed.
  cli::Outcome run(const std::string& arguments, const std::string& program = "") const;
  // An honest client enters a mutex of its own and leaves it.
  void expect_served() const;
  // Every member is still the process that was started, and answers.
  void expect_alive() const;

 private:
  cli::Folder folder_;
  Road road_;
  std::unique_ptr<Authority> authority_;
  std::unique_ptr<Authority> members_;
  std::unique_ptr<Authority> other_;
  std::unique_ptr<cli::Serving> serving_;
  std::vector<pid_t> processes_;
  bool is_ready_ = false;
};

// For suites that attack both: INSTANTIATE_TEST_SUITE_P(Roads, Suite, kBothRoads, road_name)
class OnBothRoads : public testing::TestWithParam<Road> {};
inline const auto kBothRoads = testing::Values(Road::plain, Road::tls);
std::string road_name(const testing::TestParamInfo<Road>& info);

}  // namespace coterie::attack
