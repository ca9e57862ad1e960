#include "cli/band_line.h"

#include <fmt/format.h>

#include <utility>

#include "cli/hold_wait.h"
#include "quorum/visible.h"

namespace coterie::cli {

std::string BandLine::why(const Status& status) {
  for (const Status::Holder& holder : status.holders) {
    if (holder.group != options_.as || !holder.is_leaving) continue;
    events_.leaving(holder.why);
    return "to leave: " + holder.why;
  }
  for (const Status::Waiter& waiter : status.waiters) {
    if (waiter.client != client_.label() && waiter.client != options_.as) continue;
    events_.waiting(status, client_.label());
    return "to enter: " + waiter.why;
  }
  return "";
}

void BandLine::tell() {
  constexpr double kMoment = 0.5;  // seconds
  if (line_.seconds() < kMoment) return;
  const auto status = client_.status(options_.name);
  const std::string reason = status ? why(*status) : "for a member that answers";
  const bool is_new = std::exchange(told_, reason) != reason;
  if (reason.empty()) return;
  const std::string text = fmt::format("{}: {} waits {}", options_.name, options_.as, reason);
  if (line_.is_wanted() && !events_.own_standard_error()) {
    line_.show(quorum::visible(text));
  } else if (is_new) {
    say(events_, text);
  }
}

}  // namespace coterie::cli
