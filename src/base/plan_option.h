// The options of a plan, each declared once: command lines are read, and the line that replays is written,
// by a list of these.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace coterie {

template <class Plan>
struct PlanOption {
  std::string_view name;   // system: written --system
  std::string_view value;  // what follows it, for help; empty: nothing does
  std::string_view meaning;
  // What is wrong with the text, if anything: "" if it will do.
  std::string (*set)(Plan& plan, std::string_view text);
  // The texts that set it as it is; none if that is how a plan begins.
  std::vector<std::string> (*get)(const Plan& plan);
  bool repeats = false;
};

// As one word for a shell: in single quotes if it would take something for its own.
std::string quoted(const std::string& word);

// The options as one writes them: --system majority:n=3 --requests 2.
template <class Plan>
std::string text_of_options(std::span<const PlanOption<Plan>> options, const Plan& plan) {
  std::string text;
  for (const PlanOption<Plan>& option : options) {
    for (const std::string& value : option.get(plan)) {
      text += " --" + std::string(option.name);
      if (!option.value.empty()) text += " " + quoted(value);
    }
  }
  return text;
}

// What `set` and `get` are made of.
using Texts = std::vector<std::string>;

template <class Number>
std::string set_number(Number& to, std::string_view text, std::uint32_t most = 1'000'000) {
  const auto value = number_in<std::uint32_t>(text);
  if (!value || *value > most) {
    return "must be a whole number up to " + std::to_string(most) + ", not '" + std::string(text) +
           "'";
  }
  to = *value;
  return {};
}

// At least 1: 0 would say the same as to leave the option out, and so pass where the option means nothing.
template <class Number>
std::string set_count(Number& to, std::string_view text) {
  if (number_in<std::uint32_t>(text) == 0U) return "must be at least 1";
  return set_number(to, text);
}

inline std::string set_text(std::string& to, std::string_view text) {
  if (text.empty()) return "must not be empty";
  to = text;
  return {};
}

template <class Number>
Texts number_if_set(const std::optional<Number>& number) {
  return number ? Texts{std::to_string(*number)} : Texts{};
}

inline Texts text_if_set(const std::string& text) { return text.empty() ? Texts{} : Texts{text}; }

}  // namespace coterie
