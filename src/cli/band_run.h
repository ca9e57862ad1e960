// A command that runs while a participant is inside a band. Who wants it to end tells us, not the command: first we ask
// to leave, and only when enough others stay, the command is told.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/band_line.h"
#include "cli/hold_run.h"

namespace coterie::cli {

class BandRun final : public HoldRun {
 public:
  // `request` is how it enters again, if a hold is lost and the command goes on.
  BandRun(const HoldOptions& options, Request request, Client& client, std::shared_ptr<News> news,
          HoldEvents& events);

 private:
  bool is_own_job() const override { return true; }
  // One that enters again is counted only as long as we live.
  bool dies_with_us() const override { return options_.kills() || options_.rejoins(); }
  void on_signal(const Signals::Signal& signal) override;
  void on_lost(const std::string& why) override;
  void look_at_news() override;
  std::chrono::milliseconds time_left() const override;
  void leave() override;

  void pass_on(const Signals::Signal& signal);
  void be_out();
  void ask_out();
  void on_left(const Outcome<void>& left);
  void on_return(Outcome<Hold> outcome);

  Request request_;
  std::optional<Signals::Signal> end_;  // what to tell the command when it may leave
  bool is_out_ = false;                 // it was let out, or nothing lets it in any more
  std::optional<BandLine> line_;        // while it waits to be let out
};

}  // namespace coterie::cli
