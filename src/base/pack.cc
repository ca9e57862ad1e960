#include "base/pack.h"

namespace coterie {
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
