#include "net/journal.h"

#include <algorithm>

#include "base/assert.h"

namespace coterie::net {

namespace {

constexpr std::size_t kPartSize = 128 * kPage;

std::size_t whole_pages(std::size_t record) {
  return (kBlockHead + record + kPage - 1) / kPage * kPage;
}

// The first page: what part it is, its first record, its size.
Bytes head_page(std::uint64_t part, StoreId store, std::uint64_t first, std::size_t size) {
  const Bytes content = packed(std::uint64_t{size});
  Bytes page = preamble();
  page += bytes_of({Block::Sort::journal_head, store, part, first, content});
  page.resize(kPage, '\0');
  return page;
}

Bytes pages_of(StoreId store, std::uint64_t sequence, std::uint64_t durable,
               std::string_view record) {
  Bytes pages = bytes_of({Block::Sort::record, store, sequence, durable, record});
  pages.resize(whole_pages(record.size()), '\0');
  return pages;
}

std::string record_at(std::uint64_t sequence, std::size_t at) {
  return "record " + std::to_string(sequence) + ", at byte " + std::to_string(at) + ", ";
}

// What stands after the last record in order may be torn, but must not show that there were more.
std::optional<Fault> fault_of_rest(const std::string& name, std::string_view file,
                                   Journal::Content& content) {
  const std::string_view rest = file.substr(content.end);
  const bool is_zero =
      rest.empty() || (rest.front() == '\0' && rest.substr(1) == rest.substr(0, rest.size() - 1));
  content.has_rest = !is_zero;
  if (!content.has_rest) return std::nullopt;
  for (std::size_t at = content.end; at < file.size(); at += kPage) {
    const auto block = block_in(file.substr(at));
    if (!block) continue;
    const bool is_ours = block->sort == Block::Sort::record && block->store == content.store;
    if (is_ours && block->number > content.next() && block->extra < content.next()) continue;
    if (is_ours && block->number > content.next())
      return damage_of(name, record_at(content.next(), content.end) + "is damaged: record " +
                                 std::to_string(block->number) + " says that it was on disk");
    return damage_of(name, record_at(content.next(), content.end) + "is damaged: at byte " +
                               std::to_string(at) + " stands what was written elsewhere");
  }
  return std::nullopt;
}

}  // namespace

std::string Journal::name_of(std::uint64_t part) {
  return std::string(kName) + std::to_string(part);
}

std::optional<Fault> Journal::read(std::uint64_t part, std::string_view file, Content& content) {
  const std::string name = name_of(part);
  if (auto fault = fault_of_preamble(name, file)) return fault;
  const auto head = block_in(file.substr(kPreambleSize));
  if (!head || head->sort != Block::Sort::journal_head || head->number != part || head->extra == 0)
    return damage_of(name, "its head, at byte " + std::to_string(kPreambleSize) + ", is damaged");
  if (head->content != packed(std::uint64_t{file.size()}) || file.size() % kPage != 0)
    return damage_of(name, "it has " + std::to_string(file.size()) +
                               " bytes, and not as many as it was made with");
  content = {head->store, head->extra, {}, kPage, head->extra - 1, false};
  while (content.end < file.size()) {
    const auto block = block_in(file.substr(content.end));
    if (!block || block->sort != Block::Sort::record || block->store != content.store ||
        block->number != content.next())
      break;
    if (block->extra >= block->number || block->extra < content.durable)
      return damage_of(name, record_at(block->number, content.end) + "contradicts those before it");
    content.durable = block->extra;
    content.records.emplace_back(block->content);
    content.end += whole_pages(block->content.size());
  }
  content.end = std::min(content.end, file.size());
  return fault_of_rest(name, file, content);
}

std::optional<Fault> Journal::make(const std::string& folder, std::uint64_t part, StoreId store,
                                   std::uint64_t first, std::size_t record, Journal& made) {
  const std::size_t size = std::max(kPartSize, kPage + whole_pages(record));
  Bytes content = head_page(part, store, first, size);
  content.resize(size, '\0');
  made = Journal();
  if (auto fault = make_file(folder, name_of(part), content, made.file_)) return fault;
  made.part_ = part;
  made.store_ = store;
  made.next_ = first;
  made.end_ = kPage;
  made.size_ = size;
  return std::nullopt;
}

std::optional<Fault> Journal::open(const std::string& folder, std::uint64_t part, Journal& opened,
                                   Content& content) {
  const std::string name = name_of(part);
  Bytes bytes;
  opened = Journal();
  if (auto fault = read_file(folder, name, opened.file_, bytes)) return fault;
  if (auto fault = read(part, bytes, content)) return fault;
  opened.part_ = part;
  opened.store_ = content.store;
  opened.next_ = content.next();
  opened.end_ = content.end;
  opened.size_ = bytes.size();
  opened.has_rest_ = content.has_rest;
  return std::nullopt;
}

bool Journal::has_room_for(std::size_t record) const { return end_ + whole_pages(record) <= size_; }

std::optional<Fault> Journal::write(std::string_view record, std::uint64_t durable) {
  COTERIE_ASSERT(has_room_for(record.size()));
  const Bytes pages = pages_of(store_, next_, durable, record);
  is_safe_ = false;
  if (!file_.write(pages, end_)) return fault_of_system(name_of(part_), "cannot be written");
  end_ += pages.size();
  ++next_;
  return std::nullopt;
}

std::optional<Fault> Journal::settle() {
  const Bytes zeros(has_rest_ ? size_ - end_ : 0, '\0');
  if (!file_.write(zeros, end_)) return fault_of_system(name_of(part_), "cannot be written");
  has_rest_ = false;
  is_safe_ = false;
  return sync();
}

std::optional<Fault> Journal::sync() {
  if (is_safe_) return std::nullopt;
  if (!file_.sync()) return fault_of_system(name_of(part_), "cannot be written to disk");
  is_safe_ = true;
  return std::nullopt;
}

Bytes Journal::file_of(std::uint64_t part, StoreId store, std::uint64_t first,
                       const std::vector<Bytes>& records) {
  Bytes body;
  for (std::uint64_t i = 0; i < records.size(); ++i)
    body += pages_of(store, first + i, first + i - 1, records[i]);
  const std::size_t size = std::max(kPartSize, kPage + body.size());
  Bytes file = head_page(part, store, first, size) + body;
  file.resize(size, '\0');
  return file;
}

}  // namespace coterie::net
