#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <random>
#include <thread>

#include "connection.h"
#include "locker.h"

namespace coterie::bench {

namespace {

std::string command(std::initializer_list<std::string_view> words) {
  std::string text = fmt::format("*{}\r\n", words.size());
  for (const std::string_view word : words) text += fmt::format("${}\r\n{}\r\n", word.size(), word);
  return text;
}

class Redlock final : public Locker {
 public:
  Redlock(const Ports& ports, unsigned pause_ms) : pause_us_(0, pause_ms * 1'000) {
    for (const std::uint16_t port : ports) servers_.emplace_back(port);
    value_ = fmt::format("{:016x}{:016x}", (std::uint64_t{chance_()} << 32U) | chance_(),
                         (std::uint64_t{chance_()} << 32U) | chance_());
  }

  void lock(const std::string& name) override {
    using namespace std::chrono;
    for (;;) {
      const auto begin = steady_clock::now();
      const std::size_t votes =
          everywhere(command({"SET", name, value_, "NX", "PX", "30000"}), "+OK");
      if (votes > servers_.size() / 2 && steady_clock::now() - begin < seconds(29)) return;
      unlock(name);
      std::this_thread::sleep_for(microseconds(pause_us_(chance_)));
    }
  }

  void unlock(const std::string& name) override {
    constexpr std::string_view kScript =
        "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 "
        "end";
    everywhere(command({"EVAL", kScript, "1", name, value_}), ":1");
  }

 private:
  // How many of them answer so. All are asked before any answer is read.
  std::size_t everywhere(const std::string& text, std::string_view wanted) {
    for (Connection& server : servers_) server.write(text);
    return static_cast<std::size_t>(
        std::count_if(servers_.begin(), servers_.end(),
                      [&](Connection& server) { return server.line() == wanted; }));
  }

  std::deque<Connection> servers_;
  std::random_device chance_;
  std::uniform_int_distribution<unsigned> pause_us_;
  std::string value_;
};

}  // namespace

std::unique_ptr<Locker> make_redlock(const Ports& ports, unsigned pause_ms) {
  return std::make_unique<Redlock>(ports, pause_ms);
}

}  // namespace coterie::bench
