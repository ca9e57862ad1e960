// A member's log: lines on standard error.
#pragma once

#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace coterie::net {

// `level` is debug, info, warn, error or off.
std::shared_ptr<spdlog::logger> make_log(const std::string& name, const std::string& level);

// What libraries say of bytes that are no message does not go to standard error: who reads them says it. For programs that are
// ours; one that embeds a member decides itself.
void hush_libraries();

}  // namespace coterie::net
