// Tables as comma-separated values.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment.h"

namespace coterie::cli {

// A number that is not one is empty.
std::string csv_text(const sim::Cell& cell);
// The headings, then a line for each row.
std::string csv_of(const std::vector<std::string>& columns,
                   const std::vector<std::vector<sim::Cell>>& rows);

}  // namespace coterie::cli
