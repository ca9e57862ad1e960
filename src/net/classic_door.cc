#include "net/classic_door.h"

#include <optional>
#include <utility>

#include "net/codec.h"
#include "net/sockets.h"

namespace coterie::net {

using boost::asio::ip::address_v4;
using boost::asio::ip::tcp;

namespace {

void throw_if(const boost::system::error_code& error) {
  if (error) throw boost::system::system_error(error);
}

}  // namespace

ClassicDoor::ClassicDoor(boost::asio::io_context& io, std::uint64_t secret)
    : io_(io), secret_(secret), acceptor_(io) {
  const tcp::endpoint any(address_v4::loopback(), 0);
  throw_if(open_acceptor(acceptor_, any.protocol()));
  acceptor_.bind(any);
  acceptor_.listen();
}

void ClassicDoor::open(Host host) {
  host_ = std::make_shared<const Host>(std::move(host));
  accept();
}

void ClassicDoor::close() { acceptor_.close(); }

void ClassicDoor::accept() {
  accept_one(acceptor_, [this](boost::system::error_code error, Plain socket) {
    if (error) return;
    const auto channel =
        std::make_shared<Channel>(Socket(std::in_place_type<Plain>, std::move(socket)));
    const auto guest = std::make_shared<std::optional<NodeId>>();
    // The channel keeps itself while it reads.
    channel->start(
        [host = host_, secret = secret_, guest, at = channel.get()](const wire::Message& message) {
          if (*guest) return host->on_message(**guest, message);
          const wire::ClassicHello& hello = message.hello().classic();
          if (hello.secret() != secret || !host->admits(hello, at->shared_from_this()))
            return at->close();
          at->allow(Limits::kMessage);
          *guest = hello.process();
        },
        [host = host_, guest](const std::string& reason) {
          if (*guest) host->on_gone(**guest, reason);
        });
    accept();
  });
}

std::shared_ptr<Channel> ClassicDoor::visit(std::uint16_t port, NodeId self) const {
  Plain socket(io_);
  throw_if(open_socket(socket, tcp::v4()));
  socket.connect({address_v4::loopback(), port});
  auto channel = std::make_shared<Channel>(Socket(std::in_place_type<Plain>, std::move(socket)));
  channel->allow(Limits::kMessage);
  wire::Message message;
  wire::ClassicHello& hello = *message.mutable_hello()->mutable_classic();
  hello.set_process(self);
  hello.set_secret(secret_);
  hello.set_port(acceptor_.local_endpoint().port());
  channel->send(message);
  return channel;
}

}  // namespace coterie::net
