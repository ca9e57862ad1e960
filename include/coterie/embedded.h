// A program that is itself a member of a cluster: it asks without a connection, and what it has left and nobody
// else wants it enters again in less than a microsecond.
//
//   auto member = coterie::EmbeddedMember::start("member.toml");
//   if (!member) return complain(member.error().text);
//   auto client = member->client();
//   if (!client) return complain(client.error().text);
//   auto hold = client->mutex("deploys");
//
// The client is that of client.h, with the same holds, patience, errors and completion tokens. Any number of
// them may be made, one for each who is to exclude the others; programs elsewhere connect to this member as to
// any other.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coterie/client.h"

namespace coterie {

namespace client {
class House;
}

// What a member.toml says (docs/operations.md), as values.
struct MemberSettings {
  std::string name;                                          // which of the members this is
  std::string data;                                          // a folder of its own
  std::vector<std::pair<std::string, std::string>> members;  // all of them: name, host:port
  std::string system = {};                                   // majority, if not given
  std::string listen = {};                                   // its own address, if not given
  std::optional<Tls> tls = {};
  std::chrono::milliseconds lease{2'000};
};

struct MemberStart {
  bool is_new_cluster = false;  // no member of this cluster has ever run
  bool is_insecure = false;     // may listen without TLS where other machines can reach it
  std::string log = "off";      // to standard error: debug, info, warn, error
};

// It has one thread of its own, which does all of the member's work. Destroyed, it stops as by stop().
class EmbeddedMember {
 public:
  static Outcome<EmbeddedMember> start(const std::string& config_file, const MemberStart& how = {});
  static Outcome<EmbeddedMember> start(const MemberSettings& settings, const MemberStart& how = {});
  EmbeddedMember(EmbeddedMember&&) noexcept;
  EmbeddedMember& operator=(EmbeddedMember&&) noexcept;
  ~EmbeddedMember();

  // By default its label is user@host:pid.
  Outcome<Client> client(std::string label = {});
  const std::string& name() const;
  std::uint16_t port() const;  // where it listens

  // Its clients are told to leave, here and elsewhere, and may finish for as long as what they hold is valid;
  // then the other members are told, and nobody waits for a lease.
  void stop();

 private:
  explicit EmbeddedMember(std::shared_ptr<client::House> house);
  std::shared_ptr<client::House> house_;
};

}  // namespace coterie
