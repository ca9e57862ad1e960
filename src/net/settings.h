// What a member is told in its configuration file. docs/operations.md describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coterie/result.h"
#include "member/member.h"

namespace coterie::net {

struct Address {
  std::string host;
  std::uint16_t port = 0;

  friend bool operator==(const Address&, const Address&) = default;
  std::string text() const;  // host:port, with brackets around a host that has colons
  bool is_loopback() const;  // an address of this machine, seen from nowhere else
};
Result<Address> parse_address(std::string_view text);

// 250ms, 2s, 1m
Result<member::Duration> parse_duration(std::string_view text);

struct TlsFiles {
  std::string certificate;  // ours, with those that lead to the authority
  std::string key;
  std::string authority;  // whose certificates we accept
  // Whose we accept of members, and of nobody else's authority then; empty: `authority`'s.
  std::string peer_authority = {};
};

struct Settings {
  member::Config member;
  std::vector<Address> addresses;  // of the members, in the order of their names
  Address listen;
  std::size_t listen_line = 0;  // of the file that says so; 0: there is none
  std::string data;             // the folder of the store
  std::optional<TlsFiles> tls;
  std::size_t clients = 10'000;  // at most, connected at once

  const std::string& name() const { return member.names[member.self]; }
  // What all members must agree on: one line for each thing.
  std::string cluster() const;
};

// The error's sentence has the line: "line 4: lease must be ...".
Result<Settings> parse_settings(std::string_view text);

// Why a member with these settings must not listen where it is told to; empty if it may.
std::string exposure(const Settings& settings);

// What differs between two members' clusters, for people.
std::string difference(std::string_view our_name, std::string_view ours,
                       std::string_view their_name, std::string_view theirs);

}  // namespace coterie::net
