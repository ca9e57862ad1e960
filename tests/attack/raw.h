// A connection to a member that says whatever a test wants, byte by byte or message by message, with or without TLS: what
// a hostile client, or somebody who claims to be a member, can say. It is no client of the library and keeps no
// rule of it. Every wait ends after a time, so that a member that hangs fails a test and does not hang it.
#pragma once

#include <proto/coterie.pb.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace coterie::attack {

// The files of one side's certificate; without any: plain TCP.
struct Credentials {
  std::string certificate;
  std::string key;
  std::string authority;
  bool is_plain() const { return certificate.empty(); }
};

// The four bytes of the length, and the bytes.
std::string framed(const std::string& bytes);
std::string framed(const wire::Message& message);

class Raw {
 public:
  using Patience = std::chrono::milliseconds;
  static constexpr Patience kPatience{30'000};

  // Connects to host:port. Whether that worked, and a TLS handshake after it: see is_open() and trouble().
  // From an address of this machine, if one is given: any of 127.0.0.0/8.
  explicit Raw(const std::string& address, const Credentials& credentials = {},
               const std::string& from = "");
  ~Raw();
  Raw(Raw&&) noexcept;
  Raw& operator=(Raw&&) noexcept;
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  bool is_open() const;
  const std::string& trouble() const;  // why it is not

  // False: the connection has ended, or the other side does not read. Then it is not open any more.
  bool send_bytes(const std::string& bytes, Patience patience = kPatience);
  bool send(const wire::Message& message, Patience patience = kPatience);
  // The next message; nothing if the connection ended before one came, or the patience did.
  std::optional<wire::Message> receive(Patience patience = kPatience);
  // The next one that this is true of; others are passed over.
  std::optional<wire::Message> receive_until(const std::function<bool(const wire::Message&)>& is_it,
                                             Patience patience = kPatience);
  // The reason of a goodbye, "" if the connection ended without one, nothing if it did not end.
  std::optional<std::string> goodbye(Patience patience = kPatience);
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// ---- what can be said. Each is a message that the caller can change before it is sent.

wire::Message client_hello(const std::string& label = "guest");
wire::Message resume(std::uint64_t session);
wire::Message member_hello(const std::string& name, const std::string& cluster);
wire::Message keep_alive(std::uint64_t beat);
wire::Message acquire(std::uint64_t request, const std::string& name);
wire::Message acquire(std::uint64_t request, const std::string& name, wire::Type type,
                      std::uint32_t max, std::uint32_t min = 0);
wire::Message release(std::uint64_t request);
wire::Message show(std::uint64_t request, const std::string& name);
wire::Message close_session();

// The answer to request `id` in an event, of any kind of answer; false for other events and requests.
bool is_granted(const wire::Message& message, std::uint64_t id);
bool is_refused(const wire::Message& message, std::uint64_t id);

}  // namespace coterie::attack
