#include "client/keeper.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "quorum/visible.h"

namespace coterie::client {

namespace {

// Services have none of these variables, and containers have users without a name.
std::string user_name() {
  for (const char* const variable : {"USER", "LOGNAME"}) {
    const char* const user = std::getenv(variable);
    if (user != nullptr && *user != '\0') return user;
  }
  constexpr std::size_t kEnough = 16'384;
  std::vector<char> buffer(kEnough);
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr ? found->pw_name : std::to_string(::geteuid());
}

}  // namespace

std::string usual_label() {
  constexpr std::size_t kLongest = 256;
  std::array<char, kLongest> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  return quorum::visible(fmt::format("{}@{}:{}", user_name(), host.data(), ::getpid()));
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

}  // namespace coterie::client
