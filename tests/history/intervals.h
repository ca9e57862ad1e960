// What the judge decides by comparing intervals, without a search: see judge.h. Each function is given the calls of one
// name, and answers with what is wrong, or with an empty text.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"

namespace coterie::history {

// Where entries are counted (semaphore, band, room for several groups): no two have the same token, but in a room those of
// one group; and a token exceeds those of all that had gone when its client asked. In a room a client joins its group by the token of
// an entry that is there. A member may have that entry for a client that left it and heard nothing: until `grace` after
// the end of that client's call.
std::string fault_of_tokens(const std::vector<const Call*>& calls, Time grace);

// A band whose floor is armed for certain: a participant leaves in good order only at a moment when `min` others may be
// inside. A crashed participant may be inside until `grace` after its last belief.
std::string fault_of_floor(const std::vector<const Call*>& calls, Time grace);

// A hold whose loss was told is not renewed after that, and a hold that was over is not said to be released.
std::string fault_of_loss(const std::vector<const Call*>& calls);

}  // namespace coterie::history
