#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>

namespace coterie::cli {
namespace {

struct CommandPlace {
  std::string path;  // "coterie dev kill"
  const CommandText* command;
};

void add_places(const CommandText& command, const std::string& path,
                std::vector<CommandPlace>& to) {
  to.push_back({path, &command});
  for (const CommandText& inside : command.commands)
    add_places(inside, path + ' ' + inside.name, to);
}

std::vector<CommandPlace> places_of(const CommandText& program) {
  std::vector<CommandPlace> places;
  add_places(program, program.name, places);
  return places;
}

bool is_path(const OptionText& option) {
  const std::string& called = option.is_place ? option.name : option.value;
  return called.starts_with("FILE") || called.starts_with("FOLDER");
}

// After --, the command line of another program.
bool ends_in_command(const CommandText& command) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [](const OptionText& option) { return option.name == "COMMAND"; });
}

// As a word of a shell, within single quotes.
std::string quoted_for_shell(std::string_view text) {
  std::string quoted = "'";
  for (const char each : text) quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return quoted + "'";
}

// What may stand where no option's value is expected: commands, and words of places.
std::vector<std::string> words_at(const CommandPlace& place, const Vocabulary& vocabulary) {
  std::vector<std::string> words;
  for (const CommandText& inside : place.command->commands) words.push_back(inside.name);
  for (const OptionText& option : place.command->options) {
    if (!option.is_place) continue;
    for (std::string& word : vocabulary(place.path, option)) words.push_back(std::move(word));
  }
  return words;
}

std::vector<std::string> options_at(const CommandPlace& place) {
  std::vector<std::string> options;
  for (const OptionText& option : place.command->options) {
    if (!option.is_place) options.push_back(option.name);
  }
  return options;
}

// The patterns of a `case` that matches these paths.
std::string either(const std::vector<std::string>& paths) {
  std::vector<std::string> patterns;
  patterns.reserve(paths.size());
  for (const std::string& path : paths) patterns.push_back(quoted_for_shell(path));
  return fmt::format("{}", fmt::join(patterns, " | "));
}

// What bash and zsh do in the same words: `at` becomes the command that is named, or the cursor is in the
// command line of another program. `first` is the number of the first word after the program's.
std::string find_path(const std::vector<CommandPlace>& places, std::string_view words,
                      std::string_view first, std::string_view cursor) {
  std::vector<std::string> paths;
  std::vector<std::string> ended;
  for (const CommandPlace& place : places) {
    if (place.path != places.front().path) paths.push_back(place.path);
    if (ends_in_command(*place.command)) ended.push_back(place.path + " --");
  }
  return fmt::format(
      "  local at={0} after=0 i\n"
      "  for ((i = {2}; i < {3}; i++)); do\n"
      "    case \"$at ${{{1}[i]}}\" in\n"
      "      {4}) at=\"$at ${{{1}[i]}}\" ;;\n"
      "      {5}) after=$((i + 1)); break ;;\n"
      "    esac\n"
      "  done\n",
      places.front().path, words, first, cursor, either(paths), either(ended));
}

// The values of options: `offer` makes a line of words, `files` one that completes files.
std::string value_cases(const std::vector<CommandPlace>& places, const Vocabulary& vocabulary,
                        const std::function<std::string(const std::vector<std::string>&)>& offer,
                        const std::string& files) {
  std::string cases;
  std::vector<std::string> paths;
  std::vector<std::string> others;
  for (const CommandPlace& place : places) {
    for (const OptionText& option : place.command->options) {
      if (option.is_place || option.value.empty()) continue;
      const std::string at = place.path + ' ' + option.name;
      if (is_path(option)) {
        paths.push_back(at);
      } else if (const auto words = vocabulary(place.path, option); !words.empty()) {
        cases += fmt::format("    {}) {}; return ;;\n", quoted_for_shell(at), offer(words));
      } else {
        others.push_back(at);
      }
    }
  }
  cases += fmt::format("    {}) {}; return ;;\n", either(paths), files);
  return cases + fmt::format("    {}) return ;;\n", either(others));  // anything: nothing to offer
}

}  // namespace

std::string bash_completion(const CommandText& program, const Vocabulary& vocabulary) {
  const std::vector<CommandPlace> places = places_of(program);
  const auto offer = [](const std::vector<std::string>& words) {
    return fmt::format("_coterie_offer {}",
                       quoted_for_shell(fmt::format("{}", fmt::join(words, " "))));
  };
  std::string script =
      "# Completes coterie in bash: source <(coterie completion bash)\n"
      "_coterie_offer() {\n"
      "  COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
      "  # A word that goes on gets no space.\n"
      "  [[ ${COMPREPLY-} != *: ]] || compopt -o nospace 2>/dev/null\n"
      "}\n"
      "# Folders end in a slash, and spaces in names are quoted.\n"
      "_coterie_files() {\n"
      "  mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
      "  compopt -o filenames 2>/dev/null\n"
      "}\n"
      "_coterie() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  COMPREPLY=()\n" +
      find_path(places, "COMP_WORDS", "1", "COMP_CWORD") +
      "  if ((after > 0)); then\n"
      "    if ((after == COMP_CWORD)); then COMPREPLY=($(compgen -c -- \"$cur\"))\n"
      "    else _coterie_files; fi\n"
      "    return\n"
      "  fi\n"
      "  # Bash parts words at these; what follows is in no list.\n"
      "  [[ $cur != [:=] && $prev != [:=] ]] || return\n"
      "  case \"$at $prev\" in\n";
  script += value_cases(places, vocabulary, offer, "_coterie_files");
  script += "  esac\n  case \"$at\" in\n";
  for (const CommandPlace& place : places) {
    const auto words = words_at(place, vocabulary);
    script += fmt::format("    {})\n", quoted_for_shell(place.path));
    if (!words.empty())
      script += fmt::format("      [[ $cur == -* ]] || {{ {}; return; }}\n", offer(words));
    script += fmt::format("      {} ;;\n", offer(options_at(place)));
  }
  return script + "  esac\n}\ncomplete -F _coterie coterie\n";
}

