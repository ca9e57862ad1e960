#include <fmt/format.h>

#include <boost/beast/core/detail/base64.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "connection.h"
#include "locker.h"

namespace coterie::bench {

namespace {

std::string base64(std::string_view text) {
  namespace base = boost::beast::detail::base64;
  std::string made(base::encoded_size(text.size()), '\0');
  made.resize(base::encode(made.data(), text.data(), text.size()));
  return made;
}

class Etcd final : public Locker {
 public:
  explicit Etcd(std::uint16_t port) : server_(port) {
    lease_ = call("lease/grant", {{"TTL", 60}}).at("ID");
  }
  void lock(const std::string& name) override {
    key_ = call("lock/lock", {{"name", base64(name)}, {"lease", lease_}}).at("key");
  }
  void unlock(const std::string& /*name*/) override { call("lock/unlock", {{"key", key_}}); }

 private:
  nlohmann::json call(std::string_view what, const nlohmann::json& arguments) {
    const std::string body = arguments.dump();
    server_.write(
        fmt::format("POST /v3/{} HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    "application/json\r\nContent-Length: {}\r\n\r\n{}",
                    what, body.size(), body));
    const std::string status = server_.line();
    std::size_t length = 0;
    for (std::string line = server_.line(); !line.empty(); line = server_.line()) {
      if (line.starts_with("Content-Length: ")) length = std::stoul(line.substr(16));
    }
    const std::string answer = server_.bytes(length);
    if (!status.starts_with("HTTP/1.1 200")) throw std::runtime_error("etcd: " + answer);
    return nlohmann::json::parse(answer);
  }

  Connection server_;
  std::string lease_;
  std::string key_;
};

}  // namespace

std::unique_ptr<Locker> make_etcd(const Ports& ports, std::size_t client) {
  return std::make_unique<Etcd>(ports[client % ports.size()]);
}

}  // namespace coterie::bench
