// Values as bytes and back, derived from their fields. The bytes of equal values are equal, so they serve
// as keys; a Reader trusts nothing, so they may come from a network.
//
// Numbers are written seven bits at a time, low bits first; the length before what has one.
#pragma once

#include <array>
#include <boost/container/container_fwd.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/fields.h"
#include "coterie/node_set.h"

namespace coterie {

using Bytes = std::string;

// A logical time: a type of its own, so that it is not taken for another number.
enum class Time : std::uint64_t {};

class Writer {
 public:
  void number(std::uint64_t value) {
    if (value < kMore && used_ < room_.size()) {  // nearly all numbers have one byte
      room_[used_++] = static_cast<char>(value);
    } else {
      long_number(value);
    }
  }
  void raw(std::string_view bytes) {
    if (room_.size() - used_ < bytes.size()) room_.resize(2 * room_.size() + bytes.size());
    bytes.copy(room_.data() + used_, bytes.size());
    used_ += bytes.size();
  }

  std::string_view bytes() const { return {room_.data(), used_}; }
  Bytes take() {
    room_.resize(std::exchange(used_, 0));
    return std::exchange(room_, {});
  }
  void clear() { used_ = 0; }

 private:
  void long_number(std::uint64_t value);

  static constexpr unsigned kBits = 7;
  static constexpr std::uint64_t kMore = 1U << kBits;
  static constexpr std::size_t kMaxNumber = 10;  // bytes of 64 bits, seven at a time
  Bytes room_;                                   // of which so much is used:
  std::size_t used_ = 0;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  // False once anything was read that cannot be; what was read since means nothing.
  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }
  void fail() { good_ = false; }
  std::size_t left() const { return rest_.size(); }

  std::uint64_t number(std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) {
    if (!rest_.empty()) {  // nearly all numbers have one byte
      const auto byte = static_cast<unsigned char>(rest_.front());
      if (byte < 0x80 && byte <= max) {
        rest_.remove_prefix(1);
        return byte;
      }
    }
    return long_number(max);
  }
  std::string_view raw(std::size_t count) {
    if (count > rest_.size()) {
      good_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

 private:
  std::uint64_t long_number(std::uint64_t max);

  std::string_view rest_;
  bool good_ = true;
};

// Declared before they are defined, since values nest.
template <class T>
void pack(Writer& to, const T& value);
template <class T>
void unpack(Reader& from, T& value);

void pack(Writer& to, const NodeSet& set);
void unpack(Reader& from, NodeSet& set);

namespace packing {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
concept Tuple = requires {
  std::tuple_size<T>::value;
}
&&!std::ranges::range<T>;
template <class T>
concept Map = std::ranges::range<T> && requires {
  typename T::mapped_type;
};
template <class T>
concept Set = std::ranges::range<T> && requires {
  typename T::key_type;
} && !Map<T>;

template <class V, std::size_t... I>
void unpack_variant(Reader& from, V& value, std::size_t index, std::index_sequence<I...>) {
  ((I == index ? unpack(from, value.template emplace<I>()) : void()), ...);
}

// Reads the items of a flat set or map: written in order, they need not be put in one by one.
template <class T>
void unpack_flat(Reader& from, T& value) {
  auto items = value.extract_sequence();
  items.clear();
  items.resize(from.number(from.left()));
  bool is_ordered = true;
  for (auto item = items.begin(); item != items.end() && from.good(); ++item) {
    if constexpr (Map<T>) {
      unpack(from, item->first);
      unpack(from, item->second);
    } else {
      unpack(from, *item);
    }
    if (item != items.begin()) is_ordered &= value.value_comp()(*(item - 1), *item);
  }
  if (is_ordered && from.good()) {
    value.adopt_sequence(boost::container::ordered_unique_range, std::move(items));
  } else {
    value.adopt_sequence(std::move(items));
  }
}

// How many items follow: no more than there are bytes. Makes room for them.
template <class T>
std::size_t count(Reader& from, T& value) {
  const std::size_t items = from.number(from.left());
  if constexpr (requires { value.reserve(items); }) value.reserve(items);
  return items;
}

}  // namespace packing

template <class T>
void pack(Writer& to, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    to.number(static_cast<std::uint64_t>(value));
  } else if constexpr (std::unsigned_integral<T>) {
    to.number(value);
  } else if constexpr (std::same_as<T, Bytes>) {
    to.number(value.size());
    to.raw(value);
  } else if constexpr (requires { value.save(to); }) {
    value.save(to);
  } else if constexpr (Listed<T>) {
    pack(to, value.fields());
  } else if constexpr (packing::is_optional<T>) {
    to.number(value.has_value() ? 1 : 0);
    if (value) pack(to, *value);
  } else if constexpr (packing::is_variant<T>) {
    to.number(value.index());
    std::visit([&](const auto& alternative) { pack(to, alternative); }, value);
  } else if constexpr (packing::Tuple<T>) {
    std::apply([&](const auto&... part) { (pack(to, part), ...); }, value);
  } else {
    static_assert(std::ranges::sized_range<const T>, "this type cannot be packed: list its fields");
    to.number(std::ranges::size(value));
    for (const auto& item : value) pack(to, item);
  }
}

template <class T>
void unpack(Reader& from, T& value) {
  if constexpr (std::same_as<T, bool>) {
    value = from.number(1) != 0;
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(from.number(std::numeric_limits<std::underlying_type_t<T>>::max()));
  } else if constexpr (std::unsigned_integral<T>) {
    value = static_cast<T>(from.number(std::numeric_limits<T>::max()));
  } else if constexpr (std::same_as<T, Bytes>) {
    value = from.raw(from.number());
  } else if constexpr (requires { value.load(from); }) {
    value.load(from);
  } else if constexpr (Listed<T>) {
    auto fields = value.fields();
    unpack(from, fields);
  } else if constexpr (packing::is_optional<T>) {
    value.reset();
    if (from.number(1) != 0) unpack(from, value.emplace());
  } else if constexpr (packing::is_variant<T>) {
    constexpr std::size_t kCount = std::variant_size_v<T>;
    packing::unpack_variant(from, value, from.number(kCount - 1),
                            std::make_index_sequence<kCount>());
  } else if constexpr (packing::Tuple<T>) {
    std::apply([&](auto&... part) { (unpack(from, part), ...); }, value);
  } else if constexpr (requires { value.extract_sequence(); }) {
    packing::unpack_flat(from, value);
  } else if constexpr (packing::Map<T>) {
    value.clear();
    for (std::size_t left = packing::count(from, value); left > 0 && from.good(); --left) {
      std::pair<typename T::key_type, typename T::mapped_type> item;
      unpack(from, item);
      value.insert(value.end(), std::move(item));  // they come in order
    }
  } else if constexpr (packing::Set<T>) {
    value.clear();
    for (std::size_t left = packing::count(from, value); left > 0 && from.good(); --left) {
      typename T::value_type item{};
      unpack(from, item);
      value.insert(value.end(), std::move(item));
    }
  } else if constexpr (requires { value.clear(); }) {
    value.clear();
    for (std::size_t left = packing::count(from, value); left > 0 && from.good(); --left) {
      unpack(from, value.emplace_back());
    }
  } else {
    if (from.number() != std::ranges::size(value)) return from.fail();
    for (auto& item : value) unpack(from, item);
  }
}

template <class T>
Bytes packed(const T& value) {
  Writer writer;
  pack(writer, value);
  return writer.take();
}

}  // namespace coterie
