// What goes wrong again and again is worth a line only now and then.
#pragma once

#include <string>
#include <unordered_map>

#include "member/time.h"

namespace coterie::net {

class Complaints {
 public:
  // Whether to say it: it is new, or was said a minute ago.
  bool is_due(const std::string& text, member::Instant now) {
    constexpr std::size_t kMost = 1'000;  // whoever makes them up
    if (said_.size() >= kMost) said_.clear();
    const auto [place, is_new] = said_.try_emplace(text, now);
    if (!is_new && now < place->second + member::Duration::seconds(60)) return false;
    place->second = now;
    return true;
  }

 private:
  std::unordered_map<std::string, member::Instant> said_;  // when
};

}  // namespace coterie::net
