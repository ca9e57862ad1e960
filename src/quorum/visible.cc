#include "quorum/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace coterie::quorum {
namespace {

struct CodePoints {
  std::uint32_t first;
  std::uint32_t last;
};

// Controls, what turns or breaks lines, what takes no place, and what is no character.
constexpr std::array<CodePoints, 13> kNotVisible = {{{0x00, 0x1f},
                                                     {0x7f, 0x9f},
                                                     {0xad, 0xad},
                                                     {0x61c, 0x61c},
                                                     {0x180e, 0x180e},
                                                     {0x200b, 0x200f},
                                                     {0x2028, 0x202e},
                                                     {0x2060, 0x206f},
                                                     {0xd800, 0xdfff},
                                                     {0xfeff, 0xfeff},
                                                     {0xfff0, 0xfffb},
                                                     {0xe0000, 0xe0fff},
                                                     {0x110000, 0xffffffff}}};

struct Decoded {
  std::size_t bytes;
  std::uint32_t code;
  bool is_text;
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const Decoded broken{.bytes = 1, .code = byte(0), .is_text = false};
  const auto length = static_cast<std::size_t>(std::countl_one(byte(0)));
  if (length == 0) return {.bytes = 1, .code = byte(0), .is_text = true};
  if (length == 1 || length > 4 || text.size() < length) return broken;
  std::uint32_t code = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return broken;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length]) return broken;  // written longer than it is
  return {.bytes = length, .code = code, .is_text = true};
}

bool is_visible(const Decoded& character) {
  return character.is_text &&
         std::none_of(kNotVisible.begin(), kNotVisible.end(), [&](const CodePoints& range) {
           return range.first <= character.code && character.code <= range.last;
         });
}

}  // namespace

Character first_character(std::string_view text) {
  const Decoded character = decode(text);
  return {.bytes = character.bytes, .is_visible = is_visible(character)};
}

bool is_text(std::string_view bytes) {
  constexpr std::uint32_t kLast = 0x10ffff;
  while (!bytes.empty()) {
    const Decoded character = decode(bytes);
    const bool is_surrogate = character.code >= 0xd800 && character.code <= 0xdfff;
    if (!character.is_text || is_surrogate || character.code > kLast) return false;
    bytes.remove_prefix(character.bytes);
  }
  return true;
}

namespace {

std::string escaped(const Decoded& character) {
  return character.code < 0x100 ? fmt::format("\\x{:02x}", character.code)
                                : fmt::format("\\u{:04x}", character.code);
}

}  // namespace

std::string visible(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Decoded character = decode(text);
    if (is_visible(character) || text.front() == '\n') {
      shown += text.substr(0, character.bytes);
    } else {
      shown += escaped(character);
    }
    text.remove_prefix(character.bytes);
  }
  return shown;
}

// It reads no more of a long text than it shows.
std::string visible_line(std::string_view text, std::size_t most) {
  std::string shown;
  while (!text.empty()) {
    const Decoded character = decode(text);
    const std::string next =
        is_visible(character) ? std::string(text.substr(0, character.bytes)) : escaped(character);
    if (shown.size() + next.size() > most)
      return fmt::format("{}... ({} more bytes)", shown, text.size());
    shown += next;
    text.remove_prefix(character.bytes);
  }
  return shown;
}

}  // namespace coterie::quorum
