// Between what a member decides in and what goes over a connection. What comes from there is not trusted: a
// decoder gives nothing if anything is out of its bounds.
#pragma once

#include <proto/coterie.pb.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "member/events.h"
#include "member/member.h"
#include "member/wire.h"

namespace coterie::net {

struct Limits {
  static constexpr std::size_t kMessage = 16U << 20U;  // bytes, of a member
  static constexpr std::size_t kCall = 256U << 10U;    // bytes, of a client, or of anybody's hello
  static constexpr int kPackets = 4'096;               // in a flow
  static constexpr int kGroups = 256;                  // of a request
  static constexpr std::size_t kName = 1'024;  // bytes of any name: members refuse above 255
  static constexpr std::uint64_t kWait = std::uint64_t{1} << 61U;  // ns: 73 years
};

void encode(const member::Frame& frame, wire::Frame& to);
std::optional<member::Frame> decode(const wire::Frame& from);

void encode(const member::Wish& wish, wire::Acquire& to);
// Its names and groups are as they came: the member tells the client what is wrong with them.
std::optional<member::Wish> decode(const wire::Acquire& acquire);

void encode(const member::Burial& burial, wire::Bury& to);
std::optional<member::Burial> decode(const wire::Bury& bury);
void encode(const member::Change& change, wire::Change& to);
std::optional<member::Change> decode(const wire::Change& change);

void encode(const member::Leave& leave, wire::Release& to);
std::optional<member::Leave> decode(const wire::Release& release);

void encode(const member::Granted& granted, wire::Granted& to);
// `names` are the members'.
void encode(const member::Event& event, std::span<const std::string> names, wire::Event& to);

}  // namespace coterie::net
