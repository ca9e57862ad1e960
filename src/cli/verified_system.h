// The k of a quorum system that is read from a file: the file says it, and all that is computed, checked or simulated of
// the system rests on it.
#pragma once

#include <string>

#include "coterie/analysis.h"
#include "coterie/quorum.h"

namespace coterie::cli {

// Of a system that is read from a file, or has parts that are. A wrong k is a Failure that names quorums which show it.
// False: the search took more than the effort allows.
bool verify_k(const quorum::System& system, const quorum::Effort& effort);

// read_system(), with the k of a file verified as far as the usual effort goes.
quorum::System read_verified_system(const std::string& spec);

}  // namespace coterie::cli
