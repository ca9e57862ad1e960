// Names and paths come from outside and may hold anything: characters that move the cursor, turn the
// direction of a line (U+202E), or hide; and bytes that are no text at all. They must not reach a
// terminal as they are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace coterie::quorum {

struct Character {
  std::size_t bytes = 1;
  bool is_visible = true;
};
// The first of a text in UTF-8. A byte that begins none is one of its own. REQUIRES: text is not empty.
Character first_character(std::string_view text);

// Whether all of it is UTF-8.
bool is_text(std::string_view bytes);

// The text with what is not visible written out: \x1b, \u202e. Ends of lines stay.
std::string visible(std::string_view text);

// The same on one line of at most `most` bytes and a word on how much was cut off.
std::string visible_line(std::string_view text, std::size_t most);

}  // namespace coterie::quorum