std::string zsh_completion(const CommandText& program, const Vocabulary& vocabulary) {
  const std::vector<CommandPlace> places = places_of(program);
  const auto offer = [](const std::vector<std::string>& words) {
    std::vector<std::string> whole;
    std::vector<std::string> open;
    for (const std::string& word : words)
      (word.ends_with(':') ? open : whole).push_back(quoted_for_shell(word));
    return (whole.empty() ? "" : fmt::format("compadd -- {}", fmt::join(whole, " "))) +
           (open.empty() ? ""
                         : fmt::format("{}compadd -S '' -- {}", whole.empty() ? "" : "; ",
                                       fmt::join(open, " ")));
  };
  // With its help beside it.
  const auto described = [](std::string name, std::string_view help) {
    for (std::size_t at = 0; (at = name.find(':', at)) != std::string::npos; at += 2)
      name.insert(at, "\\");
    return quoted_for_shell(fmt::format("{}:{}", name, help));
  };
  std::string script =
      "#compdef coterie\n"
      "# Completes coterie in zsh: source <(coterie completion zsh), or as _coterie in a folder of "
      "$fpath\n"
      "_coterie() {\n"
      "  local -a offered\n"
      "  local prev=${words[CURRENT - 1]}\n" +
      find_path(places, "words", "2", "CURRENT") +
      "  if ((after > 0)); then\n"
      "    if ((after == CURRENT)); then _command_names -e; else _files; fi\n"
      "    return\n"
      "  fi\n"
      "  case \"$at $prev\" in\n";
  script += value_cases(places, vocabulary, offer, "_files");
  script += "  esac\n  case \"$at\" in\n";
  for (const CommandPlace& place : places) {
    script +=
        fmt::format("    {})\n      if [[ ${{words[CURRENT]}} == -* ]]; then\n        offered=(",
                    quoted_for_shell(place.path));
    for (const OptionText& option : place.command->options) {
      if (!option.is_place) script += described(option.name, option.help) + ' ';
    }
    script += ")\n      else\n        offered=(";
    for (const CommandText& inside : place.command->commands)
      script += described(inside.name, inside.summary) + ' ';
    script += ")\n";
    std::vector<std::string> words;
    for (const OptionText& option : place.command->options) {
      if (!option.is_place) continue;
      for (std::string& word : vocabulary(place.path, option)) words.push_back(std::move(word));
    }
    if (!words.empty()) script += "        " + offer(words) + "\n";
    script += "      fi\n      _describe coterie offered ;;\n";
  }
  return script +
         "  esac\n"
         "}\n"
         "if [[ ${funcstack[1]} == _coterie ]]; then _coterie; else compdef _coterie coterie; fi\n";
}

std::string fish_completion(const CommandText& program, const Vocabulary& vocabulary) {
  const std::vector<CommandPlace> places = places_of(program);
  std::string script =
      "# Completes coterie in fish: coterie completion fish | source\n"
      "# The command that is named so far is the argument; after -- it is another program's.\n"
      "function __coterie_at\n"
      "  set -l path coterie\n"
      "  for word in (commandline -opc)[2..]\n"
      "    switch \"$path $word\"\n";
  for (const CommandPlace& place : places) {
    if (&place == &places.front()) continue;
    script += fmt::format("      case {0}\n        set path {0}\n", quoted_for_shell(place.path));
  }
  script +=
      "      case '* --'\n"
      "        set path command\n"
      "        break\n"
      "    end\n"
      "  end\n"
      "  test \"$path\" = \"$argv\"\n"
      "end\n"
      "complete -c coterie -f\n"
      "complete -c coterie -n '__coterie_at command' -F -a '(__fish_complete_command)'\n";
  for (const CommandPlace& place : places) {
    const std::string at = fmt::format("complete -c coterie -n \"__coterie_at '{}'\"", place.path);
    for (const CommandText& inside : place.command->commands)
      script += fmt::format("{} -a {} -d {}\n", at, inside.name, quoted_for_shell(inside.summary));
    for (const OptionText& option : place.command->options) {
      const auto words = vocabulary(place.path, option);
      const std::string list =
          words.empty() ? "" : " -a " + quoted_for_shell(fmt::format("{}", fmt::join(words, " ")));
      if (option.is_place) {
        if (!list.empty()) script += at + list + '\n';
        continue;
      }
      const std::string kind = option.value.empty() ? "" : is_path(option) ? " -r -F" : " -x";
      script += fmt::format("{} -l {}{}{} -d {}\n", at, option.name.substr(2), kind, list,
                            quoted_for_shell(option.help));
    }
  }
  return script;
}

}  // namespace coterie::cli
