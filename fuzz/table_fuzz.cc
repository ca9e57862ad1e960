// What a disk gives back of a table: entries in order, or that it is damaged.
#include <sys/mman.h>

#include <string>
#include <utility>

#include "base/assert.h"
#include "fuzz.h"
#include "net/table.h"

COTERIE_FUZZ(table) {
  using coterie::net::File;
  using coterie::net::TableReader;
  File file(::memfd_create("table", MFD_CLOEXEC));
  if (!file.is_open() || !file.write(bytes, 0)) return;
  TableReader reader;
  auto fault = TableReader::open(std::move(file), bytes.size(), reader);
  std::string last;
  while (!fault && !reader.at_end()) {
    COTERIE_ASSERT(last.empty() || last < reader.key());
    last = reader.key();
    fault = reader.next();
  }
}
