#include "cli/band_outside.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "cli/band_line.h"
#include "cli/child.h"
#include "cli/hold_wait.h"
#include "cli/input.h"
#include "cli/signals.h"

namespace coterie::cli {

namespace {

class Outside {
 public:
  Outside(const HoldOptions& options, Request request, HoldEvents& events)
      : options_(options),
        request_(std::move(request)),
        events_(events),
        client_(connect(options.cluster, request_.patience, &signals_)) {}

  int run() {
    if (const int signal = enter()) return interrupted(signal);
    if (const int signal = leave()) return interrupted(signal);
    const int exit_code = run_command();
    if (exit_code == 0) {
      request_.patience = Patience::forever();
      if (const int signal = enter())
        return stay_outside(kExitSignal + signal, "it was interrupted");
    } else {
      stay_outside(exit_code, "the command failed");
    }
    events_.ended(exit_code, false);
    return exit_code;
  }

 private:
  // The signal that ended the wait, or 0.
  int wait(const std::function<Outcome<void>(const std::stop_token&)>& work) {
    BandLine line(options_, client_, events_);
    const auto waited = wait_for(signals_, work, [&] { line.tell(); });
    if (const auto* const interrupted = std::get_if<Interrupted>(&waited))
      return interrupted->signal;
    const auto& outcome = std::get<Outcome<void>>(waited);
    if (!outcome) fail(client_, options_.name, outcome.error());
    return 0;
  }

  int enter() {
    return wait([&](const std::stop_token& enough) -> Outcome<void> {
      const auto hold = client_.hold_for(options_.as, request_, enough);
      if (!hold) return hold.error();
      events_.granted(options_.as, hold->token, client_.member());
      return {};
    });
  }

  int leave() {
    const int signal = wait([&](const std::stop_token& enough) {
      return client_.release_for(options_.as, options_.name, request_.patience, enough);
    });
    if (signal == 0) events_.left();
    return signal;
  }

  int run_command() {
    Child child(options_.command,
                {{"COTERIE_NAME", options_.name},
                 {"COTERIE_AS", options_.as},
                 {"COTERIE_GROUP", ""},
                 {"COTERIE_TOKEN", ""},
                 {"COTERIE_LIMIT", options_.max ? std::to_string(*options_.max) : ""}},
                false);
    events_.running(child.process());
    const Bell nobody;
    std::optional<int> status;
    while (!(status = child.ended())) {
      const auto signal = signals_.wait(nobody, kRefresh);
      // The terminal has told the command itself.
      if (signal && signal->number != SIGCHLD && !signal->is_from_terminal)
        child.signal(signal->number);
    }
    return exit_code_of(*status);
  }

  int interrupted(int signal) {
    events_.interrupted(signal);
    return kExitSignal + signal;
  }

  // Who is not up must not count.
  int stay_outside(int exit_code, const std::string& why) {
    say(events_,
        fmt::format("{}: {}, so {} stays outside; when it is up, `coterie hold band` lets it in",
                    options_.name, why, options_.as));
    return exit_code;
  }

  const HoldOptions& options_;
  Request request_;
  HoldEvents& events_;
  Signals signals_;  // before there are other threads
  Client client_;
};

}  // namespace

int run_outside(const HoldOptions& options, const Request& request, HoldEvents& events) {
  return Outside(options, request, events).run();
}

}  // namespace coterie::cli
