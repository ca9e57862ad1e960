#include "cli/hold_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace coterie::cli {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kLong{60'000};  // for a wait that a signal or a bell ends

std::string text_of_count(const std::optional<std::uint64_t>& count) {
  return count ? std::to_string(*count) : std::string();
}

}  // namespace

HoldRun::HoldRun(const HoldOptions& options, Client& client, std::shared_ptr<News> news,
                 HoldEvents& events)
    : options_(options), client_(client), news_(std::move(news)), events_(events) {}

int HoldRun::until_the_end(Hold held, Signals& signals) {
  hold(std::move(held));
  child_.emplace(options_.command, variables(), dies_with_us(), is_own_job());
  events_.running(child_->process());
  std::optional<int> status;
  while (!(status = child_->ended())) {
    const auto signal = signals.wait(news_->bell, time_left());
    if (signal && signal->number != SIGCHLD) on_signal(*signal);
    look_at_news();
    if (const auto why = news_->take(news_->lost)) on_lost(*why);
    if (kill_at_ && Clock::now() >= *kill_at_) Child::signal_all(SIGKILL);
  }
  leave();
  const int exit_code = is_lost_ && options_.kills() ? kExitLost : exit_code_of(*status);
  events_.ended(exit_code, is_lost_);
  return exit_code;
}

void HoldRun::hold(Hold hold) {
  hold.on_lost([told = news_](const std::string& why) { told->put(told->lost, why); });
  hold_.emplace(std::move(hold));
  events_.granted(options_.group_of(*hold_), hold_->token(), client_.member());
}

Child::Variables HoldRun::variables() const {
  return {{"COTERIE_TOKEN", std::to_string(hold_->token())},
          {"COTERIE_NAME", hold_->name()},
          {"COTERIE_GROUP", options_.type == Kind::Type::band ? "" : options_.group_of(*hold_)},
          {"COTERIE_AS", options_.as},
          {"COTERIE_LIMIT", text_of_count(options_.limit ? options_.limit : options_.max)}};
}

// What the terminal sends, it has sent to the command itself.
void HoldRun::on_signal(const Signals::Signal& signal) {
  if (!signal.is_from_terminal) child_->signal(signal.number);
}

milliseconds HoldRun::time_left() const {
  if (!kill_at_) return kLong;
  constexpr milliseconds kAgain{50};  // it may start more while it is killed
  const auto left = std::chrono::ceil<milliseconds>(*kill_at_ - Clock::now());
  return std::clamp(left, kAgain, kLong);
}

void HoldRun::tell_loss(const std::string& why, const std::string& what_follows) {
  is_lost_ = true;
  events_.lost(why, options_.kills());
  say(events_, fmt::format("lost {}: {}; {}", options_.name, why, what_follows));
}

void HoldRun::end_command() {
  Child::signal_all(SIGTERM);
  Child::signal_all(SIGCONT);  // one that is stopped could not end
  kill_at_ = Clock::now() + options_.grace_time();
}

void HoldRun::on_lost(const std::string& why) {
  tell_loss(why,
            options_.kills() ? "the command is told to end" : "the command goes on without it");
  if (options_.kills()) end_command();
}

void HoldRun::leave() {
  const auto released = hold_->release();
  // Found out only now: both of us were asleep.
  if (!released && !is_lost_)
    tell_loss(released.error().text, "it was noticed only when the command had ended");
}

}  // namespace coterie::cli
