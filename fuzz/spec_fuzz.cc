// Quorum systems as people write them: one that is taken reads the same when it is written again.
#include <string>

#include "base/assert.h"
#include "coterie/spec.h"
#include "fuzz.h"

COTERIE_FUZZ(spec) {
  const auto system = coterie::quorum::parse(bytes);
  if (!system) {
    static_cast<void>(coterie::quorum::explain(system.error(), bytes));
    return;
  }
  const auto again = coterie::quorum::parse(system->spec());
  COTERIE_ASSERT(again.has_value());
  COTERIE_ASSERT(again->spec() == system->spec());
}
