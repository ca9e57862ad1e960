// A member's configuration file.
#include <string>

#include "base/assert.h"
#include "fuzz.h"
#include "net/settings.h"

COTERIE_FUZZ(settings) {
  const auto settings = coterie::net::parse_settings(bytes);
  if (!settings) {
    COTERIE_ASSERT(!settings.error().message.empty());
    return;
  }
  COTERIE_ASSERT(!settings->cluster().empty());
  static_cast<void>(coterie::net::exposure(*settings));
}
