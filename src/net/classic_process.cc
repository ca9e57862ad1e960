#include "net/classic_process.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "protocol/message_name.h"

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;
using spec::Place;

namespace {

Place first_place(const ClassicPlan& plan, NodeId self) {
  return plan.starts_inside() && plan.setting.inside.contains(self) ? Place::inside
                                                                    : Place::outside;
}

// A stream for each process, from one seed.
Random stream_of(const ClassicPlan& plan, NodeId self) {
  constexpr std::uint64_t kSpread = 0xd1342543de82ef95ULL;
  return Random(Random(plan.seed).next() ^ ((std::uint64_t{self} + 1) * kSpread));
}

}  // namespace

ClassicProcess::ClassicProcess(asio::io_context& io, const ClassicPlan& plan, NodeId self)
    : io_(io),
      plan_(plan),
      self_(self),
      process_(plan.choice.make()(plan.setting, self)),
      random_(stream_of(plan, self)),
      door_(io, plan.secret),
      pause_(io),
      alarm_(io),
      peers_(plan.setting.processes),
      place_(first_place(plan, self)),
      left_(self < plan.requesters ? plan.requests : 0) {}

ClassicProcess::~ClassicProcess() = default;

// ---- connections

void ClassicProcess::start(std::uint16_t witness) {
  door_.open({.admits =
                  [this](const wire::ClassicHello& hello, std::shared_ptr<Channel> channel) {
                    return admits(hello, std::move(channel));
                  },
              .on_message = [this](NodeId peer, const wire::Message& said) { on_peer(peer, said); },
              .on_gone = [this](NodeId peer, const std::string& why) { on_lost_peer(peer, why); }});
  witness_ = door_.visit(witness, self_);
  witness_->start(
      [this](const wire::Message& message) {
        if (message.content_case() == wire::Message::kCue) on_cue(message.cue());
      },
      [this](const std::string& /*reason*/) { end(); });
}

void ClassicProcess::on_cue(const wire::Cue& cue) {
  switch (cue.what_case()) {
    case wire::Cue::kPorts:
      return meet(cue.ports());
    case wire::Cue::kBegin:
      return go_on();
    case wire::Cue::kSeen:
      if (const auto then = std::exchange(then_, {})) then();
      return;
    case wire::Cue::kCount:
      return send_counts();
    case wire::Cue::kEnd:
      return end();
    case wire::Cue::WHAT_NOT_SET:
      return;
  }
}

// Of two processes the first goes to the second's door.
void ClassicProcess::meet(const wire::Cue::Ports& ports) {
  add_peer(self_, nullptr);
  for (NodeId peer = self_ + 1; peer < peers_.size(); ++peer) {
    const auto channel =
        door_.visit(static_cast<std::uint16_t>(ports.of(static_cast<int>(peer))), self_);
    channel->start([this, peer](const wire::Message& said) { on_peer(peer, said); },
                   [this, peer](const std::string& why) { on_lost_peer(peer, why); });
    add_peer(peer, channel);
  }
}

bool ClassicProcess::admits(const wire::ClassicHello& hello, std::shared_ptr<Channel> channel) {
  if (hello.process() >= self_ || peers_[hello.process()]) return false;
  add_peer(hello.process(), std::move(channel));
  return true;
}

void ClassicProcess::add_peer(NodeId peer, std::shared_ptr<Channel> channel) {
  peers_[peer] = std::move(channel);
  if (++met_ < peers_.size()) return;
  wire::Message message;
  message.mutable_testimony()->set_ready(true);
  witness_->send(message);
}

void ClassicProcess::on_peer(NodeId peer, const wire::Message& message) {
  if (message.content_case() != wire::Message::kClassic)
    return complain("process " + std::to_string(peer) + " sent what is no message of a process");
  deliver(peer, message.classic());
}

void ClassicProcess::on_lost_peer(NodeId peer, const std::string& reason) {
  if (!is_over_) complain("lost its connection to process " + std::to_string(peer) + ": " + reason);
}

void ClassicProcess::end() {
  is_over_ = true;
  pause_.cancel();
  alarm_.cancel();
  door_.close();
  then_ = {};
  for (const auto& peer : peers_) {
    if (peer) peer->close();
  }
  witness_->close();
}

