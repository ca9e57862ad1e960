#include "client/keeper.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "quorum/visible.h"

namespace coterie::client {

std::string usual_label() {
  constexpr std::size_t kLongest = 256;
  std::array<char, kLongest> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  const char* user = std::getenv("USER");
  if (user == nullptr) user = std::getenv("LOGNAME");
  return quorum::visible(fmt::format("{}{}{}:{}", user != nullptr ? user : "",
                                     user != nullptr ? "@" : "", host.data(), ::getpid()));
}

static_assert(static_cast<int>(Kind::Type::mutex) == static_cast<int>(member::Type::mutex));
static_assert(static_cast<int>(Kind::Type::room) == static_cast<int>(member::Type::room));
static_assert(static_cast<int>(Kind::Type::semaphore) == static_cast<int>(member::Type::semaphore));
static_assert(static_cast<int>(Kind::Type::band) == static_cast<int>(member::Type::band));
static_assert(Kind::kNoMax == member::kNoMax);

member::Wish wish_of(const Request& request) {
  member::Wish wish;
  wish.name = request.name;
  wish.kind = {static_cast<member::Type>(request.kind.type), request.kind.min, request.kind.max};
  wish.groups = request.groups;
  wish.is_alone = request.is_alone;
  wish.is_try = request.patience.is_try();
  return wish;
}

Duration wait_of(const Patience& patience) {
  const auto now = Clock::now();
  const auto end = patience.end(now);
  if (!end) return {};
  return {std::max<std::int64_t>(1, std::chrono::nanoseconds(*end - now).count())};
}

Refusal refusal_of(const Leaver& leaver, const Refusal& refusal) {
  return leaver.is_cancelled ? Refusal{Reason::cancelled, "it was cancelled"} : refusal;
}

Reason reason_of(member::Refusal why) {
  switch (why) {
    case member::Refusal::held_already:
      return Reason::held_already;
    case member::Refusal::mismatch:
      return Reason::mismatch;
    case member::Refusal::would_wait:
      return Reason::would_wait;
    case member::Refusal::must_stay:
      return Reason::must_stay;
    case member::Refusal::timed_out:
      return Reason::timed_out;
    case member::Refusal::cancelled:
    case member::Refusal::stopping:
      return Reason::cancelled;
    case member::Refusal::unknown:
    case member::Refusal::invalid:
      break;
  }
  return Reason::invalid;  // also what a later version says
}

}  // namespace coterie::client
