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

}  // namespace coterie::net