// ---- the user

// From a place where nothing is under way.
void ClassicProcess::go_on() {
  if (self_ >= plan_.requesters) return;
  const bool is_at_rest = (place_ == Place::inside) == plan_.starts_inside();
  if (is_at_rest && left_ == 0) return;
  if (is_at_rest) --left_;
  pause(is_at_rest ? plan_.apart : plan_.inside,
        [this] { place_ == Place::inside ? ask_to_leave() : ask_to_enter(); });
}

void ClassicProcess::pause(std::chrono::nanoseconds mean, std::function<void()> then) {
  pause_.expires_after(
      std::chrono::duration_cast<std::chrono::nanoseconds>(2 * random_.uniform() * mean));
  pause_.async_wait([then = std::move(then)](error_code error) {
    if (!error) then();
  });
}

void ClassicProcess::ask_to_enter() {
  protocol::Groups groups{0};
  if (!plan_.demands.empty()) {
    groups = plan_.demands[self_];
  } else if (plan_.groups > 1) {
    groups = {static_cast<protocol::Group>(random_.below(plan_.groups))};
  }
  place_ = Place::entering;
  tell(wire::Testimony::ASKS, groups,
       [this, groups] { process_->enter({.groups = groups, .prefer = {}}, *this); });
}

void ClassicProcess::ask_to_leave() {
  place_ = Place::leaving;
  tell(wire::Testimony::LEAVES, {}, [this] { process_->exit(*this); });
}

void ClassicProcess::tell(wire::Testimony::Step step, const protocol::Groups& groups,
                          std::function<void()> then) {
  then_ = std::move(then);
  wire::Message message;
  wire::Testimony::Moved& moved = *message.mutable_testimony()->mutable_moved();
  moved.set_step(step);
  for (const protocol::Group group : groups) moved.add_groups(group);
  witness_->send(message);
}

void ClassicProcess::send_counts() const {
  wire::Message message;
  wire::Testimony::Counts& counts = *message.mutable_testimony()->mutable_counts();
  counts.set_received(received_);
  counts.set_to_itself(to_itself_);
  for (std::size_t number = 0; number < types_.size(); ++number) {
    if (types_[number].sent == 0) continue;
    wire::Testimony::Counts::Type& type = *counts.add_types();
    type.set_number(static_cast<std::uint32_t>(number));
    type.set_name(types_[number].name);
    type.set_sent(types_[number].sent);
  }
  witness_->send(message);
}

void ClassicProcess::complain(const std::string& trouble) const {
  wire::Message message;
  message.mutable_testimony()->set_trouble(trouble);
  witness_->send(message);
}

// ---- the algorithm

void ClassicProcess::send(NodeId to, std::string_view message, const protocol::Label& label) {
  if (to >= peers_.size())
    return complain("would send to process " + std::to_string(to) + ", which is not there");
  if (label.type >= types_.size()) types_.resize(label.type + 1);
  ClassicReport::Type& type = types_[label.type];
  if (type.sent++ == 0) type.name = protocol::message_name(*process_, message);
  if (to == self_) {
    ++to_itself_;
    // What it has to say is not yet all said.
    asio::post(io_, [this, text = std::string(message)] { deliver(self_, text); });
    return;
  }
  wire::Message out;
  out.set_classic(message.data(), message.size());
  peers_[to]->send(out);
}

void ClassicProcess::deliver(NodeId from, std::string_view message) {
  if (is_over_) return;
  ++received_;
  if (!process_->on(from, message, *this))
    complain("process " + std::to_string(from) + " sent what is no message of the algorithm");
}

void ClassicProcess::entered(protocol::Group group) {
  alarm_.cancel();
  place_ = Place::inside;
  tell(wire::Testimony::ENTERED, {group}, [this] { go_on(); });
}

void ClassicProcess::exited() {
  alarm_.cancel();
  place_ = Place::outside;
  tell(wire::Testimony::LEFT, {}, [this] { go_on(); });
}

void ClassicProcess::set_alarm() {
  constexpr auto kAlarm = std::chrono::milliseconds(20);
  alarm_.expires_after(kAlarm);
  alarm_.async_wait([this](error_code error) {
    if (!error) process_->alarm({}, *this);
  });
}

}  // namespace coterie::net
