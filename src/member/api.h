// What clients and members say to each other (src/api), by the names that members call it.
#pragma once

#include "api/alone.h"
#include "api/belief.h"
#include "api/calls.h"
#include "api/events.h"
#include "api/kind.h"
#include "api/naming.h"
#include "api/picture.h"
#include "api/ticket.h"
#include "api/time.h"

namespace coterie::member {

using api::are_alike;
using api::Attempt;
using api::Belief;
using api::Burial;
using api::Change;
using api::Drift;
using api::Duration;
using api::Ended;
using api::Event;
using api::fault_of;
using api::fault_of_name;
using api::Good;
using api::Granted;
using api::Incarnation;
using api::Instant;
using api::is_counted;
using api::Kept;
using api::Kind;
using api::kNoMax;
using api::kShownAlone;
using api::Lasts;
using api::Leave;
using api::Left;
using api::Lost;
using api::Milliseconds;
using api::Origin;
using api::Picture;
using api::Refusal;
using api::Refused;
using api::RequestId;
using api::Secret;
using api::SessionId;
using api::Shown;
using api::Slot;
using api::Stopping;
using api::text_of;
using api::Ticket;
using api::Type;
using api::Wish;

}  // namespace coterie::member
