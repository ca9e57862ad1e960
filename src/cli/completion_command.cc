#include "cli/completion_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "coterie/spec.h"
#include "protocol/catalogue.h"
#include "sim/experiment.h"
#include "sim/measures.h"
#include "sim/torture_mutants.h"

namespace coterie::cli {
namespace {

std::vector<std::string> words_of(const auto& things, const std::string& end = "") {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(std::string(thing.name) + end);
  return names;
}

// "closed|open|bursts" are words; "M|a,b,a" and "FILE" are not.
std::vector<std::string> choices_in(const std::string& value) {
  std::vector<std::string> words;
  const bool is_choice =
      value.find('|') != std::string::npos &&
      value.find_first_not_of("abcdefghijklmnopqrstuvwxyz-|") == std::string::npos;
  if (!is_choice) return words;
  for (const std::string_view word : split(value, '|')) words.emplace_back(word);
  return words;
}

std::vector<std::string> words_for(std::string_view path, const OptionText& option) {
  if (!option.words.empty()) return option.words;
  if (option.name == "PROTOCOL" || option.value == "PROTOCOL")
    return words_of(protocol::catalogue());
  if (option.name == "SYSTEM" || option.value == "SPEC")
    return words_of(quorum::constructions(), ":");
  if (path == "coterie reproduce" && option.is_place) return words_of(sim::experiments());
  if (path == "coterie torture" && option.name == "--mutant")
    return words_of(sim::torture::mutants());
  if (option.name == "--metric") return words_of(sim::metrics());
  return choices_in(option.value);
}

}  // namespace

void add_completion_command(Program& program) {
  const Command command = program.root().command(
      "completion", "a script that completes command lines in your shell",
      "Examples:\n"
      "  source <(coterie completion bash)      in ~/.bashrc\n"
      "  source <(coterie completion zsh)       in ~/.zshrc, after compinit\n"
      "  coterie completion fish | source       in ~/.config/fish/config.fish");
  const auto shell = std::make_shared<std::string>();
  command.option("SHELL", *shell, "which shell").one_of({"bash", "zsh", "fish"}).required();
  command.runs([shell, &program] {
    const auto make = *shell == "bash"  ? bash_completion
                      : *shell == "zsh" ? zsh_completion
                                        : fish_completion;
    fmt::print("{}", make(program.text(), words_for));
    return 0;
  });
  const Command manual = program.root().command("manual", "the manual page, as roff", "");
  manual.hide();
  manual.runs([&program] {
    fmt::print("{}", manual_page(program.text()));
    return 0;
  });
}

}  // namespace coterie::cli
