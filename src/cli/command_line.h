// Commands, their options and their help. The parser of command lines takes long to compile, so it stays
// behind this: command_line.cc alone includes it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the parser's own name
class App;
class Option;
}  // namespace CLI

namespace coterie::cli {

// What can be said about an option that was declared. All of these are handles: the Program owns what
// they stand for.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}
  const Option& required() const;
  const Option& excludes(const Option& other) const;
  const Option& needs(const Option& other) const;
  const Option& one_of(const std::vector<std::string>& words) const;
  // What help calls its value.
  const Option& value(const std::string& name) const;

 private:
  CLI::Option* option_;
};

// What was declared, as data: for completion and for the manual page.
struct OptionText {
  std::string name;     // --json; of a place, what it is called: NAME
  std::string value;    // what its value is called; empty: it has none
  std::string initial;  // its value if it is not given; empty: none
  std::string help;
  std::vector<std::string> words;  // the only values that it takes; empty: others too
  bool is_place = false;           // given by its place, without a name
  bool is_required = false;
  bool repeats = false;
};
struct CommandText {
  std::string name;
  std::string summary;
  std::string footer;
  std::vector<OptionText> options;
  std::vector<CommandText> commands;
  bool needs_command = false;  // one of these must be named
};

struct Range {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

class Command {
 public:
  // `exit_code` is where the answer of the command that runs is left.
  Command(CLI::App& app, int& exit_code) : app_(&app), exit_code_(&exit_code) {}

  // A command inside this one; `footer` stands below its help, and has an example.
  Command command(const std::string& name, const std::string& summary,
                  const std::string& footer) const;
  // Not in help, completion and manual.
  void hide() const;
  // What it does, answering the code to exit with. A command without it has others inside, and needs one;
  // one that has others inside and can do without them is told so after them.
  void runs(std::function<int()> action) const;

  // The value is the default, which the help shows, and is where the one that is given is put. A name
  // without dashes is a place, and takes all the words there are if its value is a list; an option with
  // dashes whose value is a list is given once for each. Numbers of a list are joined by commas.
  Option option(const std::string& name, std::string& value, const std::string& help) const;
  // One that need not be given, and whose value may be empty.
  Option option(const std::string& name, std::optional<std::string>& value,
                const std::string& help) const;
  Option option(const std::string& name, std::vector<std::string>& values,
                const std::string& help) const;
  Option option(const std::string& name, std::vector<double>& values,
                const std::string& help) const;
  Option option(const std::string& name, std::uint64_t& value, const std::string& help,
                Range range = {}) const;
  // One that need not be given.
  Option option(const std::string& name, std::optional<std::uint64_t>& value,
                const std::string& help, Range range = {}) const;
  Option flag(const std::string& name, bool& value, const std::string& help) const;

 private:
  CLI::App* app_;
  int* exit_code_;
};

class Program {
 public:
  Program(const std::string& name, const std::string& summary, const std::string& version,
          const std::string& footer);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command root();
  // All that was declared, but what is hidden.
  CommandText text() const;
  // Runs the command that the arguments name, and answers the code to exit with. Help goes to standard
  // output; mistakes go to standard error, with the help that tells more.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  int exit_code_ = 0;
};

}  // namespace coterie::cli
