// The entries of the catalogue, one per algorithm; each is defined in the algorithm's file.
#pragma once

#include "protocol/catalogue.h"

namespace coterie::protocol {

Entry maekawa_entry();
Entry k_mutex_entry();

}  // namespace coterie::protocol
