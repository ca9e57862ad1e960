#include "cli/band_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace coterie::cli {

namespace {

bool asks_for_the_end(const Signals::Signal& signal) {
  return signal.number == SIGTERM || signal.number == SIGINT ||
         (signal.number == SIGHUP && signal.is_from_terminal);
}

}  // namespace

BandRun::BandRun(const HoldOptions& options, Request request, Client& client,
                 std::shared_ptr<News> news, HoldEvents& events)
    : HoldRun(options, client, std::move(news), events), request_(std::move(request)) {
  request_.patience = Patience::forever();
}

void BandRun::on_signal(const Signals::Signal& signal) {
  if (end_ || is_out_ || !asks_for_the_end(signal)) return pass_on(signal);
  end_ = signal;
  ask_out();
}

// To all of the job, as the terminal would have.
void BandRun::pass_on(const Signals::Signal& signal) {
  if (signal.is_from_terminal) return child_->signal_job(signal.number);
  child_->signal(signal.number);
}

// From now on the command is on its own.
void BandRun::be_out() {
  line_.reset();
  is_out_ = true;
  hold_.reset();
  if (end_) pass_on(*end_);
}

// Who has lost its hold, and goes on, is inside again before it asks: until then it does not count.
void BandRun::ask_out() {
  line_.emplace(options_, client_, events_);
  if (!hold_) return;
  hold_->start_leaving(Patience::forever(), [news = news_](Outcome<void> left) {
    news->put(news->left, std::move(left));
  });
}

void BandRun::look_at_news() {
  if (const auto left = news_->take(news_->left)) on_left(*left);
  if (auto outcome = news_->take(news_->outcome)) on_return(*std::move(outcome));
  if (line_) line_->tell();
}

// If it was lost meanwhile, that is told too, by itself.
void BandRun::on_left(const Outcome<void>& left) {
  if (!left) return;
  events_.left();
  be_out();
}

void BandRun::on_lost(const std::string& why) {
  if (is_out_) return;
  if (!options_.rejoins()) {
    HoldRun::on_lost(why);
    return be_out();
  }
  tell_loss(why, "the command goes on, and enters again");
  hold_.reset();
  start_waiting(client_, request_, news_);
}

void BandRun::on_return(Outcome<Hold> outcome) {
  if (outcome) {
    hold(*std::move(outcome));
    say(events_, fmt::format("{} is inside {} again", options_.as, options_.name));
    if (end_) ask_out();
    return;
  }
  say(events_,
      fmt::format("{}: {}; the command goes on without it", options_.name, outcome.error().text));
  be_out();
}

std::chrono::milliseconds BandRun::time_left() const {
  return end_ && !is_out_ ? std::min(kRefresh, HoldRun::time_left()) : HoldRun::time_left();
}

void BandRun::leave() {
  line_.reset();
  if (is_out_) return;
  events_.abandoned();
  say(events_, fmt::format("{}: the command has ended, and {} was not let out before: it is out at "
                           "once, as after a crash",
                           options_.name, options_.as));
  hold_.reset();
}

}  // namespace coterie::cli
