#include "net/dial.h"

#include <utility>

#include "net/sockets.h"
#include "net/tls.h"

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;

Dial::Dial(asio::io_context& io, asio::ssl::context* tls, Shows shows)
    : resolver_(io), timer_(io), shows_(shows) {
  if (tls == nullptr) {
    socket_.emplace(std::in_place_type<Plain>, io);
  } else {
    socket_.emplace(std::in_place_type<Secure>, Plain(io), *tls);
  }
}

Plain& Dial::plain() {
  if (auto* const secure = std::get_if<Secure>(&*socket_)) return secure->next_layer();
  return std::get<Plain>(*socket_);
}

void Dial::start(const Address& address, std::chrono::milliseconds at_most, Done done) {
  address_ = address;
  done_ = std::move(done);
  timer_.expires_after(at_most);
  timer_.async_wait([self = shared_from_this()](error_code error) {
    if (!error) self->fail("it does not answer");
  });
  resolver_.async_resolve(
      address.host, std::to_string(address.port),
      [self = shared_from_this()](error_code error,
                                  const asio::ip::tcp::resolver::results_type& found) {
        if (!self->done_) return;
        if (error) return self->fail(error.message());
        std::vector<asio::ip::tcp::endpoint> ends;
        for (const auto& one : found) ends.push_back(one.endpoint());
        self->connect(std::move(ends), 0, asio::error::host_not_found);
      });
}

void Dial::connect(std::vector<asio::ip::tcp::endpoint> found, std::size_t at,
                   const error_code& trouble) {
  if (at == found.size())
    return fail(trouble.message(), trouble == asio::error::connection_refused);
  error_code failed;
  plain().close(failed);  // from the one before
  const asio::ip::tcp::endpoint end = found[at];
  failed = open_socket(plain(), end.protocol());
  if (failed) return connect(std::move(found), at + 1, failed);
  plain().async_connect(
      end, [self = shared_from_this(), found = std::move(found), at](error_code error) mutable {
        if (!self->done_) return;
        if (error) return self->connect(std::move(found), at + 1, error);
        self->shake_hands();
      });
}

void Dial::shake_hands() {
  auto* const secure = std::get_if<Secure>(&*socket_);
  if (secure == nullptr) return finish({.socket = std::move(socket_)});
  if (shows_ == Shows::host) expect_host(*secure, address_.host);
  secure->async_handshake(Secure::client, [self = shared_from_this()](error_code error) {
    if (!self->done_) return;
    if (error) return self->fail(trouble_of(std::get<Secure>(*self->socket_), error));
    self->finish({.socket = std::move(self->socket_)});
  });
}

void Dial::fail(const std::string& trouble, bool is_refused) {
  if (!done_) return;
  error_code ignored;
  plain().close(ignored);
  finish({.socket = std::nullopt, .trouble = trouble, .is_refused = is_refused});
}

void Dial::finish(Answer answer) {
  timer_.cancel();
  resolver_.cancel();
  const Done done = std::exchange(done_, {});
  done(std::move(answer));
}

void Dial::cancel() {
  if (!done_) return;
  done_ = {};
  timer_.cancel();
  resolver_.cancel();
  error_code ignored;
  plain().close(ignored);
}

}  // namespace coterie::net
