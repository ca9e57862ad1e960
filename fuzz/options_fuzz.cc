// Texts in the options of `coterie sim` and `coterie check`; which one, the first byte says.
#include <string>

#include "base/assert.h"
#include "check/plan.h"
#include "check/plan_options.h"
#include "fuzz.h"
#include "protocol/catalogue.h"
#include "sim/distribution.h"
#include "sim/plan.h"
#include "sim/sites.h"

COTERIE_FUZZ(options) {
  if (bytes.empty()) return;
  const std::string_view text = bytes.substr(1);
  switch (bytes.front()) {
    case 'd': {
      const auto distribution = coterie::sim::parse_distribution(text);
      if (!distribution) return;
      COTERIE_ASSERT(coterie::sim::parse_distribution(distribution->text()).has_value());
      return;
    }
    case 'v':
      return static_cast<void>(coterie::sim::parse_values(text));
    case 's':
      return static_cast<void>(coterie::sim::parse_sites(text, 5));
    case 'w':
      return static_cast<void>(coterie::sim::parse_sweep(text));
    case 'p':
      return static_cast<void>(coterie::check::parse_plan(text));
    case 'r':
      return static_cast<void>(coterie::check::parse_properties(text));
    case 'c':
      return static_cast<void>(coterie::protocol::parse_choice(text));
    default:
      return;
  }
}
