#include "attack/raw.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "cli/network.h"
#include "net/version.h"

namespace coterie::attack {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::size_t kHead = 4;

}  // namespace

std::string framed(const std::string& bytes) {
  std::string head;
  for (int shift = 24; shift >= 0; shift -= 8) head += static_cast<char>(bytes.size() >> shift);
  return head + bytes;
}

std::string framed(const wire::Message& message) {
  return framed(message.SerializePartialAsString());
}

struct Raw::State {
  asio::io_context io;
  asio::ssl::context tls{asio::ssl::context::tls};
  tcp::socket plain{io};
  std::optional<asio::ssl::stream<tcp::socket&>> secure;
  std::string in;
  std::array<char, 65'536> part{};
  bool is_open = false;
  std::string trouble;

  // Starts it and waits until it is done. Nothing: it was not in time, and the connection is closed.
  std::optional<error_code> wait(const std::function<void(std::function<void(error_code)>)>& start,
                                 Patience patience) {
    std::optional<error_code> result;
    start([&result](error_code error) { result = error; });
    io.restart();
    io.run_for(patience);
    if (!result) {
      end("it does not answer");
      io.restart();
      io.run();  // what was under way refers to `result`
      return std::nullopt;
    }
    return result;
  }
  void end(const std::string& why) {
    error_code ignored;
    plain.close(ignored);
    if (std::exchange(is_open, false) || trouble.empty()) trouble = why;
  }
};

Raw::Raw(const std::string& address, const Credentials& credentials, const std::string& from)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  if (!from.empty()) {
    state.plain.open(tcp::v4());
    state.plain.bind(tcp::endpoint(asio::ip::make_address(from), 0));
  }
  const auto connected = state.wait(
      [&](const auto& done) { state.plain.async_connect(cli::endpoint_of(address), done); },
      kPatience);
  if (!connected) return;
  state.is_open = !*connected;
  if (*connected) state.end(connected->message());
  if (!state.is_open || credentials.is_plain()) return;
  state.tls.use_certificate_chain_file(credentials.certificate);
  state.tls.use_private_key_file(credentials.key, asio::ssl::context::pem);
  state.tls.load_verify_file(credentials.authority);
  state.tls.set_verify_mode(asio::ssl::verify_peer);
  state.secure.emplace(state.plain, state.tls);
  const auto shaken = state.wait(
      [&](const auto& done) {
        state.secure->async_handshake(asio::ssl::stream_base::client, done);
      },
      kPatience);
  if (shaken && *shaken) state.end(shaken->message());
}

Raw::~Raw() = default;
Raw::Raw(Raw&&) noexcept = default;
Raw& Raw::operator=(Raw&&) noexcept = default;

bool Raw::is_open() const { return state_->is_open; }
const std::string& Raw::trouble() const { return state_->trouble; }
void Raw::close() { state_->end("closed by the test"); }

bool Raw::send_bytes(const std::string& bytes, Patience patience) {
  State& state = *state_;
  if (!state.is_open) return false;
  const auto sent = state.wait(
      [&](const auto& done) {
        const auto finish = [done](error_code error, std::size_t /*count*/) { done(error); };
        if (state.secure) return asio::async_write(*state.secure, asio::buffer(bytes), finish);
        asio::async_write(state.plain, asio::buffer(bytes), finish);
      },
      patience);
  if (sent && *sent) state.end(sent->message());
  return sent && !*sent;
}

bool Raw::send(const wire::Message& message, Patience patience) {
  return send_bytes(framed(message), patience);
}

