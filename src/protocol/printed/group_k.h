// Group k-exclusion as printed, one difference at a time.
#pragma once

#include "protocol/group_k.h"

namespace coterie::protocol::group_k::printed {}
