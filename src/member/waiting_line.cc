#include "member/waiting_line.h"

#include <algorithm>

namespace coterie::member {

void WaitingLine::refuse(Claim& claim, Refusal why, const std::string& text) {
  remove(claim);
  host_.refused(claim, why, text);
}

template <class Is>
void WaitingLine::refuse_if(const Is& is, Refusal why, const std::string& text) {
  const auto line = line_;
  for (Claim* const claim : line) {
    if (is(*claim)) refuse(*claim, why, text);
  }
}

void WaitingLine::refuse_all(const std::string& text) {
  refuse_if([](const Claim& claim) { return !claim.ticket; }, Refusal::mismatch, text);
}

void WaitingLine::refuse_mismatched(const std::string& text) {
  refuse_if([](const Claim&) { return true; }, Refusal::mismatch, text);
}

void WaitingLine::refuse_tries(const std::string& text) {
  refuse_if([](const Claim& claim) { return claim.is_try; }, Refusal::would_wait, text);
}

void WaitingLine::refuse_tries(const Queued& queued) {
  refuse_tries(queued.is_silent ? "members that restarted grant nothing yet"
                                : "others are before you");
}

void WaitingLine::refuse_late() {
  const auto line = line_;
  for (Claim* const claim : line) {
    if (claim->gives_up > host_.now()) continue;
    host_.count(Happened::timed_out);
    if (claim->is_try) {
      refuse(*claim, Refusal::would_wait, "not all of a quorum answered at once");
    } else {
      refuse(*claim, Refusal::timed_out, "it was not its turn in time");
    }
  }
}

Instant WaitingLine::first_late() const {
  Instant first = Instant::never();
  for (const Claim* const claim : line_) first = std::min(first, claim->gives_up);
  return first;
}

bool WaitingLine::has_tries() const {
  return std::any_of(line_.begin(), line_.end(), [](const Claim* claim) { return claim->is_try; });
}

}  // namespace coterie::member
