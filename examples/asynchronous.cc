// Two readers share a room, as coroutines on one thread: asynchronous HOST:PORT...
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdio>
#include <string>

#include "coterie/client.h"
#include "coterie/client_async.h"

using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

asio::awaitable<void> read(coterie::Client& client, int number, int& readers) {
  auto hold = co_await coterie::async_read(client, "example-room", coterie::Patience::at_most(30s),
                                           asio::use_awaitable);
  if (!hold) {
    std::fprintf(stderr, "%s\n", hold.error().text.c_str());
    co_return;
  }
  std::printf("reader %d is in group %s\n", number, hold->group().c_str());
  ++readers;
}

}  // namespace

int main(int argc, char** argv) {
  // A client holds a name once: two readers are two clients.
  const coterie::Options options{.addresses = {argv + 1, argv + argc}, .label = "example"};
  auto first = coterie::Client::connect(options);
  auto second = coterie::Client::connect(options);
  if (!first || !second) {
    std::fprintf(stderr, "%s\n", (first ? second : first).error().text.c_str());
    return 1;
  }
  asio::io_context io;
  int readers = 0;
  asio::co_spawn(io, read(*first, 1, readers), asio::detached);
  asio::co_spawn(io, read(*second, 2, readers), asio::detached);
  io.run();
  return readers == 2 ? 0 : 1;
}
