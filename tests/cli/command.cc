#include "cli/command.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sanitized.h"

namespace coterie::cli {
namespace {

const char* const kElsewhere = std::getenv("COTERIE_SANITIZED_COMMAND");

}  // namespace

const std::string& command_path() {
  static const std::string path = kElsewhere == nullptr ? COTERIE_BINARY : kElsewhere;
  return path;
}

bool is_command_sanitized() { return kIsSanitized || kElsewhere != nullptr; }

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "coterie-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Outcome Folder::run(const std::string& arguments) const {
  const std::string line = "cd '" + path_.string() + "' && '" + command_path() + "' " + arguments +
                           " >.stdout 2>.stderr </dev/null";
  // In a file, whatever quotes are in it; several may run at once.
  static std::atomic<int> number = 0;
  const std::string script = ".line-" + std::to_string(number++);
  write(script, line);
  const int status =
      std::system(("exec timeout -k 10 300 sh '" + (path_ / script).string() + "'").c_str());
  Outcome outcome{.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                  .out = read(".stdout"),
                  .err = read(".stderr")};
  return outcome;
}

nlohmann::json Folder::run_json(const std::string& arguments) const {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.err;
  EXPECT_EQ(outcome.err, "") << arguments;
  nlohmann::json json = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << arguments << "\n" << outcome.out;
  return json;
}

void expect_plain(const Outcome& outcome, const std::string& command) {
  EXPECT_EQ(outcome.err, "") << command;
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos) << command;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << command << "\n" << line;
}

void Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name) << text;
}

std::string Folder::read(const std::string& name) const {
  std::ifstream file(path_ / name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace coterie::cli
