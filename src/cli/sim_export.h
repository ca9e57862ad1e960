// The results of a study for other programs: every metric of every trial.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/sim_study.h"

namespace coterie::cli {

nlohmann::ordered_json to_json(const Study& study, bool is_complete);
// A line for each metric of each protocol at each value.
std::string csv_of(const Study& study);

}  // namespace coterie::cli
