// The versions of what is said over a connection. proto/coterie.proto says which parts of a hello and of a goodbye are the same in
// all versions, so that two releases can at least tell each other that they do not understand each other.
//
// Both sides compare the versions: the one that accepts a connection refuses it by a goodbye, the one that makes it ends it.
// Nothing translates between versions, since a member that took a frame or a ticket for something else could grant twice.
#pragma once

#include <cstdint>
#include <string>

namespace coterie::net {

// Raise it when a message between members (wire::MemberHello, wire::Frame), or what one of its numbers means, changes.
inline constexpr std::uint32_t kMemberVersion = 4;
// Raise it when a message between a client and a member (wire::ClientHello, Welcome, Call, Event) does.
inline constexpr std::uint32_t kClientVersion = 3;

// What is wrong, and what to do, in words for both sides; empty if the versions are the same.
std::string fault_of_member_version(std::uint32_t theirs);
std::string fault_of_client_version(std::uint32_t client, std::uint32_t member);

}  // namespace coterie::net
