#include "protocol/catalogue.h"

#include <algorithm>

#include "protocol/entries.h"

namespace coterie::protocol {
namespace {

std::string listed(const auto& items) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += item.name;
  }
  return text.empty() ? "none" : text;
}

const auto* find_named(const auto& items, std::string_view name) {
  const auto place =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return place == items.end() ? nullptr : &*place;
}

// Takes what stands before the first of `marks`, outside brackets, off the front.
std::string_view take_until(std::string_view& text, std::string_view marks) {
  std::size_t depth = 0;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (depth == 0 && marks.find(text[at]) != std::string_view::npos) break;
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && depth > 0) --depth;
  }
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at);
  return taken;
}

Result<std::vector<std::string>> parse_parts(std::string_view text, std::size_t expected) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    parts.emplace_back(take_until(text, ";"));
    if (!text.empty()) text.remove_prefix(1);
    if (auto part = parse_choice(parts.back()); !part) return part.error();
  }
  if (parts.size() > expected) {
    return Error{"it is made of " + std::to_string(expected) + " algorithms, not of " +
                 std::to_string(parts.size())};
  }
  return parts;
}

}  // namespace

const std::vector<Entry>& catalogue() {
  static const std::vector<Entry> entries = {
      maekawa_entry(),     surrogate_entry(),       surrogate_k_entry(),   mutin_entry(),
      mutin_fused_entry(), complement_entry(),      gcs_entry(),           k_mutex_entry(),
      group_k_entry(),     maekawa_m_entry(),       toyomura_entry(),      joung_entry(),
      maekawa_s_entry(),   ricart_agrawala_entry(), suzuki_kasami_entry(), raymond_entry(),
      central_entry(),     shares_entry(),          census_entry(),
  };
  return entries;
}

Problem Choice::problem() const {
  return entry->problem_of == nullptr ? entry->problem : entry->problem_of(version);
}

Make Choice::make() const {
  if (version.mutant.empty()) return entry->make;
  return find_named(entry->mutants, version.mutant)->make;
}

std::string Choice::text() const {
  std::string text(entry->name);
  for (std::size_t index = 0; index < version.parts.size(); ++index) {
    text += (index == 0 ? "[" : ";") + version.parts[index];
  }
  if (!version.parts.empty()) text += ']';
  for (const std::string& variant : version.variants) text += '+' + variant;
  if (!version.mutant.empty()) text += '@' + version.mutant;
  return text;
}

Result<Choice> parse_choice(std::string_view text) {
  Choice choice;
  std::string_view rest = text;
  const std::string_view name = take_until(rest, "[+@");
  choice.entry = find_named(catalogue(), name);
  if (choice.entry == nullptr) {
    return Error{"there is no protocol \"" + std::string(name) +
                 "\"; there are: " + listed(catalogue())};
  }
  const std::string protocol(name);
  while (!rest.empty()) {
    const char mark = rest.front();
    if (mark == '[') {
      std::string_view whole = take_until(rest, "+@");
      if (!whole.ends_with(']'))
        return Error{"\"" + std::string(whole) + "\" has no closing bracket"};
      auto parts = parse_parts(whole.substr(1, whole.size() - 2), choice.entry->parts);
      if (!parts) return parts.error();
      choice.version.parts = *std::move(parts);
      continue;
    }
    rest.remove_prefix(1);
    const std::string item(take_until(rest, "+@"));
    if (mark == '+') {
      if (find_named(choice.entry->variants, item) == nullptr) {
        return Error{protocol + " has no variant \"" + item +
                     "\"; it has: " + listed(choice.entry->variants)};
      }
      if (!choice.version.has(item)) choice.version.variants.push_back(item);
    } else {
      if (find_named(choice.entry->mutants, item) == nullptr) {
        return Error{protocol + " has no mutant \"" + item +
                     "\"; it has: " + listed(choice.entry->mutants)};
      }
      if (!choice.version.mutant.empty())
        return Error{"one mutant at a time: \"" + std::string(text) + "\" has two"};
      choice.version.mutant = item;
    }
  }
  return choice;
}

}  // namespace coterie::protocol
