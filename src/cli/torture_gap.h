// `coterie torture --gap`: how long nobody enters after a member has failed.
#pragma once

#include <cstdint>

namespace coterie::cli {

void run_torture_gap(std::uint64_t first_seed, std::uint64_t seeds, bool as_json);

}  // namespace coterie::cli
