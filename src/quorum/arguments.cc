#include "quorum/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "coterie/constructions.h"

namespace coterie::quorum {

Arguments::Arguments(const SystemText& text, std::string_view form,
                     std::span<const std::string_view> keys)
    : text_(text), form_(form) {
  for (const ParameterText& parameter : text.parameters) {
    if (std::find(keys.begin(), keys.end(), parameter.key) == keys.end()) {
      fail(
          error_at(parameter.key_at, fmt::format("{} has no parameter '{}'; it takes {}", text.name,
                                                 parameter.key, fmt::join(keys, ", "))));
    } else if (find(parameter.key) != &parameter) {
      fail(error_at(parameter.key_at, fmt::format("'{}' is given twice", parameter.key)));
    }
  }
}

std::size_t Arguments::number(std::string_view key) {
  const ParameterText* parameter = require(key);
  if (parameter == nullptr) return 1;
  const Result<std::size_t> value = read_number(parameter->value, parameter->value_at);
  if (value) return *value;
  fail(value.error());
  return 1;
}

std::size_t Arguments::number_or(std::string_view key, std::size_t otherwise) {
  return has(key) ? number(key) : otherwise;
}

std::vector<std::size_t> Arguments::list(std::string_view key) {
  const ParameterText* parameter = require(key);
  if (parameter == nullptr) return {1};
  Result<std::vector<std::size_t>> value =
      read_list(parameter->value, parameter->value_at, kMaxMembers);
  if (value) return std::move(*value);
  fail(value.error());
  return {1};
}

bool Arguments::yes_or_no(std::string_view key, bool otherwise) {
  const ParameterText* parameter = find(key);
  if (parameter == nullptr) return otherwise;
  const Result<bool> value = read_yes_or_no(parameter->value, parameter->value_at);
  if (value) return *value;
  fail(value.error());
  return otherwise;
}

void Arguments::refuse(std::string_view key, std::string message) {
  const ParameterText* parameter = find(key);
  if (parameter != nullptr) fail(error_at(parameter->key_at, std::move(message)));
}

const ParameterText* Arguments::find(std::string_view key) const {
  const auto found = std::find_if(text_.parameters.begin(), text_.parameters.end(),
                                  [&](const ParameterText& p) { return p.key == key; });
  return found == text_.parameters.end() ? nullptr : &*found;
}

const ParameterText* Arguments::require(std::string_view key) {
  const ParameterText* parameter = find(key);
  if (parameter == nullptr) {
    fail(error_at(text_.end,
                  fmt::format("{} needs {}: write {}:{}", text_.name, key, text_.name, form_)));
  }
  return parameter;
}

void Arguments::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

namespace {

// Where in the text of a list the item is that has this place after 3x17 was written out.
std::size_t offset_of_item(std::string_view list, std::size_t item) {
  std::size_t at = 0;
  while (true) {
    const std::string_view text = list.substr(at, list.find('/', at) - at);
    const std::size_t times = text.find('x');
    std::size_t count = 1;
    if (times != std::string_view::npos) {
      std::from_chars(text.data() + times + 1, text.data() + text.size(), count);
    }
    if (item < count || at + text.size() >= list.size()) return at;
    item -= count;
    at += text.size() + 1;
  }
}

}  // namespace

Error Arguments::placed(Error error) const {
  const ParameterText* parameter = find(error.parameter);
  if (parameter == nullptr && !text_.parameters.empty()) parameter = &text_.parameters.front();
  error.position = parameter == nullptr ? text_.at : parameter->value_at;
  if (parameter != nullptr && error.item)
    *error.position += offset_of_item(parameter->value, *error.item);
  return error;
}

}  // namespace coterie::quorum