std::optional<wire::Message> Raw::receive(Patience patience) {
  State& state = *state_;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < kHead && i < state.in.size(); ++i)
      length = (length << 8U) | static_cast<unsigned char>(state.in[i]);
    if (state.in.size() >= kHead && state.in.size() - kHead >= length) {
      wire::Message message;
      const bool is_read =
          message.ParseFromArray(state.in.data() + kHead, static_cast<int>(length));
      state.in.erase(0, kHead + length);
      if (is_read) return message;
      state.end("bytes that are no message");
      return std::nullopt;
    }
    const auto left = std::chrono::duration_cast<Patience>(end - std::chrono::steady_clock::now());
    if (!state.is_open || left.count() <= 0) return std::nullopt;
    std::size_t read = 0;
    std::optional<error_code> result;
    const auto finish = [&](error_code error, std::size_t count) {
      read = count;
      result = error;
    };
    if (state.secure) {
      state.secure->async_read_some(asio::buffer(state.part), finish);
    } else {
      state.plain.async_read_some(asio::buffer(state.part), finish);
    }
    state.io.restart();
    state.io.run_for(left);
    if (!result) {  // nothing came: the connection stays
      state.plain.cancel();
      state.io.restart();
      state.io.run();
    }
    state.in.append(state.part.data(), read);
    if (*result && *result != asio::error::operation_aborted) state.end(result->message());
  }
}

std::optional<wire::Message> Raw::receive_until(
    const std::function<bool(const wire::Message&)>& is_it, Patience patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto left = std::chrono::duration_cast<Patience>(end - std::chrono::steady_clock::now());
    auto message = receive(std::max(left, Patience{0}));
    if (!message || is_it(*message)) return message;
  }
}

std::optional<std::string> Raw::goodbye(Patience patience) {
  const auto said =
      receive_until([](const wire::Message& message) { return message.has_goodbye(); }, patience);
  if (said) return said->goodbye().reason();
  return is_open() ? std::nullopt : std::optional<std::string>("");
}

wire::Message client_hello(const std::string& label) {
  wire::Message message;
  message.mutable_hello()->set_version(net::kClientVersion);
  message.mutable_hello()->mutable_client()->set_label(label);
  message.mutable_hello()->mutable_client()->set_beat(1);
  return message;
}

wire::Message resume(std::uint64_t session) {
  wire::Message message = client_hello();
  message.mutable_hello()->mutable_client()->set_session(session);
  return message;
}

wire::Message member_hello(const std::string& name, const std::string& cluster) {
  wire::Message message;
  message.mutable_hello()->set_version(net::kMemberVersion);
  message.mutable_hello()->mutable_member()->set_name(name);
  message.mutable_hello()->mutable_member()->set_cluster(cluster);
  return message;
}

wire::Message keep_alive(std::uint64_t beat) {
  wire::Message message;
  message.mutable_call()->mutable_keep_alive()->set_beat(beat);
  return message;
}

wire::Message acquire(std::uint64_t request, const std::string& name) {
  wire::Message message;
  message.mutable_call()->mutable_acquire()->set_request(request);
  message.mutable_call()->mutable_acquire()->set_name(name);
  return message;
}

wire::Message acquire(std::uint64_t request, const std::string& name, wire::Type type,
                      std::uint32_t max, std::uint32_t min) {
  wire::Message message = acquire(request, name);
  wire::Kind& kind = *message.mutable_call()->mutable_acquire()->mutable_kind();
  kind.set_type(type);
  kind.set_max(max);
  kind.set_min(min);
  return message;
}

wire::Message release(std::uint64_t request) {
  wire::Message message;
  message.mutable_call()->mutable_release()->set_request(request);
  return message;
}

wire::Message show(std::uint64_t request, const std::string& name) {
  wire::Message message;
  message.mutable_call()->mutable_show()->set_request(request);
  message.mutable_call()->mutable_show()->set_name(name);
  return message;
}

wire::Message close_session() {
  wire::Message message;
  message.mutable_call()->mutable_close();
  return message;
}

bool is_granted(const wire::Message& message, std::uint64_t id) {
  return message.event().has_granted() && message.event().granted().request() == id;
}

bool is_refused(const wire::Message& message, std::uint64_t id) {
  return message.event().has_refused() && message.event().refused().request() == id;
}

}  // namespace coterie::attack
