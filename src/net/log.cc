#include "net/log.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace coterie::net {

std::shared_ptr<spdlog::logger> make_log(const std::string& name, const std::string& level) {
  auto log =
      std::make_shared<spdlog::logger>(name, std::make_shared<spdlog::sinks::stderr_sink_st>());
  log->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  log->set_level(spdlog::level::from_str(level));
  log->flush_on(spdlog::level::info);
  return log;
}

void hush_libraries() { google::protobuf::SetLogHandler(nullptr); }

}  // namespace coterie::net
