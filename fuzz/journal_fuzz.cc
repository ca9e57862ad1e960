// What a disk gives back of a journal: what is no record is none, and what was written as one comes back, in its round.
#include <vector>

#include "base/assert.h"
#include "fuzz.h"
#include "net/journal.h"

COTERIE_FUZZ(journal) {
  using coterie::Bytes;
  using coterie::net::Journal;
  constexpr std::uint64_t kRound = 3;
  Bytes file;
  for (const Bytes& record : Journal::records_in(bytes, kRound))
    file += Journal::pages_of(record, kRound);
  COTERIE_ASSERT(Journal::records_in(file, kRound) == Journal::records_in(bytes, kRound));
  if (bytes.empty()) return;
  const Bytes record(bytes);
  const Bytes pages = Journal::pages_of(record, kRound);
  COTERIE_ASSERT(Journal::records_in(pages, kRound) == std::vector{record});
  COTERIE_ASSERT(Journal::records_in(pages, kRound + 1).empty());
}
