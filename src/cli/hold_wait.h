// Waiting in line for a name: who wants to know sees where it stands and why.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

#include "cli/hold_events.h"
#include "cli/hold_options.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "coterie/client.h"

namespace coterie::cli {

inline constexpr std::chrono::milliseconds kRefresh{1'000};  // of what is told to who waits

// What the client's thread leaves for this one.
struct News {
  Bell bell;
  std::mutex mutex;  // of the rest
  std::optional<Outcome<Hold>> outcome = {};
  std::optional<std::string> lost = {};
  std::optional<Outcome<void>> left = {};

  template <class Value>
  std::optional<Value> take(std::optional<Value>& value) {
    const std::scoped_lock lock(mutex);
    return std::exchange(value, std::nullopt);
  }
  template <class Value>
  void put(std::optional<Value>& place, Value value) {
    {
      const std::scoped_lock lock(mutex);
      place.emplace(std::move(value));
    }
    bell.ring();
  }
};

// Who is in the way, in words; empty if nobody is.
std::string obstacle(const Status& status);
// The same on a line of the terminal, after what is being done.
void show_obstacle(StatusLine& line, Client& client, const std::string& doing,
                   const std::string& name);

// Throws it as a Failure, with who was in the way, if one had to wait.
[[noreturn]] void fail(Client& client, const std::string& name, const Refusal& refusal);

// Its end is in the news.
void start_waiting(Client& client, Request request, const std::shared_ptr<News>& news);

struct Interrupted {
  int signal = 0;
};
// The hold, or the signal that ended the wait. Throws a Failure if it is refused.
std::variant<Hold, Interrupted> wait_in_line(Client& client, const HoldOptions& options,
                                             Request request, Signals& signals,
                                             const std::shared_ptr<News>& news, HoldEvents& events);

// Does what waits, on a thread of its own; a signal stops it, and ends the wait, and so does patience. Meanwhile something is
// told every second.
std::variant<Outcome<void>, Interrupted> wait_for(
    Signals& signals, const std::function<Outcome<void>(const std::stop_token&)>& work,
    const std::function<void()>& tell, const Patience& patience = Patience::forever());
// A line on standard error, where that is not for events.
void say(const HoldEvents& events, const std::string& text);

}  // namespace coterie::cli
