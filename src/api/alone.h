// How the group of one who is alone is shown to people.
#pragma once

#include <string_view>

namespace coterie::api {

inline constexpr std::string_view kShownAlone = "(alone)";

}  // namespace coterie::api
