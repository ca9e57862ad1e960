// The client's half of the codec: between what a session says and hears (src/api), and what goes over a connection.
#pragma once

#include <proto/coterie.pb.h>

#include <optional>

#include "api/calls.h"
#include "api/events.h"
#include "api/hello.h"

namespace coterie::net {

void encode(const api::Hello& hello, wire::Hello& to);
void encode(const api::Call& call, wire::Call& to);

// What a member says is not trusted: times are cut to what can be computed with.
api::Welcome decode(const wire::Welcome& from);
// None: an event of a later version, or the answer to a question. Who asked reads that as it came, since it names members
// by their names and not by their numbers.
std::optional<api::Event> decode(const wire::Event& from);

}  // namespace coterie::net
