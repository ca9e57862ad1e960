// The results of a study: tables for a terminal, JSON, CSV, a picture.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/sim_study.h"
#include "sim/experiment.h"

namespace coterie::cli {

using Metrics = std::vector<const sim::Metric*>;

std::string text_of(const sim::Mean& mean);  // 12.34 +- 0.12

void print_results(const Study& study, const Metrics& shown);
nlohmann::ordered_json to_json(const Study& study, bool is_complete);
// A line for each metric of each protocol at each value.
std::string csv_of(const Study& study);
// Against the parameter of the sweep; without one, bars side by side.
sim::Picture picture_of(const Study& study, const Metrics& shown);

}  // namespace coterie::cli
