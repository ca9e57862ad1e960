// What command lines may give, checked where CLI11 would let it pass.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>

namespace coterie::cli {

// Digits that fit into 64 bits; CLI11 takes -1 for the largest number.
inline CLI::Validator whole_number() {
  return {[](const std::string& text) {
            std::uint64_t value = 0;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            const bool is_whole = error == std::errc{} && end == text.data() + text.size();
            return is_whole ? std::string() : "must be a whole number, not '" + text + "'";
          },
          ""};
}

}  // namespace coterie::cli
