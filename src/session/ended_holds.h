// The last holds of owners that a client knows to be over: what it asks for next, it asks for knowing that (api::Wish::seen).
// A call that does not know of an end is refused, looks, and asks again: so a forgotten end costs time, and nothing else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>

#include "api/ticket.h"

namespace coterie::session {

class EndedHolds {
 public:
  void add(const std::string& name, const std::string& owner, api::Number token) {
    std::erase_if(ends_, [&](const End& end) { return end.name == name && end.owner == owner; });
    if (ends_.size() == kMost) ends_.pop_back();
    ends_.push_front({name, owner, token});
  }
  api::Number token_of(const std::string& name, const std::string& owner) const {
    const auto found = std::find_if(ends_.begin(), ends_.end(), [&](const End& end) {
      return end.name == name && end.owner == owner;
    });
    return found == ends_.end() ? 0 : found->token;
  }

 private:
  static constexpr std::size_t kMost = 256;
  struct End {
    std::string name;
    std::string owner;
    api::Number token = 0;
  };
  std::deque<End> ends_;  // the last one first
};

}  // namespace coterie::session
