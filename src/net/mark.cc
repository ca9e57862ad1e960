#include "net/mark.h"

#include "net/journal.h"

namespace coterie::net {

namespace {

constexpr std::size_t kMarks = 2;
constexpr std::size_t kMarkFileSize = (1 + kMarks) * kPage;

std::size_t place_of(std::uint64_t turn) { return (1 + turn % kMarks) * kPage; }

}  // namespace

std::optional<Fault> Mark::read(std::string_view file, Content& content) {
  if (auto fault = fault_of_preamble(kName, file)) return fault;
  if (file.size() != kMarkFileSize)
    return damage_of(kName, "it has " + std::to_string(file.size()) + " bytes, not " +
                                std::to_string(kMarkFileSize));
  bool is_found = false;
  for (std::uint64_t place = 0; place < kMarks; ++place) {
    const auto block = block_in(file.substr(place_of(place), kPage));
    const bool is_mark =
        block && block->sort == Block::Sort::mark && block->extra % kMarks == place;
    if (!is_mark || (is_found && block->extra < content.turn)) continue;
    if (is_found && block->store != content.store)
      return damage_of(kName, "its two places are of different stores");
    content = {block->store, block->number, block->extra};
    is_found = true;
  }
  if (!is_found) return damage_of(kName, "both of its places are damaged");
  return std::nullopt;
}

std::optional<Fault> Mark::make(const std::string& folder, StoreId store, Mark& made) {
  made.content_ = {store, 0, 0};
  Bytes bytes = preamble();
  for (std::uint64_t turn = 0; turn < kMarks; ++turn) {
    bytes.resize(place_of(turn), '\0');
    bytes += bytes_of({Block::Sort::mark, store, 0, turn});
    made.content_.turn = turn;
  }
  bytes.resize(kMarkFileSize, '\0');
  return make_file(folder, kName, bytes, made.file_);
}

std::optional<Fault> Mark::open(const std::string& folder, Mark& opened) {
  Bytes bytes;
  if (auto fault = read_file(folder, kName, opened.file_, bytes)) return fault;
  return read(bytes, opened.content_);
}

std::optional<Fault> Mark::write(std::uint64_t sequence) {
  if (sequence == content_.sequence) return std::nullopt;
  content_.sequence = sequence;
  ++content_.turn;
  const Bytes bytes = bytes_of({Block::Sort::mark, content_.store, sequence, content_.turn});
  if (!file_.write(bytes, place_of(content_.turn)))
    return fault_of_system(kName, "cannot be written");
  return std::nullopt;
}

std::optional<Fault> Mark::sync() const {
  if (!file_.sync()) return fault_of_system(kName, "cannot be written to disk");
  return std::nullopt;
}

}  // namespace coterie::net
