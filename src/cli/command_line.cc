#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

#include "cli/input.h"
#include "quorum/visible.h"

namespace coterie::cli {
namespace {

// CLI11 would take -1 for the largest number.
CLI::Validator whole_number(Range range) {
  return {[range](const std::string& text) {
            std::uint64_t value = 0;
            const char* last = text.data() + text.size();
            const auto [end, error] = std::from_chars(text.data(), last, value);
            const bool is_whole = error == std::errc{} && end == last;
            if (is_whole && value >= range.least && value <= range.most) return std::string();
            return fmt::format("must be a whole number from {} to {}, not '{}'", range.least,
                               range.most, text);
          },
          ""};
}

std::string path_of(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return (parent == nullptr ? "" : path_of(*parent) + " ") + app.get_name();
}

std::string see_help_of(const CLI::App& app) {
  return fmt::format("see '{} --help'", path_of(app));
}

// The innermost command that was named.
const CLI::App& named(const CLI::App& app) {
  const std::vector<CLI::App*> inside = app.get_subcommands();
  return inside.empty() ? app : named(*inside.back());
}

// CLI11 would say only that a command is missing.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty() || word.starts_with('-')) return;
    const auto next = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
      return command->get_name() == word;
    });
    if (next == commands.end()) {
      std::vector<std::string> names;
      for (const CLI::App* command : commands) names.push_back(command->get_name());
      throw Failure(fmt::format("there is no command '{}'; there are: {}; {}", word,
                                fmt::join(names, ", "), see_help_of(*at)));
    }
    at = *next;
  }
}

}  // namespace

const Option& Option::required() const {
  option_->required();
  return *this;
}

const Option& Option::excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

const Option& Option::needs(const Option& other) const {
  option_->needs(other.option_);
  return *this;
}

const Option& Option::value(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

const Option& Option::one_of(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

Command Command::command(const std::string& name, const std::string& summary,
                         const std::string& footer) const {
  CLI::App* inside = app_->add_subcommand(name, summary);
  inside->footer(footer);
  app_->require_subcommand(1);
  return {*inside, *exit_code_};
}

void Command::runs(std::function<int()> action) const {
  if (!app_->get_subcommands([](const CLI::App*) { return true; }).empty())
    app_->require_subcommand(0, 1);
  app_->callback([action = std::move(action), app = app_, code = exit_code_] {
    if (app->get_subcommands().empty()) *code = action();  // else the one inside runs
  });
}

Option Command::option(const std::string& name, std::string& value, const std::string& help) const {
  CLI::Option* option = app_->add_option(name, value, help);
  if (!value.empty()) option->capture_default_str();
  return Option(*option);
}

Option Command::option(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) const {
  CLI::Option* option = app_->add_option(name, values, help);
  if (name.starts_with('-')) option->allow_extra_args(false);
  return Option(*option);
}

Option Command::option(const std::string& name, std::vector<double>& values,
                       const std::string& help) const {
  return Option(*app_->add_option(name, values, help)->delimiter(',')->capture_default_str());
}

Option Command::option(const std::string& name, std::uint64_t& value, const std::string& help,
                       Range range) const {
  return Option(
      *app_->add_option(name, value, help)->capture_default_str()->check(whole_number(range)));
}

Option Command::flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(*app_->add_flag(name, value, help));
}

Program::Program(const std::string& name, const std::string& summary, const std::string& version,
                 const std::string& footer)
    : app_(std::make_unique<CLI::App>(summary, name)) {
  app_->set_version_flag("--version", version);
  app_->footer(footer);
  app_->failure_message([name](const CLI::App* app, const CLI::Error& error) {
    return fmt::format("{}: {}; {}\n", name, quorum::visible(error.what()),
                       see_help_of(named(*app)));
  });
}

Program::~Program() = default;

Command Program::root() { return {*app_, exit_code_}; }

int Program::run(int argc, char** argv) {
  refuse_unknown_command(*app_, argc, argv);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? 0 : kExitUsage;
  }
  return exit_code_;
}

}  // namespace coterie::cli
