// What people call a message's type.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "protocol/process.h"

namespace coterie::protocol {

// REQUEST(stamp 1.p0) is a REQUEST. REQUIRES: the process understands it.
inline std::string message_name(const Process& process, std::string_view message) {
  std::string text = process.describe_message(message);
  text.resize(std::min(text.find_first_of("( "), text.size()));
  return text;
}

}  // namespace coterie::protocol
