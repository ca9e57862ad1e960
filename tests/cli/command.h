// Runs the real binary as a user would: a command line in a folder of its own, its output and its exit code.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace coterie::cli {

// The command that is tried: this build's, or the sanitized one of another build that the environment names in
// COTERIE_SANITIZED_COMMAND.
const std::string& command_path();
bool is_command_sanitized();

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// Output into a pipe: nothing on standard error, no control sequences, lines of at most 80 columns.
void expect_plain(const Outcome& outcome, const std::string& command);

// A temporary folder, removed at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // Runs `coterie ARGUMENTS` by the shell, with this as the current folder. What goes on for minutes hangs, and is
  // ended: exit code 124.
  Outcome run(const std::string& arguments) const;
  // The same; the command must succeed, and what it prints is parsed.
  nlohmann::json run_json(const std::string& arguments) const;
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  std::string path() const { return path_.string(); }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }

 private:
  std::filesystem::path path_;
};

}  // namespace coterie::cli
