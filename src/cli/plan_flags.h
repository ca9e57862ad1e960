// The options of a plan on a command line: declared from their list, and read back into a plan.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "base/plan_option.h"
#include "cli/command_line.h"
#include "cli/input.h"

namespace coterie::cli {

// REQUIRES: it stays where it is from add_to() on.
template <class Plan>
class PlanFlags {
 public:
  explicit PlanFlags(std::span<const PlanOption<Plan>> options)
      : options_(options), given_(options.size()) {}

  void add_to(const Command& command) {
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const PlanOption<Plan>& option = options_[i];
      const std::string name = "--" + std::string(option.name);
      const std::string meaning(option.meaning);
      const std::string value(option.value);
      if (value.empty()) {
        command.flag(name, given_[i].flag, meaning);
      } else if (option.repeats) {
        command.option(name, given_[i].texts, meaning).value(value);
      } else {
        command.option(name, given_[i].text, meaning).value(value);
      }
    }
  }

  // Sets what was given.
  void read_into(Plan& plan) const {
    for (std::size_t i = 0; i < options_.size(); ++i) {
      std::vector<std::string> texts = given_[i].texts;
      if (given_[i].flag || !given_[i].text.empty()) texts.push_back(given_[i].text);
      for (const std::string& text : texts) {
        const std::string wrong = options_[i].set(plan, text);
        if (!wrong.empty()) throw Failure(fmt::format("--{}: {}", options_[i].name, wrong));
      }
    }
  }

 private:
  struct Given {
    bool flag = false;
    std::string text;
    std::vector<std::string> texts;  // if it repeats
  };

  std::span<const PlanOption<Plan>> options_;
  std::vector<Given> given_;
};

}  // namespace coterie::cli
