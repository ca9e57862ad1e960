// What is written on the outside of a message: what a driver may know of it without reading it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <variant>

#include "base/pack.h"
#include "protocol/types.h"

namespace coterie::protocol {

struct Label {
  std::uint32_t type = 0;      // one of the algorithm's; describe_message has its name
  std::uint32_t requests = 1;  // how many requests it names: the papers count bits by these
  bool for_arbiter = false;    // the part that answers others handles it
};

// How many stamps there are in a value. A type that names requests in another way says how many.
template <class T>
std::uint32_t requests_in(const T& value) {
  if constexpr (std::same_as<T, Stamp>) {
    return 1;
  } else if constexpr (requires { value.requests(); }) {
    return value.requests();
  } else if constexpr (Listed<T>) {
    return requests_in(value.fields());
  } else if constexpr (packing::is_optional<T>) {
    return value ? requests_in(*value) : 0;
  } else if constexpr (packing::Tuple<T>) {
    return std::apply([](const auto&... part) { return (0U + ... + requests_in(part)); }, value);
  } else if constexpr (std::ranges::range<const T>) {
    std::uint32_t count = 0;
    for (const auto& item : value) count += requests_in(item);
    return count;
  } else {
    return 0;
  }
}

namespace labels {

template <class Content, class... Contents>
constexpr std::uint32_t index_in(const std::variant<Contents...>* /*type*/) {
  constexpr std::array<bool, sizeof...(Contents)> kIsIt{std::is_same_v<Content, Contents>...};
  std::uint32_t index = 0;
  while (!kIsIt[index]) ++index;
  return index;
}

}  // namespace labels

// Which alternative of a variant a type is.
template <class Message, class Content>
inline constexpr std::uint32_t kIndexIn =
    labels::index_in<Content>(static_cast<const Message*>(nullptr));

// The label of a message; of one that carries another algorithm's, that one's.
template <class Message, class Content>
Label label_of(const Content& content) {
  constexpr std::uint32_t kIndex = kIndexIn<Message, Content>;
  if constexpr (requires { content.label; }) {
    const Label& inner = content.label;
    constexpr auto kTypes = static_cast<std::uint32_t>(std::variant_size_v<Message>);
    return {(inner.type + 1) * kTypes + kIndex, inner.requests, inner.for_arbiter};
  } else {
    return {kIndex, std::max(requests_in(content), 1U), false};
  }
}

}  // namespace coterie::protocol
