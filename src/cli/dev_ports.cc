#include "cli/dev_ports.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cli/input.h"

namespace coterie::cli {

namespace {

constexpr std::uint16_t kFirstPort = 7401;
constexpr std::uint16_t kLastPort = 7999;

bool is_free(std::uint16_t port) {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  const int on = 1;
  ::setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int bound = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::close(probe);
  return bound == 0;
}

}  // namespace

std::optional<Title> Title::take(std::string_view name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(name.begin(), name.end(), address.sun_path + 1);  // after a zero: it is no file
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  Title title(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (::bind(title.socket_, reinterpret_cast<const sockaddr*>(&address), length) != 0)
    return std::nullopt;
  return title;
}

Title::Title(Title&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

Title::~Title() {
  if (socket_ >= 0) ::close(socket_);
}

DevPorts::DevPorts(std::size_t count) {
  for (std::uint16_t port = kFirstPort; port <= kLastPort && numbers_.size() < count; ++port) {
    auto title = Title::take(fmt::format("coterie-dev-{}", port));
    if (!title || !is_free(port)) continue;
    numbers_.push_back(port);
    titles_.push_back(*std::move(title));
  }
  if (numbers_.size() < count)
    throw Failure(
        fmt::format("there are not {} free ports from {} to {}", count, kFirstPort, kLastPort),
        kExitFound);
}

void DevPorts::close_others() const {
  std::vector<int> kept;
  for (const Title& title : titles_) kept.push_back(title.file());
  std::sort(kept.begin(), kept.end());
  unsigned from = STDERR_FILENO + 1;
  for (const int file : kept) {
    const auto next = static_cast<unsigned>(file);
    if (next > from) ::close_range(from, next - 1, 0);
    from = next + 1;
  }
  ::close_range(from, ~0U, 0);
}

}  // namespace coterie::cli
