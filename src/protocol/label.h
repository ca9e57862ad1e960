// What is written on the outside of a message: what a driver may know of it without reading it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <tuple>

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

// One of Algorithm's messages; one that carries another algorithm's has that one's label.
template <class Algorithm>
Label label_of(const typename Algorithm::Message& message) {
  constexpr auto kTypes =
      static_cast<std::uint32_t>(std::variant_size_v<typename Algorithm::Message>);
  const auto index = static_cast<std::uint32_t>(message.index());
  return std::visit(
      [index]<class Content>(const Content& content) -> Label {
        if constexpr (requires { content.label; }) {
          const Label& inner = content.label;
          return {(inner.type + 1) * kTypes + index, inner.requests, inner.for_arbiter};
        } else {
          return {index, std::max(requests_in(content), 1U),
                  Algorithm::template kForArbiter<Content>};
        }
      },
      message);
}

}  // namespace coterie::protocol
