// One packet of a frame: its kind, and its body.
#pragma once

#include <proto/coterie.pb.h>

#include <optional>
#include <string>

#include "member/wire.h"

namespace coterie::net {

bool is_name(const std::string& text);  // not too long
void encode(const member::Kind& kind, wire::Kind& to);
std::optional<member::Kind> decode(const wire::Kind& kind);
void encode(const member::Secret& secret, wire::Secret& to);
member::Secret decode(const wire::Secret& from);
void encode(const member::Attempt& attempt, wire::Attempt& to);
member::Attempt decode(const wire::Attempt& from);
std::optional<member::Burial::How> how_of(std::uint32_t number);
void encode(const member::Origin& origin, wire::Origin& to);
member::Origin decode(const wire::Origin& from);
void encode(const member::Ask& body, wire::Packet& to);
void encode(const member::Answer& body, wire::Packet& to);
bool decode_body(const wire::Packet& from, member::Ask& body);
bool decode_body(const wire::Packet& from, member::Answer& body);

}  // namespace coterie::net
