// Files that the command writes.
#pragma once

#include <filesystem>
#include <string>

namespace coterie::cli {

// Refuses a path that cannot be written, before any work is done for it. `option` names it in errors;
// `ending`, such as .svg, is asked for if it is not empty.
void check_output_path(const std::string& path, const std::string& option,
                       const std::string& ending = "");

// Written beside its place and moved there when it is whole, so that no half file is left.
void write_file(const std::filesystem::path& path, const std::string& text);

// The folder, and those around it, made if they are not there.
void make_folder(const std::filesystem::path& folder);

}  // namespace coterie::cli
