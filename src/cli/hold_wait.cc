#include "cli/hold_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <future>

#include "cli/input.h"
#include "cli/terminal.h"
#include "quorum/visible.h"

namespace coterie::cli {

namespace {

std::string line_of(const Status& status, const std::string& label) {
  const auto own = std::find_if(status.waiters.begin(), status.waiters.end(),
                                [&](const auto& waiter) { return waiter.client == label; });
  if (own == status.waiters.end()) return fmt::format("waiting for {}", status.name);
  return fmt::format("waiting for {}, {} of {}: {}", status.name, own - status.waiters.begin() + 1,
                     status.waiters.size(), own->why);
}

void show_line(StatusLine& line, Client& client, const HoldOptions& options, HoldEvents& events) {
  const bool is_wanted = line.is_wanted() && !events.own_standard_error();
  if (!is_wanted && !events.are_wanted()) return;
  if (client.member().empty()) {
    if (is_wanted) line.show(fmt::format("waiting for {}: no member answers", options.name));
    return;
  }
  const auto status = client.status(options.name);
  if (!status) return;
  events.waiting(*status, client.label());
  if (is_wanted) line.show(quorum::visible(line_of(*status, client.label())));
}

// What stops the command, not what it is told besides.
bool is_end(const std::optional<Signals::Signal>& signal) {
  return signal && signal->number != SIGCHLD && signal->number != SIGUSR1 &&
         signal->number != SIGUSR2;
}

}  // namespace

void say(const HoldEvents& events, const std::string& text) {
  if (!events.own_standard_error()) fmt::print(stderr, "coterie: {}\n", quorum::visible(text));
}

void start_waiting(Client& client, Request request, const std::shared_ptr<News>& news) {
  client.start(std::move(request),
               [news](Outcome<Hold> outcome) { news->put(news->outcome, std::move(outcome)); });
}

std::variant<Outcome<void>, Interrupted> wait_for(
    Signals& signals, const std::function<Outcome<void>(const std::stop_token&)>& work,
    const std::function<void()>& tell) {
  const Bell bell;
  std::stop_source enough;
  auto outcome = std::async(std::launch::async, [&] {
    Outcome<void> done = work(enough.get_token());
    bell.ring();
    return done;
  });
  while (true) {
    const auto signal = signals.wait(bell, kRefresh);
    if (outcome.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
      return outcome.get();
    if (!is_end(signal)) {
      tell();
      continue;
    }
    enough.request_stop();
    outcome.wait();
    return Interrupted{signal->number};
  }
}

std::variant<Hold, Interrupted> wait_in_line(Client& client, const HoldOptions& options,
                                             Request request, Signals& signals,
                                             const std::shared_ptr<News>& news,
                                             HoldEvents& events) {
  StatusLine line;
  start_waiting(client, std::move(request), news);
  while (true) {
    const auto signal = signals.wait(news->bell, kRefresh);
    if (auto outcome = news->take(news->outcome)) {
      if (*outcome) return **std::move(outcome);
      const Refusal& refusal = outcome->error();
      throw Failure(fmt::format("{}: {}", options.name, refusal.text),
                    exit_code_of(refusal.reason));
    }
    if (is_end(signal)) return Interrupted{signal->number};
    show_line(line, client, options, events);
  }
}

}  // namespace coterie::cli
