// What every picture shares: colours, and text that may hold anything.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace coterie::cli {

// Distinguishable also by those who do not see all colours (Okabe and Ito's palette, without yellow).
inline constexpr std::array<std::string_view, 7> kPalette = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"};

// As text or as the value of an attribute of SVG or HTML.
std::string escaped(std::string_view text);

// What it measures on paper in pixels, roughly: fonts differ.
double width_of(std::string_view text, double font_size);

// A drawing as a file of its own. Text and axes have the colour of their surroundings, and the paper is
// of class "paper", so that a page that takes the drawing in can show it light on dark.
std::string svg_file(std::string_view title, double width, double height, std::string_view body);

}  // namespace coterie::cli
