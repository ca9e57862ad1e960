// What a store gives back: read as a record, it what is written of it is the same.
#include <string>

#include "base/assert.h"
#include "base/pack.h"
#include "fuzz.h"
#include "member/events.h"

COTERIE_FUZZ(store) {
  coterie::Reader reader(bytes);
  coterie::member::Durable durable;
  coterie::unpack(reader, durable);
  if (!reader.good() || !reader.at_end()) return;
  const coterie::Bytes written = coterie::packed(durable);
  coterie::member::Durable read;
  coterie::Reader reread(written);
  coterie::unpack(reread, read);
  COTERIE_ASSERT(reread.good());
  COTERIE_ASSERT(read.incarnation == durable.incarnation);
  COTERIE_ASSERT(read.ceiling == durable.ceiling);
}
