// Checks in one line, for tests.
#pragma once

#include <string>

#include "check/explore.h"
#include "check/plan.h"
#include "check/suite.h"

namespace coterie::check {

// REQUIRES: the text is a command line of `coterie check` without its first two words, and legal
Config config_of(const std::string& text);

struct How {
  unsigned threads = 1;
  bool reduce = false;
  std::vector<Property> properties = {};  // those that the version claims if empty
};
Outcome search(const std::string& text, const How& how = {});

// The same by the simplest means: states as strings in a set, processes copied as objects, nothing
// remembered. Counts only.
Counts slow_search(const Config& config);

}  // namespace coterie::check
