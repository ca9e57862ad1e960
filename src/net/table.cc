#include "net/table.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

namespace coterie::net {

namespace {

constexpr std::size_t kBlockContent = 64 * 1'024;       // about
constexpr std::size_t kSyncEvery = 16 * kBlockContent;  // so that no wait for the disk is long
constexpr mode_t kTableMode = 0600;

}  // namespace

Fault TableReader::damage(const std::string& what) const {
  return damage_of(kTableName, "at byte " + std::to_string(at_) + " " + what);
}

std::optional<Fault> TableReader::open(const std::string& folder, TableReader& opened) {
  File file;
  std::size_t size = 0;
  if (auto fault = open_file(folder, kTableName, file, size)) return fault;
  return open(std::move(file), size, opened);
}

std::optional<Fault> TableReader::open(File file, std::size_t size, TableReader& opened) {
  opened = TableReader();
  opened.file_ = std::move(file);
  opened.size_ = size;
  Bytes start(std::min(size, kPreambleSize), '\0');
  const auto count = opened.file_.read(start.data(), start.size(), 0);
  if (!count) return fault_of_system(kTableName, "cannot be read");
  start.resize(*count);
  if (auto fault = fault_of_preamble(kTableName, start)) return fault;
  opened.at_ = kPreambleSize;
  if (auto fault = opened.read_block()) return fault;
  const auto head = block_in(opened.block_);
  if (head->sort != Block::Sort::table_head || head->number != 0)
    return opened.damage("there is no head");
  opened.store_ = head->store;
  opened.base_ = head->extra;
  opened.at_ += opened.block_.size();
  opened.done_ = opened.block_.size();
  return opened.next();
}

std::optional<Fault> TableReader::read_block() {
  block_.resize(std::min(kBlockHead, size_ - at_));
  auto count = file_.read(block_.data(), block_.size(), at_);
  if (!count) return fault_of_system(kTableName, "cannot be read");
  if (*count < kBlockHead) return damage("the file is cut off");
  const std::uint64_t claimed = claimed_size(block_);
  if (claimed > size_ - at_) return damage("a block is damaged, or the file is cut off");
  block_.resize(claimed);
  count = file_.read(block_.data(), block_.size(), at_);
  if (!count) return fault_of_system(kTableName, "cannot be read");
  if (*count < claimed || !block_in(block_)) return damage("a block is damaged");
  return std::nullopt;
}

std::optional<Fault> TableReader::read_end(const Block& end) {
  if (end.content != packed(entries_)) return damage("the end is that of another table");
  at_ += block_.size();
  if (at_ != size_) return damage("the table ends, but not the file");
  at_end_ = true;
  return std::nullopt;
}

std::optional<Fault> TableReader::next() {
  if (done_ == block_.size()) {
    if (auto fault = read_block()) return fault;
    const Block block = *block_in(block_);
    const bool is_next =
        block.store == store_ && block.extra == base_ && block.number == number_ + 1;
    if (!is_next) return damage("stands a block that was written elsewhere");
    ++number_;
    if (block.sort == Block::Sort::table_end) return read_end(block);
    if (block.sort != Block::Sort::entries || block.content.empty())
      return damage("stands a block that was written elsewhere");
    at_ += block_.size();
    done_ = kBlockHead;
  }
  Reader reader(std::string_view(block_).substr(done_));
  std::string key;
  unpack(reader, key);
  unpack(reader, value_);
  if (!reader.good() || (entries_ > 0 && key <= key_))
    return damage("ends a block with an entry that cannot be");
  key_ = std::move(key);
  done_ = block_.size() - reader.left();
  ++entries_;
  return std::nullopt;
}

std::optional<Fault> TableWriter::make(const std::string& folder, const std::string& name,
                                       StoreId store, std::uint64_t base, TableWriter& made) {
  made = TableWriter();
  made.name_ = name;
  made.store_ = store;
  made.base_ = base;
  made.file_ = File(
      ::open((folder + '/' + name).c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kTableMode));
  if (!made.file_.is_open()) return fault_of_system(name, "cannot be made");
  return made.write(preamble() + bytes_of({Block::Sort::table_head, store, 0, base}));
}

std::optional<Fault> TableWriter::write(const Bytes& bytes) {
  if (!file_.write(bytes, at_)) return fault_of_system(name_, "cannot be written");
  at_ += bytes.size();
  if (at_ - synced_ < kSyncEvery) return std::nullopt;
  synced_ = at_;
  if (!file_.sync()) return fault_of_system(name_, "cannot be written to disk");
  return std::nullopt;
}

std::optional<Fault> TableWriter::write_block() {
  const Bytes bytes = bytes_of({Block::Sort::entries, store_, ++number_, base_, block_.bytes()});
  block_.clear();
  return write(bytes);
}

std::optional<Fault> TableWriter::add(const std::string& key, const Bytes& value) {
  pack(block_, key);
  pack(block_, value);
  ++entries_;
  return block_.bytes().size() < kBlockContent ? std::nullopt : write_block();
}

std::optional<Fault> TableWriter::finish() {
  if (!block_.bytes().empty()) {
    if (auto fault = write_block()) return fault;
  }
  const Bytes content = packed(entries_);
  if (auto fault = write(bytes_of({Block::Sort::table_end, store_, ++number_, base_, content})))
    return fault;
  if (!file_.sync()) return fault_of_system(name_, "cannot be written to disk");
  return std::nullopt;
}

std::optional<Fault> Merge::begin(TableReader table, const Values& values) {
  table_ = std::move(table);
  values_ = &values;
  later_ = values.begin();
  return skip_empty();
}

std::optional<Fault> Merge::step() {
  if (!is_later()) return table_.next();
  const bool is_replaced = !table_.at_end() && table_.key() == later_->first;
  ++later_;
  return is_replaced ? table_.next() : std::nullopt;
}

std::optional<Fault> Merge::skip_empty() {
  while (!at_end() && value().empty()) {
    if (auto fault = step()) return fault;
  }
  return std::nullopt;
}

std::optional<Fault> Merge::next() {
  if (auto fault = step()) return fault;
  return skip_empty();
}

}  // namespace coterie::net
