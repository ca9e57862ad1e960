#include "net/block.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace coterie::net {

// Numbers stand in the files as they are in memory.
static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::string_view kMagic = "coterie\n";
constexpr std::uint32_t kFormat = 3;  // 1 was that of LMDB; 2 had no time in lasting holds

struct Preamble {
  char magic[8] = {};  // NOLINT(modernize-avoid-c-arrays): as in the file
  std::uint32_t format = 0;
  std::uint32_t checksum = 0;  // of what comes before it
};
static_assert(sizeof(Preamble) == kPreambleSize);

struct BlockHead {
  std::uint64_t checksum = 0;  // of all that follows
  std::uint32_t sort = 0;
  std::uint32_t unused = 0;
  std::uint64_t store = 0;
  std::uint64_t number = 0;
  std::uint64_t extra = 0;
  std::uint64_t size = 0;  // of what comes after the head
};
static_assert(sizeof(BlockHead) == kBlockHead);

std::uint32_t checksum_of(const Preamble& preamble) {
  return XXH32(&preamble, offsetof(Preamble, checksum), 0);
}

std::uint64_t checksum_of(std::string_view block) {
  const std::string_view rest = block.substr(sizeof(BlockHead::checksum));
  return XXH3_64bits(rest.data(), rest.size());
}

}  // namespace

Bytes preamble() {
  Preamble made;
  kMagic.copy(made.magic, sizeof made.magic);
  made.format = kFormat;
  made.checksum = checksum_of(made);
  Bytes bytes(sizeof made, '\0');
  std::memcpy(bytes.data(), &made, sizeof made);
  return bytes;
}

std::optional<Fault> fault_of_preamble(const std::string& name, std::string_view file) {
  Preamble read;
  if (file.size() < sizeof read) return damage_of(name, "it is cut off at its beginning");
  std::memcpy(&read, file.data(), sizeof read);
  if (!file.starts_with(kMagic) || read.checksum != checksum_of(read))
    return damage_of(name, "its beginning is damaged");
  if (read.format != kFormat)
    return Fault{Fault::Kind::refusal, name + " has storage format " + std::to_string(read.format) +
                                           "; this program reads and writes format " +
                                           std::to_string(kFormat)};
  return std::nullopt;
}

Bytes bytes_of(const Block& block) {
  BlockHead head{0,
                 static_cast<std::uint32_t>(block.sort),
                 0,
                 block.store,
                 block.number,
                 block.extra,
                 block.content.size()};
  Bytes bytes(size_of(block), '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  block.content.copy(bytes.data() + sizeof head, block.content.size());
  head.checksum = checksum_of(bytes);
  std::memcpy(bytes.data(), &head.checksum, sizeof head.checksum);
  return bytes;
}

std::optional<Block> block_in(std::string_view bytes) {
  BlockHead head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  const auto last = static_cast<std::uint32_t>(Block::Sort::table_end);
  if (head.sort == 0 || head.sort > last || head.size > bytes.size() - sizeof head)
    return std::nullopt;
  const std::string_view block = bytes.substr(0, sizeof head + head.size);
  if (checksum_of(block) != head.checksum) return std::nullopt;
  return Block{static_cast<Block::Sort>(head.sort), head.store, head.number, head.extra,
               block.substr(sizeof head)};
}

std::uint64_t claimed_size(std::string_view head) {
  BlockHead read;
  std::memcpy(&read, head.data(), sizeof read);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48U;  // so that no sum overflows
  return sizeof read + std::min(read.size, kMost);
}

}  // namespace coterie::net
