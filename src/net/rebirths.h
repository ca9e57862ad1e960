// When a member may begin another life after it was told that its life is outdated (Member::outdated). Two processes that run as one
// member outdate each other: without a pause that grows they would do so all the time, and write an incarnation to the disk each time.
// A life that lasted shows that nobody else runs, and the next pause is short again.
#pragma once

#include <algorithm>
#include <cstdint>

#include "api/time.h"

namespace coterie::net {

class Rebirths {
 public:
  static constexpr api::Duration kFirstPause = api::Duration::milliseconds(200);
  static constexpr unsigned kMostDoublings = 8;
  static constexpr api::Duration kLongestPause = kFirstPause * (std::int64_t{1} << kMostDoublings);
  // Longer than the other of two processes pauses, so that their quarrel does not look like calm.
  static constexpr api::Duration kCalm = kLongestPause * 2;

  // How long to wait before the next life, after one that began at `born` and is over now.
  api::Duration pause_after(api::Instant born, api::Instant now) {
    if (born + kCalm <= now) times_ = 0;
    const unsigned before = times_++;
    if (before == 0) return {};
    return kFirstPause * (std::int64_t{1} << std::min(before - 1, kMostDoublings));
  }

 private:
  unsigned times_ = 0;  // since a life lasted
};

}  // namespace coterie::net
