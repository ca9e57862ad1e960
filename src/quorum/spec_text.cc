#include "quorum/spec_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coterie::quorum {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Capitals and digits are in no name; they are read so that an error can show the whole word.
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_';
}

std::string describe(char c) {
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return "white space";
  if (c < ' ' || c > '~') return "a character that specs do not have";
  return fmt::format("'{}'", c);
}

class SpecReader {
 public:
  explicit SpecReader(std::string_view spec) : spec_(spec) {}

  Result<SystemText> read() {
    Result<SystemText> system = read_nested(0, false);
    if (system && !at_end()) return unexpected("the end");
    return system;
  }

 private:
  bool at_end() const { return at_ == spec_.size(); }
  bool sees(char c) const { return !at_end() && spec_[at_] == c; }
  bool take(char c) {
    if (!sees(c)) return false;
    ++at_;
    return true;
  }

  std::string_view take_word() {
    const std::size_t first = at_;
    while (!at_end() && is_word(spec_[at_])) ++at_;
    return spec_.substr(first, at_ - first);
  }

  std::string_view take_until(std::string_view stops) {
    const std::size_t first = at_;
    at_ = std::min(spec_.find_first_of(stops, first), spec_.size());
    return spec_.substr(first, at_ - first);
  }

  Error unexpected(std::string_view wanted) const {
    if (at_end()) return error_at(at_, fmt::format("the spec ends where {} should be", wanted));
    return error_at(at_, fmt::format("{} where {} should be", describe(spec_[at_]), wanted));
  }

  Result<SystemText> read_nested(std::size_t depth, bool in_list) {
    if (depth > kMaxNesting) {
      return error_at(at_, fmt::format("systems may stand inside each other {} deep", kMaxNesting));
    }
    SystemText system;
    system.at = at_;
    system.name = take_word();
    if (system.name.empty()) return unexpected("the name of a system");
    if (auto error = read_base(system, in_list)) return std::move(*error);
    system.end = at_;
    if (take('@')) {
      if (auto error = read_inner(system, depth + 1, in_list)) return std::move(*error);
    } else if (!at_end() && !(in_list && (sees(';') || sees(']')))) {
      return unexpected(in_list ? "':', ',', '@', ';' or ']'" : "':', ',', '@' or the end");
    }
    return system;
  }

  std::optional<Error> read_base(SystemText& system, bool in_list) {
    if (system.name == "file") {
      if (!take(':')) return unexpected("':' and a path");
      system.path_at = at_;
      system.path = take_until(in_list ? "@;]" : "@");
      if (system.path.empty()) return unexpected("a path");
      return std::nullopt;
    }
    if (!take(':')) return std::nullopt;
    do {
      ParameterText parameter;
      parameter.key_at = at_;
      parameter.key = take_word();
      if (parameter.key.empty()) return unexpected("a parameter, such as n=5,");
      if (!take('=')) return unexpected(fmt::format("'=' after '{}'", parameter.key));
      parameter.value_at = at_;
      parameter.value = take_until(",@;]");
      system.parameters.push_back(parameter);
    } while (take(','));
    return std::nullopt;
  }

  std::optional<Error> read_inner(SystemText& system, std::size_t depth, bool in_list) {
    system.inner_at = at_;
    system.is_list = take('[');
    do {
      Result<SystemText> inner = read_nested(depth, system.is_list || in_list);
      if (!inner) return inner.error();
      system.inner.push_back(std::move(*inner));
    } while (system.is_list && take(';'));
    if (!system.is_list || take(']')) return std::nullopt;
    return error_at(at_, fmt::format("the list that begins at offset {} is not closed by ']'",
                                     system.inner_at));
  }

  std::string_view spec_;
  std::size_t at_ = 0;
};

}  // namespace

Error error_at(std::size_t position, std::string message) {
  return {.message = std::move(message), .position = position};
}

Result<SystemText> read_system(std::string_view spec) {
  if (spec.empty()) return error_at(0, "the spec is empty; write one such as majority:n=5");
  if (spec.size() > kMaxSpecLength) {
    return error_at(kMaxSpecLength, fmt::format("the spec has {} characters; up to {} are read",
                                                spec.size(), kMaxSpecLength));
  }
  return SpecReader(spec).read();
}

Result<std::size_t> read_number(std::string_view text, std::size_t at) {
  if (text.empty()) return error_at(at, "a whole number is missing here");
  std::size_t number = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      return error_at(at + i, fmt::format("{} in a whole number", describe(text[i])));
    }
    number = 10 * number + static_cast<std::size_t>(text[i] - '0');
    if (number > kMaxNumber) {
      return error_at(at,
                      fmt::format("the number is too large; up to {} can be given", kMaxNumber));
    }
  }
  return number;
}

Result<std::vector<std::size_t>> read_list(std::string_view text, std::size_t at,
                                           std::size_t max_items) {
  std::vector<std::size_t> items;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t last = std::min(text.find('/', first), text.size());
    const std::string_view item = text.substr(first, last - first);
    const std::size_t cross = std::min(item.find('x'), item.size());
    const Result<std::size_t> number = read_number(item.substr(0, cross), at + first);
    if (!number) return number.error();
    std::size_t repeats = 1;
    if (cross < item.size()) {
      const std::size_t repeats_at = at + first + cross + 1;
      const Result<std::size_t> given = read_number(item.substr(cross + 1), repeats_at);
      if (!given) return given.error();
      if (*given == 0) return error_at(repeats_at, "a number is repeated at least once");
      repeats = *given;
    }
    if (repeats > max_items - items.size()) {
      return error_at(at + first, fmt::format("the list may have up to {} numbers", max_items));
    }
    items.insert(items.end(), repeats, *number);
    first = last + 1;
  }
  return items;
}

Result<bool> read_yes_or_no(std::string_view text, std::size_t at) {
  if (text == "yes") return true;
  if (text == "no") return false;
  return error_at(at, "yes or no should be here");
}

}  // namespace coterie::quorum
