#include "base/pack.h"

namespace coterie {

void Writer::long_number(std::uint64_t value) {
  if (value < kMore * kMore && used_ + 2 <= room_.size()) {  // the next most frequent
    room_[used_++] = static_cast<char>(value | kMore);
    room_[used_++] = static_cast<char>(value >> kBits);
    return;
  }
  if (room_.size() - used_ < kMaxNumber) room_.resize(2 * room_.size() + kMaxNumber);
  char* at = room_.data() + used_;
  while (value >= kMore) {
    *at++ = static_cast<char>(value | kMore);
    value >>= kBits;
  }
  *at++ = static_cast<char>(value);
  used_ = static_cast<std::size_t>(at - room_.data());
}

std::uint64_t Reader::long_number(std::uint64_t max) {
  if (rest_.size() >= 2) {  // two bytes are the next most frequent
    const auto low = static_cast<unsigned char>(rest_[0]);
    const auto high = static_cast<unsigned char>(rest_[1]);
    const std::uint64_t both = (low & 0x7FU) | (std::uint64_t{high} << 7U);
    if (low >= 0x80 && high < 0x80 && both <= max) {
      rest_.remove_prefix(2);
      return both;
    }
  }
  std::uint64_t value = 0;
  std::size_t taken = 0;
  for (unsigned shift = 0; shift < 64 && taken < rest_.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_[taken++]);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte >= 0x80) continue;
    if (value > max) break;
    rest_.remove_prefix(taken);
    return value;
  }
  good_ = false;
  return 0;
}
namespace {

constexpr std::size_t kMaxUniverse = std::size_t{1} << 24U;
constexpr unsigned kByteBits = 8;

}  // namespace

void pack(Writer& to, const NodeSet& set) {
  to.number(set.universe());
  for (NodeId first = 0; first < set.universe(); first += kByteBits) {
    const std::size_t count = std::min<std::size_t>(kByteBits, set.universe() - first);
    const auto bits = static_cast<char>(set.bits(first, count));
    to.raw({&bits, 1});
  }
}

void unpack(Reader& from, NodeSet& set) {
  const std::size_t universe = from.number(kMaxUniverse);
  const std::string_view bytes = from.raw((universe + kByteBits - 1) / kByteBits);
  if (!from.good()) return;
  set = NodeSet(universe);
  for (std::size_t index = 0; index < bytes.size() * kByteBits; ++index) {
    const auto byte = static_cast<unsigned char>(bytes[index / kByteBits]);
    if (((byte >> (index % kByteBits)) & 1U) == 0) continue;
    if (index >= universe) return from.fail();
    set.insert(static_cast<NodeId>(index));
  }
}

}  // namespace coterie
