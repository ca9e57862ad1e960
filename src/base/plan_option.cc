#include "base/plan_option.h"

#include <algorithm>

namespace coterie {

std::string quoted(const std::string& word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  });
  if (is_plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? R"('\'')" : std::string(1, c);
  return text + "'";
}

}  // namespace coterie
