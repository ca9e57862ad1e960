// A command that runs while a name is held, and is told to end when the hold is lost.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cli/child.h"
#include "cli/hold_events.h"
#include "cli/hold_options.h"
#include "cli/hold_wait.h"
#include "cli/signals.h"
#include "coterie/client.h"

namespace coterie::cli {

class HoldRun {
 public:
  // REQUIRES: what it refers to outlives it.
  HoldRun(const HoldOptions& options, Client& client, std::shared_ptr<News> news,
          HoldEvents& events);
  virtual ~HoldRun() = default;
  HoldRun(const HoldRun&) = delete;
  HoldRun& operator=(const HoldRun&) = delete;

  // The code to exit with.
  int until_the_end(Hold hold, Signals& signals);

 protected:
  // The terminal tells the command too, unless it is a job of its own.
  virtual bool is_own_job() const { return false; }
  // Whether the command ends if this process is killed: nobody would look after its hold.
  virtual bool dies_with_us() const { return options_.kills(); }
  virtual void on_signal(const Signals::Signal& signal);
  virtual void on_lost(const std::string& why);
  virtual void look_at_news() {}  // besides a loss
  virtual std::chrono::milliseconds time_left() const;
  virtual void leave();  // the command has ended

  void hold(Hold hold);
  void tell_loss(const std::string& why, const std::string& what_follows);
  void end_command();

  const HoldOptions& options_;
  Client& client_;
  const std::shared_ptr<News> news_;
  HoldEvents& events_;
  std::optional<Hold> hold_;
  std::optional<Child> child_;

 private:
  Child::Variables variables() const;

  std::optional<Clock::time_point> kill_at_;
  bool is_lost_ = false;
};

}  // namespace coterie::cli
