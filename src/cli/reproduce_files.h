// What `coterie reproduce` writes of a report: a CSV for each sheet and one of the claims, the pictures.
#pragma once

#include <filesystem>
#include <string>

#include "cli/report_page.h"

namespace coterie::cli {

// Writes to OUT/NAME; what it draws and writes is noted in the exhibit.
void write_files(Exhibit& exhibit, const std::filesystem::path& out);

}  // namespace coterie::cli
