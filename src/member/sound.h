// What a frame may say, whoever sent it. The same rule is asked before a packet goes out and when one comes in, so that what
// goes out can always be read; and every field of every message is under it, since it goes by the lists of fields.
//
// Numbers, times and versions grow by what is granted, asked and set: by at most 2^32 at a time. A member that runs for
// ten years at a million a second comes to 2^49, so that whatever is above 2^62 was made up; and nothing below can
// come around when a little is added. Text is UTF-8: what is not, a peer could not parse.
#pragma once

#include "member/lasting.h"
#include "member/view.h"
#include "member/wire.h"
#include "protocol/believed.h"

namespace coterie::member {

inline constexpr Number kMostNumber = Number{1} << 62U;
// No honest member's ceiling comes so far, nor its clock (protocol/believed.h). What is above it is read, but taken over from nobody, or
// one frame could bring a member to the end of all numbers, from where its peers read none of its frames any more.
inline constexpr Number kMostBelieved{static_cast<std::uint64_t>(protocol::kMostBelieved)};
// The same for the length of a lease.
inline constexpr Duration kLongestBelieved = Duration::seconds(7 * 24 * 3'600);

bool is_sound(const Frame& frame);
bool is_sound(const Packet<Ask>& packet);
bool is_sound(const Packet<Answer>& packet);
bool is_sound(const Keepsake& keepsake);
bool is_sound(const View& view);
bool is_readable(const std::string& text);  // a peer can parse it

}  // namespace coterie::member
