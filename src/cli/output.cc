#include "cli/output.h"

#include <fmt/format.h>

#include <fstream>

#include "cli/input.h"

namespace coterie::cli {

void check_output_path(const std::string& path, const std::string& option,
                       const std::string& ending) {
  const std::filesystem::path file(path);
  if (!ending.empty() && file.extension() != ending) {
    throw Failure(
        fmt::format("{} must name a file that ends in {}, not '{}'", option, ending, path));
  }
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    throw Failure(fmt::format("{}: there is no folder '{}'", option, folder.string()));
  if (std::filesystem::is_directory(file, ignored))
    throw Failure(fmt::format("{}: '{}' is a folder, not a file", option, path));
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path draft = path.string() + ".writing";
  std::error_code failed;
  // What is no file, such as /dev/stdout, is written as it is.
  const bool is_special =
      std::filesystem::exists(path, failed) && !std::filesystem::is_regular_file(path, failed);
  std::ofstream file(is_special ? path : draft, std::ios::binary);
  file << text;
  file.close();
  bool is_written = !file.fail();
  if (is_written && !is_special) {
    std::filesystem::rename(draft, path, failed);
    is_written = !failed;
  }
  if (is_written) return;
  if (!is_special) std::filesystem::remove(draft, failed);
  throw Failure(fmt::format("cannot write '{}'", path.string()), kExitFound);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) return;
  throw Failure(fmt::format("cannot make the folder '{}': {}", folder.string(), failed.message()));
}

}  // namespace coterie::cli
