// Why a request was refused, in the words of the public header.
#pragma once

#include "api/events.h"
#include "coterie/client.h"

namespace coterie::session {

Reason reason_of(api::Refusal why);
inline constexpr const char* kLostQuorum = "its member lost the quorum that it had";

}  // namespace coterie::session
