#include "net/log.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <utility>

#include "quorum/visible.h"

namespace coterie::net {

namespace {

// Whatever a line says, it is one line of moderate length without control characters: parts of it come from hellos, from
// certificates, from other members. So no place that logs can forget it.
class VisibleText final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& to) override {
    constexpr std::size_t kLongest = 2'000;
    const std::string text =
        quorum::visible_line({message.payload.data(), message.payload.size()}, kLongest);
    to.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<VisibleText>();
  }
};

}  // namespace

std::shared_ptr<spdlog::logger> make_log(const std::string& name, const std::string& level) {
  auto log =
      std::make_shared<spdlog::logger>(name, std::make_shared<spdlog::sinks::stderr_sink_st>());
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<VisibleText>('*').set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %*");
  log->set_formatter(std::move(formatter));
  log->set_level(spdlog::level::from_str(level));
  log->flush_on(spdlog::level::info);
  return log;
}

void hush_libraries() { google::protobuf::SetLogHandler(nullptr); }

}  // namespace coterie::net
