#include "cli/svg.h"

#include <fmt/format.h>

#include <algorithm>

namespace coterie::cli {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        // A name from a file may hold anything; XML allows no control characters but these.
        const bool is_control = static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t';
        out += is_control ? ' ' : c;
    }
  }
  return out;
}

double width_of(std::string_view text, double font_size) {
  constexpr double kLetter = 0.6;  // of the font's size, on average
  // A character of several bytes counts once.
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  });
  return static_cast<double>(letters) * font_size * kLetter;
}

std::string svg_file(std::string_view title, double width, double height, std::string_view body) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' "
      "height='{1:.0f}' role='img' aria-label='{2}' font-size='13' fill='currentColor' "
      "font-family='system-ui, \"DejaVu Sans\", Arial, sans-serif'>\n"
      "<rect class='paper' width='{0:.0f}' height='{1:.0f}' fill='#ffffff'/>\n{3}</svg>\n",
      width, height, escaped(title), body);
}

}  // namespace coterie::cli
