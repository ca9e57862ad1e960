#include "cli/hold_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "api/alone.h"
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
  const bool is_wanted = line.is_due() && !events.own_standard_error();
  if (!is_wanted && !events.are_wanted()) return;
  if (client.member().empty()) {
    if (is_wanted)
      line.say(quorum::visible(fmt::format("waiting for {}: no member answers", options.name)));
    return;
  }
  const auto status = client.status(options.name);
  if (!status) return;
  events.waiting(*status, client.label());
  if (is_wanted) line.say(quorum::visible(line_of(*status, client.label())));
}

// In a band by the names that they go by.
std::string list_of_holders(const Status& status) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> names;
  names.reserve(status.holders.size());
  for (const Status::Holder& holder : status.holders)
    names.push_back(status.kind == "band" ? holder.group : holder.client);
  const std::size_t more = names.size() - std::min(names.size(), kMost);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

std::string obstacle(const Status& status) {
  const std::size_t inside = status.holders.size();
  if (inside > 0 && status.kind == "mutex") return list_of_holders(status) + " holds it";
  if (inside > 0 && status.kind == "room" && status.holders.front().group == api::kShownAlone)
    return fmt::format("a writer is inside: {}", list_of_holders(status));
  if (inside > 0 && status.kind == "room")
    return fmt::format("group {} is inside: {}", status.holders.front().group,
                       list_of_holders(status));
  if (inside > 0) return fmt::format("{} inside: {}", inside, list_of_holders(status));
  if (!status.waiters.empty()) return fmt::format("{} before it in line", status.waiters.size());
  if (!status.dark.empty()) return fmt::format("no answer from {}", fmt::join(status.dark, ", "));
  return "";
}

void show_obstacle(StatusLine& line, Client& client, const std::string& doing,
                   const std::string& name) {
  if (!line.is_due()) return;
  const auto status = client.status(name);
  std::string why = status ? obstacle(*status) : "no member answers";
  if (why.empty()) why = "all members must agree";
  line.say(quorum::visible(fmt::format("{} {}: {}", doing, name, why)));
}

void fail(Client& client, const std::string& name, const Refusal& refusal) {
  std::string text = refusal.text;
  if (refusal.reason == Reason::would_wait || refusal.reason == Reason::timed_out) {
    const auto status = client.status(name);
    if (std::string who = status ? obstacle(*status) : ""; !who.empty()) {
      if (refusal.reason == Reason::would_wait) text = "it would have to wait";
      text += ": " + who;
    }
  }
  const std::string about = name.empty() ? "" : name + ": ";
  throw Failure(about + text, exit_code_of(refusal.reason));
}

void say(const HoldEvents& events, const std::string& text) {
  if (!events.own_standard_error()) fmt::print(stderr, "coterie: {}\n", quorum::visible(text));
}

void start_waiting(Client& client, Request request, const std::shared_ptr<News>& news) {
  client.start(std::move(request),
               [news](Outcome<Hold> outcome) { news->put(news->outcome, std::move(outcome)); });
}

std::variant<Outcome<void>, Interrupted> wait_for(
    Signals& signals, const std::function<Outcome<void>(const std::stop_token&)>& work,
    const std::function<void()>& tell, const Patience& patience) {
  const auto deadline = patience.end(Clock::now());
  bool is_late = false;
  News news;
  std::stop_source enough;
  const std::jthread worker([&] { news.put(news.left, work(enough.get_token())); });
  int end = 0;  // the signal that asked for it
  while (true) {
    auto next = kRefresh;
    if (deadline && !is_late)
      next = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()), {},
                        kRefresh);
    const auto signal = signals.wait(news.bell, next);
    if (auto outcome = news.take(news.left)) {
      // What was done before it could be stopped is done.
      if (end != 0 && !*outcome) return Interrupted{end};
      if (is_late && !*outcome) return Refusal{Reason::timed_out, "it was not so in time"};
      return *std::move(outcome);
    }
    is_late = is_late || (deadline && Clock::now() >= *deadline);
    if (signal && is_end(*signal)) end = signal->number;
    if (end != 0 || is_late) {
      enough.request_stop();
    } else {
      tell();
    }
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
      fail(client, options.name, outcome->error());
    }
    if (signal && is_end(*signal)) return Interrupted{signal->number};
    show_line(line, client, options, events);
  }
}

}  // namespace coterie::cli
