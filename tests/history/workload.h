// The names that clients of a history use, and how: the same for every client, so that they mean the same by a name.
#pragma once

#include <array>
#include <cstdint>

#include "history/history.h"

namespace coterie::history {

struct Named {
  const char* name;
  Kind kind;
  std::uint32_t min;    // of a band
  std::uint32_t limit;  // of groups, or of entries
  int groups;           // of a room: so many to choose from; 0: readers and writers
  int leased;           // how often it is entered, beside others
  int lasting;          // how often it is held for an owner
  bool is_set;          // its limit changes
};

inline constexpr std::array<Named, 10> kWorkload = {{
    {"mutex", Kind::mutex, 0, 1, 0, 4, 0, false},
    {"mutex-mixed", Kind::mutex, 0, 1, 0, 3, 3, false},
    {"mutex-lasting", Kind::mutex, 0, 1, 0, 0, 4, false},
    {"semaphore", Kind::semaphore, 0, 2, 0, 3, 3, false},
    {"semaphore-set", Kind::semaphore, 0, 2, 0, 3, 1, true},
    {"room", Kind::room, 0, 1, 3, 3, 2, false},
    {"room-read-write", Kind::room, 0, 1, 0, 3, 1, false},
    {"rooms", Kind::room, 0, 2, 4, 3, 1, false},
    {"band", Kind::band, 2, 6, 0, 2, 2, false},
    {"band-lasting", Kind::band, 1, 5, 0, 0, 2, false},
}};

}  // namespace coterie::history
