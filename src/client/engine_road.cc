// How an engine finds a member: by the addresses in turn (session/road.h), where what is held is shown (session/move.cc).
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "client/engine.h"
#include "net/codec.h"
#include "net/codec_client.h"
#include "net/version.h"
#include "quorum/visible.h"

namespace coterie::client {

using boost::system::error_code;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kLongestDial{1'000};
constexpr milliseconds kShortestDial{20};

}  // namespace

void Engine::seek() {
  if (is_closing_) return;
  dial(road_.leads_back());
}

void Engine::dial(bool is_same_member) {
  ++attempt_;
  dial_ = std::make_shared<net::Dial>(io_, tls_ ? &*tls_ : nullptr, net::Dial::Shows::host);
  dial_->start(addresses_[road_.at()], longest_attempt(),
               [this, is_same_member](net::Dial::Answer answer) {
                 dial_.reset();
                 if (!answer.socket) return fail(answer.trouble);
                 greet(*std::move(answer.socket), is_same_member);
               });
}

// As long as no member was found, each address is to have its turn in the time that there is.
milliseconds Engine::longest_attempt() const {
  if (!first_) return kLongestDial;
  return std::clamp(timeout_ / static_cast<int>(addresses_.size()), kShortestDial, kLongestDial);
}

void Engine::greet(net::Socket socket, bool is_same_member) {
  channel_ = std::make_shared<net::Channel>(std::move(socket));
  channel_->allow(net::Limits::kMessage);
  channel_->start(
      [this, attempt = attempt_](const wire::Message& message) { on_message(attempt, message); },
      [this, attempt = attempt_](const std::string& reason) { on_close(attempt, reason); });
  wire::Message hello;
  net::encode(session_.hello(is_same_member, now()), *hello.mutable_hello());
  channel_->send(hello);
  pause_.expires_after(longest_attempt());
  pause_.async_wait([this, attempt = attempt_](error_code error) {
    if (error || attempt != attempt_ || is_welcome_ || is_closing_) return;
    lose_channel();
    fail("it does not answer");
  });
}

void Engine::on_message(std::uint64_t attempt, const wire::Message& message) {
  if (attempt != attempt_ || !channel_ || is_closing_) return;
  if (message.has_goodbye()) {
    lose_channel();
    constexpr std::size_t kLongest = 500;
    fail(quorum::visible_line(message.goodbye().reason(), kLongest));
  } else if (!is_welcome_ && message.hello().has_welcome()) {
    on_welcome(message.hello());
  } else if (is_welcome_ && message.has_event()) {
    on_event(message.event());
  } else {
    lose_channel();
    fail("it is no member: it says what no member says");
  }
  arm();
}

void Engine::on_welcome(const wire::Hello& hello) {
  if (const std::string fault = net::fault_of_client_version(net::kClientVersion, hello.version());
      !fault.empty()) {
    lose_channel();
    return fail(fault);
  }
  const wire::Welcome& welcome = hello.welcome();
  pause_.cancel();
  is_welcome_ = true;
  road_.welcomed();
  {
    const std::scoped_lock lock(mutex_);
    member_ = welcome.member();
  }
  session_.welcomed(net::decode(welcome), now());
  if (first_) std::exchange(first_, std::nullopt)->set_value(Outcome<void>());
}

void Engine::on_event(const wire::Event& event) {
  if (event.has_shown()) return answer(event.shown().request(), event);
  if (event.has_surveyed()) return answer(event.surveyed().request(), event);
  if (const auto said = net::decode(event)) session_.receive(*said, now());
}

void Engine::on_close(std::uint64_t attempt, const std::string& reason) {
  if (is_closing_) return io_.stop();
  if (attempt != attempt_ || !channel_) return;
  const bool was_welcome = is_welcome_;
  lose_channel();
  if (!was_welcome) return fail(reason + (tls_ ? "" : "; perhaps it wants TLS"));
  seek();
  arm();
}

void Engine::drop_channel() {
  if (channel_) channel_->close();
  channel_.reset();
  is_welcome_ = false;
  const std::scoped_lock lock(mutex_);
  member_.clear();
}

void Engine::lose_channel() {
  drop_channel();
  session_.disconnected();
}

// The session is done with this connection: another member is likely to serve it better.
void Engine::part() {
  drop_channel();
  road_.go_on();
  seek_after(milliseconds(0));
}

bool Engine::move_on() {
  if (!road_.has_others()) return false;
  former_ = std::exchange(channel_, nullptr);
  ++attempt_;  // it is not heard any more
  part();
  return true;
}

void Engine::close_former() {
  if (!former_) return;
  wire::Message message;
  message.mutable_call()->mutable_close();
  former_->send(message);
  former_->close();
  former_.reset();
}

void Engine::fail(const std::string& trouble) {
  troubles_[road_.at()] = trouble;
  road_.failed();
  if (former_ && road_.has_failed_twice()) session_.cannot_move();
  if (road_.has_failed_round()) give_up_if_first();
  seek_after(std::chrono::duration_cast<milliseconds>(std::chrono::nanoseconds(road_.pause().ns)));
}

void Engine::seek_after(milliseconds pause) {
  if (is_closing_) return;
  pause_.expires_after(pause);
  pause_.async_wait([this](error_code error) {
    if (!error) seek();
  });
}

void Engine::give_up_if_first() {
  if (!first_ || now() < first_end_) return;
  std::exchange(first_, std::nullopt)->set_value(Refusal{Reason::unreachable, troubles()});
}

std::string Engine::troubles() const {
  std::vector<std::string> each;
  for (std::size_t i = 0; i < addresses_.size(); ++i)
    each.push_back(fmt::format("{} ({})", addresses_[i].text(), troubles_[i]));
  if (each.size() == 1) return fmt::format("no member can be reached at {}", each.front());
  return fmt::format("no member can be reached: {}", fmt::join(each, ", "));
}

}  // namespace coterie::client
