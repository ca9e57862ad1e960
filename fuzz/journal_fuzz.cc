// What a disk gives back of a journal: what is no record is none, and what was written as one comes back, in its place.
#include <algorithm>
#include <vector>

#include "base/assert.h"
#include "fuzz.h"
#include "net/journal.h"
#include "net/mark.h"

COTERIE_FUZZ(journal) {
  using coterie::Bytes;
  using coterie::net::Journal;
  constexpr std::uint64_t kPart = 3;
  constexpr std::uint64_t kFirst = 7;
  Journal::Content content;
  if (!Journal::read(kPart, bytes, content)) {
    const Bytes file = Journal::file_of(kPart, content.store, content.first, content.records);
    Journal::Content again;
    COTERIE_ASSERT(!Journal::read(kPart, file, again));
    COTERIE_ASSERT(again.records == content.records);
  }
  coterie::net::Mark::Content mark;
  static_cast<void>(coterie::net::Mark::read(bytes, mark));

  const std::vector<Bytes> records{"before", Bytes(bytes), "after"};
  Bytes file = Journal::file_of(kPart, 1, kFirst, records);
  COTERIE_ASSERT(!Journal::read(kPart, file, content));
  COTERIE_ASSERT(content.records == records);
  COTERIE_ASSERT(Journal::read(kPart + 1, file, content));
  // Whatever stands in its place instead: the record after it says that it was on disk.
  constexpr std::size_t kRecord = 2 * coterie::net::kPage;
  const std::size_t size = std::min(bytes.size(), coterie::net::kPage);
  file.replace(kRecord, size, bytes.substr(0, size));
  const bool is_record = coterie::net::block_in(std::string_view(file).substr(kRecord)).has_value();
  COTERIE_ASSERT(is_record || Journal::read(kPart, file, content));
}
