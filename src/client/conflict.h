// Whether a status shows more inside than a name's kind allows.
#pragma once

#include "coterie/client.h"

namespace coterie::client {

// More are inside than may be, and no change of the name explains it (Status::former_terms). What counts depends on the kind: each
// holder of a mutex, of a semaphore and of a band, the groups of a room, and each writer as a group of its own. A lasting
// hold that too few members have (Certainty::partial) was never given, and does not count.
//
// A status is put together from what members say at slightly different moments: a conflict that is gone when it is looked at
// again was none.
bool is_in_conflict(const Status& status);

}  // namespace coterie::client
