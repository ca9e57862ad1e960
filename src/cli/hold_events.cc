#include "cli/hold_events.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace coterie::cli {

using nlohmann::ordered_json;

namespace {

// 2026-01-31T12:00:00.123Z
std::string wall_time() {
  const auto now = std::chrono::system_clock::now();
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(now - second);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(second)), rest.count());
}

}  // namespace

HoldEvents::HoldEvents(std::string name, bool is_json, const std::string& path)
    : name_(std::move(name)) {
  if (!path.empty()) {
    opened_.reset(std::fopen(path.c_str(), "ae"));
    if (!opened_)
      throw Failure(fmt::format("--events: cannot write '{}': {}", path, std::strerror(errno)));
    file_ = opened_.get();
  } else if (is_json) {
    file_ = stderr;
  }
}

void HoldEvents::tell(const char* event, const ordered_json& more) {
  if (!are_wanted()) return;
  ordered_json json = {{"event", event}, {"at", wall_time()}, {"name", name_}};
  json.update(more);
  fmt::print(file_, "{}\n", json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  std::fflush(file_);
}

void HoldEvents::waiting(const Status& status, const std::string& label) {
  const auto own = std::find_if(status.waiters.begin(), status.waiters.end(),
                                [&](const auto& waiter) { return waiter.client == label; });
  if (own == status.waiters.end()) return;
  const auto place = own - status.waiters.begin() + 1;
  std::string now = fmt::format("{} {} {}", place, status.waiters.size(), own->why);
  if (std::exchange(last_, now) == now) return;
  tell("waiting", {{"place", place}, {"waiters", status.waiters.size()}, {"why", own->why}});
}

void HoldEvents::granted(const std::string& group, std::uint64_t token, const std::string& member) {
  tell("granted", {{"group", group}, {"token", token}, {"member", member}});
}

void HoldEvents::running(int process) { tell("running", {{"process", process}}); }

void HoldEvents::lost(const std::string& why, bool is_killed) {
  tell("lost", {{"why", why}, {"command", is_killed ? "ends" : "goes on"}});
}

void HoldEvents::leaving(const std::string& why) {
  if (std::exchange(last_, why) != why) tell("leaving", {{"why", why}});
}

void HoldEvents::left() { tell("left", ordered_json::object()); }

void HoldEvents::abandoned() { tell("abandoned", ordered_json::object()); }

void HoldEvents::ended(int exit_code, bool is_lost) {
  tell("ended", {{"exit_code", exit_code}, {"lost", is_lost}});
}

void HoldEvents::failed(const Failure& failure) {
  tell("failed", {{"why", failure.what()}, {"exit_code", failure.exit_code()}});
}

void HoldEvents::interrupted(int signal) { tell("interrupted", {{"signal", signal}}); }

}  // namespace coterie::cli
