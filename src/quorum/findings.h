// Short forms for what a search found out about a property.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "coterie/properties.h"

namespace coterie::quorum {

inline Finding holds() {
  return {.holds = Verdict::yes, .how = How::search, .witness = {}, .why = {}};
}
inline Finding fails(std::vector<NodeSet> witness, std::string why) {
  return {.holds = Verdict::no,
          .how = How::search,
          .witness = std::move(witness),
          .why = std::move(why)};
}
inline Finding undecided(std::string why) {
  return {.holds = Verdict::not_decided, .how = How::none, .witness = {}, .why = std::move(why)};
}

}  // namespace coterie::quorum
