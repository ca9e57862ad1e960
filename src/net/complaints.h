// What a member logs of those who do what they should not, so seldom that nobody can fill a disk, or hide a line, by doing it
// often: of each kind a few lines at once and then one a second, and the same line once a minute. What is left out is
// counted, and the count is logged.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/time.h"

namespace coterie::net {

// Each has its own share of lines, so that one who floods with handshakes does not hide that a member is refused.
enum class Complaint : std::uint8_t {
  handshake,    // of TLS
  bytes,        // that are no message, or that nobody reads
  hello,        // before it is known who speaks
  member,       // a member that is known by its name
  call,         // of a client
  connections,  // too many
  sessions,     // that ended by themselves, and what was lost with them
  store,        // a disk that is nearly full, or a table that cannot be written
  kCount
};

class Complaints {
 public:
  struct Verdict {
    bool is_due = false;
    std::uint64_t left_out = 0;  // of its kind, since one was said
  };
  // Whether to say it now.
  Verdict judge(Complaint kind, const std::string& text, api::Instant now) {
    Kind& known = kinds_[static_cast<std::size_t>(kind)];
    const std::string key = key_of(kind, text);
    if (was_said(key, now) || !has_share(known, now)) {
      if (known.left_out++ == 0) known.counts_since = now;
      return {};
    }
    constexpr std::size_t kMost = 1'000;  // whoever makes them up
    if (said_.size() >= kMost) said_.clear();
    said_[key] = now;
    Verdict verdict{.is_due = true, .left_out = known.left_out};
    known.left_out = 0;
    return verdict;
  }
  struct LeftOut {
    Complaint kind;
    std::uint64_t times;
  };
  // What was left out, and no line has told for a minute.
  std::vector<LeftOut> overdue(api::Instant now) {
    std::vector<LeftOut> found;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (kinds_[i].left_out == 0 || now < kinds_[i].counts_since + kAgain) continue;
      found.push_back({static_cast<Complaint>(i), kinds_[i].left_out});
      kinds_[i].left_out = 0;
    }
    return found;
  }

 private:
  static constexpr api::Duration kAgain = api::Duration::seconds(60);
  static constexpr api::Duration kEach = api::Duration::seconds(1);
  static constexpr std::int64_t kAtOnce = 10;
  struct Kind {
    api::Instant used_up{};  // all lines until then
    std::uint64_t left_out = 0;
    api::Instant counts_since{};
  };

  bool has_share(Kind& kind, api::Instant now) {
    const api::Instant next = std::max(kind.used_up, now) + kEach;
    if (now + kEach * kAtOnce < next) return false;
    kind.used_up = next;
    return true;
  }
  static std::string key_of(Complaint kind, const std::string& text) {
    constexpr std::size_t kLongest = 200;  // bytes: what differs later is taken for the same
    return std::to_string(static_cast<int>(kind)) + ' ' + text.substr(0, kLongest);
  }
  bool was_said(const std::string& key, api::Instant now) const {
    const auto place = said_.find(key);
    return place != said_.end() && now < place->second + kAgain;
  }

  std::array<Kind, static_cast<std::size_t>(Complaint::kCount)> kinds_{};
  std::unordered_map<std::string, api::Instant> said_;  // when
};

}  // namespace coterie::net
