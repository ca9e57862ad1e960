// Sockets that no other program inherits. A program that uses the library may start others at any moment, on any of its
// threads; a child with a copy of the client's socket could speak on it, and would keep the connection open after its
// owner is gone. So the flag is set when the kernel makes the socket: to set it afterwards would leave a moment. Asio
// does neither.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <functional>

namespace coterie::net {

// As their namesakes of Asio.
boost::system::error_code open_socket(boost::asio::ip::tcp::socket& socket,
                                      const boost::asio::ip::tcp& protocol);
boost::system::error_code open_acceptor(boost::asio::ip::tcp::acceptor& acceptor,
                                        const boost::asio::ip::tcp& protocol);
using Accepted =
    std::function<void(boost::system::error_code error, boost::asio::ip::tcp::socket socket)>;
// REQUIRES: the acceptor was opened by open_acceptor().
void accept_one(boost::asio::ip::tcp::acceptor& acceptor, Accepted done);

}  // namespace coterie::net
