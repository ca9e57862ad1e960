#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <sstream>
#include <utility>

#include "cli/input.h"
#include "cli/table.h"
#include "cli/terminal.h"
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

// What help says between the braces of "TEXT:{kill,warn}".
std::vector<std::string> words_in(const std::string& type) {
  const std::size_t begin = type.find(":{");
  std::vector<std::string> words;
  if (begin == std::string::npos) return words;
  std::string word;
  for (const char each : type.substr(begin + 2)) {
    if (each != ',' && each != '}') {
      word += each;
    } else {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

OptionText text_of(const CLI::Option& option) {
  OptionText text{.name = option.get_name(),
                  .value = "",
                  .initial = option.get_default_str(),
                  .help = option.get_description(),
                  .words = words_in(option.get_type_name()),
                  .is_place = option.get_positional(),
                  .is_required = option.get_required(),
                  .repeats = option.get_expected_max() > 1};
  // Of -h,--help the longer is enough.
  if (!option.get_lnames().empty()) text.name = "--" + option.get_lnames().front();
  const bool is_flag = option.get_expected_max() == 0;
  if (!text.is_place && !is_flag)
    text.value =
        text.words.empty() ? option.get_type_name() : fmt::format("{}", fmt::join(text.words, "|"));
  return text;
}

CommandText text_of(const CLI::App& app) {
  CommandText text{.name = app.get_name(),
                   .summary = app.get_description(),
                   .footer = app.get_footer(),
                   .options = {},
                   .commands = {},
                   .needs_command = app.get_require_subcommand_min() > 0};
  for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; }))
    text.options.push_back(text_of(*option));
  for (const CLI::App* inside : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!inside->get_group().empty()) text.commands.push_back(text_of(*inside));
  }
  return text;
}

// Help for a terminal of 80 columns, whatever the length of what it is told.
class NarrowHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string narrow;
    std::istringstream lines(CLI::Formatter::make_help(app, std::move(name), mode));
    for (std::string line; std::getline(lines, line);)
      narrow += wrapped(line, line.starts_with("  ") ? get_column_width() : 0);
    return narrow;
  }
  // Lines that are not indented are prose.
  std::string make_footer(const CLI::App* app) const override {
    std::string filled;
    std::string paragraph;
    std::istringstream lines(app->get_footer() + "\n\n");
    for (std::string line; std::getline(lines, line);) {
      const bool is_prose = !line.empty() && !line.starts_with(' ');
      if (is_prose) paragraph += (paragraph.empty() ? "" : " ") + line;
      if (is_prose) continue;
      if (!paragraph.empty()) filled += wrapped(std::exchange(paragraph, {}), 0);
      filled += line + '\n';
    }
    filled.erase(filled.find_last_not_of('\n') + 1);
    return filled + '\n';
  }
};

std::vector<std::string> names_inside(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

// How many characters must come, go or change to make one of the other.
std::size_t slips_between(std::string_view one, std::string_view other) {
  std::vector<std::size_t> to(other.size() + 1);  // from what was seen of `one` to each beginning
  std::iota(to.begin(), to.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t before = std::exchange(to[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t changed = before + (one[i] == other[j] ? 0 : 1);
      before = to[j + 1];
      to[j + 1] = std::min({changed, before + 1, to[j] + 1});
    }
  }
  return to.back();
}

// For a slip of the finger, what was meant; of a short word little is left after two.
std::string guess(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t kShort = 3;
  const std::size_t most = word.size() <= kShort ? 1 : 2;
  const auto nearest = std::min_element(
      names.begin(), names.end(), [&](const std::string& one, const std::string& other) {
        return slips_between(word, one) < slips_between(word, other);
      });
  if (nearest == names.end() || slips_between(word, *nearest) > most) return "";
  return fmt::format("did you mean {}? ", *nearest);
}

const CLI::App* command_inside(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  const auto place = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
    return command->get_name() == name;
  });
  return place != commands.end() ? *place : nullptr;
}

// CLI11 would say only that a command is missing.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty() || word.starts_with('-')) return;
    const CLI::App* const next = command_inside(*at, word);
    if (next == nullptr) {
      const std::vector<std::string> names = names_inside(*at);
      throw Failure(fmt::format("there is no command '{}'; {}there are: {}; {}", word,
                                guess(word, names), fmt::join(names, ", "), see_help_of(*at)));
    }
    at = next;
  }
  if (at->get_require_subcommand_min() > 0)
    throw Failure(fmt::format("a command is missing; there are: {}; {}",
                              fmt::join(names_inside(*at), ", "), see_help_of(*at)));
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

constexpr const char* kCommandPlace = "COMMAND";

bool runs_a_command(const CLI::App& app) {
  return app.get_option_no_throw(kCommandPlace) != nullptr;
}

// CLI11 would say that the words after it are not expected, and would take options of the command that is to be run for
// ours.
void refuse_unknown_option(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  std::size_t places = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return;
    if (!word.starts_with("--")) {
      const CLI::App* const inside = command_inside(*at, word);
      if (inside != nullptr && places == 0) {
        at = inside;
      } else if (++places > 1 && runs_a_command(*at)) {
        throw Failure(fmt::format("the command comes after --: {} {} [OPTIONS] -- {} ...; {}",
                                  path_of(*at), "NAME", word, see_help_of(*at)));
      }
      continue;
    }
    const std::size_t sign = word.find('=');
    const std::string name = word.substr(0, sign);
    const CLI::Option* const option = at->get_option_no_throw(name);
    if (option == nullptr)
      throw Failure(fmt::format("'{}' has no option {}; {}{}", path_of(*at), name,
                                guess(name, options_of(*at)), see_help_of(*at)));
    if (sign == std::string::npos && option->get_expected_max() > 0) ++i;
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

void Command::hide() const { app_->group(""); }

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

Option Command::option(const std::string& name, std::optional<std::string>& value,
                       const std::string& help) const {
  return Option(*app_->add_option(name, value, help));
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
  CLI::Option* option = app_->add_option(name, value, help)->capture_default_str();
  return Option(*option->check(whole_number(range))->type_name("N"));
}

Option Command::option(const std::string& name, std::optional<std::uint64_t>& value,
                       const std::string& help, Range range) const {
  CLI::Option* option = app_->add_option(name, value, help);
  return Option(*option->check(whole_number(range))->type_name("N"));
}

Option Command::flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(*app_->add_flag(name, value, help));
}

Program::Program(const std::string& name, const std::string& summary, const std::string& version,
                 const std::string& footer)
    : app_(std::make_unique<CLI::App>(summary, name)) {
  app_->set_version_flag("--version", version);
  app_->footer(footer);
  app_->formatter(std::make_shared<NarrowHelp>());  // commands take it over
  app_->failure_message([name](const CLI::App* app, const CLI::Error& error) {
    return folded(
        fmt::format("{}: {}; {}\n", name, quorum::visible(error.what()), see_help_of(named(*app))),
        STDERR_FILENO);
  });
}

Program::~Program() = default;

Command Program::root() { return {*app_, exit_code_}; }

CommandText Program::text() const { return text_of(*app_); }

int Program::run(int argc, char** argv) {
  refuse_unknown_command(*app_, argc, argv);
  refuse_unknown_option(*app_, argc, argv);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? 0 : kExitUsage;
  }
  return exit_code_;
}

}  // namespace coterie::cli
