// Files of quorums, in JSON.
#include <string>

#include "coterie/spec.h"
#include "fuzz.h"

COTERIE_FUZZ(quorum_file) {
  const auto system = coterie::quorum::parse(
      "file:q", [&](const std::string& /*path*/) -> coterie::Result<std::string> {
        return {boost::system::in_place_value, bytes};
      });
  if (!system) static_cast<void>(coterie::quorum::explain(system.error(), "file:q"));
}
