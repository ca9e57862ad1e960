#include "net/sockets.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace coterie::net {

using boost::asio::ip::tcp;
using boost::system::error_code;

namespace {

error_code system_error() { return {errno, boost::asio::error::get_system_category()}; }

template <class Owner>
error_code open_native(Owner& owner, const tcp& protocol) {
  const int file = ::socket(protocol.family(), SOCK_STREAM | SOCK_CLOEXEC, protocol.protocol());
  if (file < 0) return system_error();
  error_code error;
  owner.assign(protocol, file, error);
  if (error) ::close(file);
  return error;
}

// What the kernel says of connections that were gone before they were accepted, or of none.
bool is_passing(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ECONNABORTED;
}

}  // namespace

error_code open_socket(tcp::socket& socket, const tcp& protocol) {
  return open_native(socket, protocol);
}

error_code open_acceptor(tcp::acceptor& acceptor, const tcp& protocol) {
  error_code error = open_native(acceptor, protocol);
  // A connection may be gone between the wait for it and its acceptance: that must not block.
  if (!error) acceptor.non_blocking(true, error);
  return error;
}

void accept_one(tcp::acceptor& acceptor, Accepted done) {
  // The acceptor may be gone when the end of the wait is told; its executor is not.
  const auto executor = acceptor.get_executor();
  const auto accept = [&acceptor, executor, done = std::move(done)](error_code error) {
    tcp::socket socket(executor);
    if (error) return done(error, std::move(socket));
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const int file = ::accept4(acceptor.native_handle(), reinterpret_cast<sockaddr*>(&from), &size,
                               SOCK_CLOEXEC);
    if (file < 0 && is_passing(errno)) return accept_one(acceptor, done);
    if (file < 0) return done(system_error(), std::move(socket));
    socket.assign(from.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), file, error);
    if (error) ::close(file);
    done(error, std::move(socket));
  };
  acceptor.async_wait(tcp::acceptor::wait_read, accept);
}

}  // namespace coterie::net
