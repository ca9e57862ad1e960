// Values survive packing; bytes that are no value are found out.
#include "base/pack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>
#include <map>
#include <set>
#include <vector>

#include "base/dump.h"

namespace coterie {
namespace {

enum class Colour : std::uint8_t { red, green, blue };

struct Leaf {
  Time time{};
  bool flag = false;
  COTERIE_FIELDS(time, flag)
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

// One of every kind of thing that can be packed.
struct Everything {
  bool flag = false;
  std::uint8_t small = 0;
  std::uint64_t large = 0;
  Time time{};
  Colour colour = Colour::red;
  Bytes bytes;
  Leaf leaf;
  std::optional<Leaf> maybe;
  std::variant<Leaf, std::uint32_t, Bytes> either;
  std::pair<std::uint32_t, Bytes> pair;
  std::tuple<Time, bool, Leaf> tuple;
  std::map<std::uint32_t, Leaf> map;
  boost::container::flat_map<std::uint32_t, Bytes> flat;
  std::set<std::uint32_t> set;
  std::vector<Leaf> vector;
  boost::container::small_vector<std::uint32_t, 2> few;
  std::array<std::uint16_t, 3> array{};
  NodeSet nodes;

  COTERIE_FIELDS(flag, small, large, time, colour, bytes, leaf, maybe, either, pair, tuple, map,
                 flat, set, vector, few, array, nodes)
  friend bool operator==(const Everything&, const Everything&) = default;
};

Time any_time() { return static_cast<Time>(*rc::gen::arbitrary<std::uint64_t>()); }
Leaf any_leaf() { return {any_time(), *rc::gen::arbitrary<bool>()}; }

Everything any_value() {
  Everything value;
  value.flag = *rc::gen::arbitrary<bool>();
  value.small = *rc::gen::arbitrary<std::uint8_t>();
  value.large = *rc::gen::arbitrary<std::uint64_t>();
  value.time = any_time();
  value.colour = *rc::gen::element(Colour::red, Colour::green, Colour::blue);
  value.bytes = *rc::gen::arbitrary<std::string>();
  value.leaf = any_leaf();
  if (*rc::gen::arbitrary<bool>()) value.maybe = any_leaf();
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      value.either = any_leaf();
      break;
    case 1:
      value.either = *rc::gen::arbitrary<std::uint32_t>();
      break;
    default:
      value.either = *rc::gen::arbitrary<std::string>();
  }
  value.pair = {*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::arbitrary<std::string>()};
  value.tuple = {any_time(), *rc::gen::arbitrary<bool>(), any_leaf()};
  for (const auto key : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) {
    value.map[key] = any_leaf();
    value.flat[key] = *rc::gen::arbitrary<std::string>();
    value.set.insert(key);
    value.vector.push_back(any_leaf());
    value.few.push_back(key);
  }
  for (auto& item : value.array) item = *rc::gen::arbitrary<std::uint16_t>();
  value.nodes = NodeSet(*rc::gen::inRange<std::size_t>(0, 200));
  for (NodeId node = 0; node < value.nodes.universe(); ++node) {
    if (*rc::gen::arbitrary<bool>()) value.nodes.insert(node);
  }
  return value;
}

RC_GTEST_PROP(Pack, WhatIsPackedComesBack, ()) {
  const Everything value = any_value();
  const Bytes bytes = packed(value);
  Reader reader(bytes);
  Everything back = any_value();  // whatever was there before
  unpack(reader, back);
  RC_ASSERT(reader.good());
  RC_ASSERT(reader.at_end());
  RC_ASSERT(back == value);
  RC_ASSERT(packed(back) == bytes);
}

RC_GTEST_PROP(Pack, CutBytesAreFoundOut, ()) {
  const Bytes bytes = packed(any_value());
  const Bytes cut = bytes.substr(0, *rc::gen::inRange<std::size_t>(0, bytes.size()));
  Reader reader(cut);
  Everything value;
  unpack(reader, value);
  RC_ASSERT(!reader.good());
}

RC_GTEST_PROP(Pack, ChangedBytesDoNoHarm, ()) {
  Bytes bytes = packed(any_value());
  for (const auto at : *rc::gen::arbitrary<std::vector<std::size_t>>()) {
    bytes[at % bytes.size()] = *rc::gen::arbitrary<char>();
  }
  Reader reader(bytes);
  Everything value;
  unpack(reader, value);
  if (reader.good()) RC_ASSERT(!dumped(value).empty());
}

RC_GTEST_PROP(Pack, AnyBytesDoNoHarm, ()) {
  const Bytes bytes = *rc::gen::arbitrary<std::string>();
  Reader reader(bytes);
  Everything value;
  unpack(reader, value);
  Reader again(bytes);
  std::vector<std::vector<Leaf>> nested;
  unpack(again, nested);
}

RC_GTEST_PROP(Pack, NumbersTakeAByteForSevenBits, (std::uint64_t number)) {
  Writer writer;
  writer.number(number);
  const auto bits = static_cast<std::size_t>(std::bit_width(number));
  RC_ASSERT(writer.bytes().size() == std::max<std::size_t>(1, (bits + 6) / 7));
}

TEST(Pack, NumbersOutOfRangeAreRefused) {
  const auto refuses = [](const Bytes& bytes, auto value) {
    Reader reader(bytes);
    unpack(reader, value);
    return !reader.good();
  };
  EXPECT_TRUE(refuses(packed(std::uint32_t{2}), false));
  EXPECT_TRUE(refuses(packed(std::uint32_t{256}), std::uint8_t{}));
  EXPECT_TRUE(refuses(packed(std::uint64_t{1} << 32U), std::uint32_t{}));
  EXPECT_TRUE(refuses(packed(std::uint32_t{3}), std::variant<bool, Time, Bytes>()));
  EXPECT_TRUE(refuses(packed(std::uint32_t{2}), std::array<std::uint32_t, 3>()));
  EXPECT_TRUE(refuses(Bytes(11, '\xff'), std::uint64_t{}));
  EXPECT_TRUE(refuses(Bytes("\x03\x08", 2), NodeSet())) << "member 3 of 3";
  EXPECT_TRUE(refuses(Bytes("\xff\xff\xff\xff\x0f", 5), std::vector<Leaf>()))
      << "longer than its bytes";
}

TEST(Dump, NamesTheFields) {
  Everything value;
  value.bytes = "abc";
  value.maybe = Leaf{Time{3}, true};
  value.set = {1, 4};
  value.nodes = NodeSet::of(5, {0, 3});
  EXPECT_EQ(
      dumped(value),
      "(flag no, small 0, large 0, time 0, colour 0, bytes 3 bytes, leaf (time 0, flag no), "
      "maybe (time 3, flag yes), either (time 0, flag no), pair 0 0 bytes, tuple 0 no (time 0, "
      "flag no), map [], flat [], set [1, 4], vector [], few [], array [0, 0, 0], nodes {0,3})");
}

}  // namespace
}  // namespace coterie
