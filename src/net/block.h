// How bytes stand in the files of a store: after a preamble, blocks, each with a checksum over all of it and with what tells
// it from every other block: of which store, which sort, which number. A block that is damaged, out of its place, or of
// another store is none. docs/storage-format.md has the layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/pack.h"
#include "net/disk.h"

namespace coterie::net {

using StoreId = std::uint64_t;  // drawn when the files of a folder are made

// The beginning of each file, in every format there will be: a file of another format is known by it.
inline constexpr std::size_t kPreambleSize = 16;
Bytes preamble();
// Of the file of that name; what follows is as this program writes it, if there is none.
std::optional<Fault> fault_of_preamble(const std::string& name, std::string_view file);

struct Block {
  enum class Sort : std::uint32_t {
    journal_head = 1,
    record,
    mark,
    table_head,
    entries,
    table_end,
  };
  Sort sort{};
  StoreId store = 0;
  std::uint64_t number = 0;
  std::uint64_t extra = 0;  // each sort has its own
  std::string_view content = {};
};

inline constexpr std::size_t kBlockHead = 48;
Bytes bytes_of(const Block& block);
inline std::size_t size_of(const Block& block) { return kBlockHead + block.content.size(); }
// That stands at the beginning of these bytes, whole; its content is there.
std::optional<Block> block_in(std::string_view bytes);
// How long the block would be whose first bytes these are. REQUIRES: there are kBlockHead of them.
std::uint64_t claimed_size(std::string_view head);

}  // namespace coterie::net
