// The ports of local clusters. A port belongs to a cluster from when it is chosen until the cluster is stopped, also
// while its member is dead and nobody listens there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace coterie::cli {

// A name among the kernel's sockets. It has one owner, is free when the last process that has it ends, and reaches
// as far as ports do.
class Title {
 public:
  static std::optional<Title> take(std::string_view name);  // nothing: it is taken
  ~Title();
  Title(Title&& other) noexcept;
  Title& operator=(Title&& other) = delete;
  Title(const Title&) = delete;
  Title& operator=(const Title&) = delete;
  int file() const { return socket_; }

 private:
  explicit Title(int socket) : socket_(socket) {}
  int socket_;
};

class DevPorts {
 public:
  // So many that no other local cluster has, and nobody listens on. Throws Failure if there are too few.
  explicit DevPorts(std::size_t count);
  const std::vector<std::uint16_t>& numbers() const { return numbers_; }
  // Closes whatever else this process has open, but for its standard streams.
  void close_others() const;

 private:
  std::vector<std::uint16_t> numbers_;
  std::vector<Title> titles_;
};

}  // namespace coterie::cli
