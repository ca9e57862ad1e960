// Calls of clients that say anything, to three members that speak to each other; and every frame that a member sends can be
// read by the one that it is for. The first call goes to the first member, the next to the second, and so on around.
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/assert.h"
#include "fuzz.h"
#include "member/api.h"
#include "member_fuzz.h"
#include "net/codec.h"

namespace {

namespace member = coterie::member;
namespace wire = coterie::wire;
using coterie::NodeId;

class Trio {
 public:
  Trio() {
    for (NodeId self = 0; self < kNames.size(); ++self) {
      Place& place = places_.at(self);
      place.trio = this;
      place.self = self;
      const member::Config config{.self = self,
                                  .names = {kNames.begin(), kNames.end()},
                                  .system = coterie::quorum::parse("majority:n=3").value()};
      const member::Start start{
          .birth = member::Birth::cluster, .incarnation = 5 + self, .ceiling = 0};
      place.brain = std::make_unique<member::Member>(config, start, now_, place);
    }
    for (int round = 0; round < 3; ++round) pass(member::Duration::milliseconds(300));
    for (NodeId self = 0; self < kNames.size(); ++self) open(self);
  }

  void call(NodeId at, const wire::Call& call) {
    answer(*places_.at(at).brain, 1 + at, call);
    // Some calls find what the last one has begun.
    if (++calls_ % 3 != 0) deliver();
    pass(member::Duration::milliseconds(1));
  }
  void pass(member::Duration time) {
    now_ = now_ + time;
    for (Place& place : places_) place.brain->tick(now_);
    deliver();
  }

 private:
  static inline const std::array<std::string, 3> kNames = {"a", "b", "c"};

  struct Place final : member::Outlet {
    Trio* trio = nullptr;
    NodeId self = 0;
    std::unique_ptr<member::Member> brain;

    void save(const member::Durable& /*durable*/) override {}
    void keep(const std::string& /*name*/, const coterie::Bytes& /*keepsake*/) override {}
    void send(NodeId to, const member::Frame& frame) override {
      wire::Frame sent;
      coterie::net::encode(frame, sent);
      wire::Frame read;
      COTERIE_ASSERT(read.ParseFromString(sent.SerializeAsString()));
      auto arrived = coterie::net::decode(read);
      COTERIE_ASSERT(arrived.has_value());
      trio->frames_.emplace_back(std::pair(self, to), std::move(*arrived));
    }
    void tell(member::SessionId /*session*/, const member::Event& event) override {
      wire::Event sent;
      coterie::net::encode(event, kNames, sent);
      wire::Event read;
      COTERIE_ASSERT(read.ParseFromString(sent.SerializeAsString()));
    }
  };

  void open(NodeId at) { places_.at(at).brain->open(1 + at, "client", 1, now_); }
  void deliver() {
    while (!frames_.empty()) {
      const auto [way, frame] = std::move(frames_.front());
      frames_.pop_front();
      places_.at(way.second).brain->receive(way.first, frame, now_);
    }
  }
  void answer(member::Member& brain, member::SessionId session, const wire::Call& call) {
    using wire::Call;
    switch (call.what_case()) {
      case Call::kKeepAlive:
        return brain.keep_alive(session, call.keep_alive().beat(), now_);
      case Call::kAcquire: {
        auto wish = coterie::net::decode(call.acquire());
        if (!wish) return;
        wish->secret = {1, ++calls_};
        return brain.acquire(session, *wish, now_);
      }
      case Call::kRelease: {
        const auto how = coterie::net::decode(call.release());
        if (how) brain.release(session, call.release().request(), now_, *how);
        return;
      }
      case Call::kBury: {
        const auto burial = coterie::net::decode(call.bury());
        if (burial) brain.bury(session, *burial, now_);
        return;
      }
      case Call::kChange: {
        const auto change = coterie::net::decode(call.change());
        if (change) brain.change(session, *change, now_);
        return;
      }
      case Call::kStay:
        return brain.stay(session, call.stay().request(), now_);
      case Call::kConfirm:
        return brain.confirm(session, call.confirm().request(), now_);
      case Call::kShow:
        if (!member::fault_of_name("the name", call.show().name()).empty()) return;
        return brain.show(session, call.show().request(), call.show().name(), now_);
      default:
        return;
    }
  }

  member::Instant now_{1'000'000'000};
  std::array<Place, 3> places_;
  std::deque<std::pair<std::pair<NodeId, NodeId>, member::Frame>> frames_;
  std::uint64_t calls_ = 0;
};

}  // namespace

COTERIE_FUZZ(calls) {
  Trio trio;
  NodeId next = 0;
  coterie::fuzz::each_piece(bytes, [&](std::string_view piece) {
    wire::Message message;
    if (message.ParseFromArray(piece.data(), static_cast<int>(piece.size())))
      trio.call(next++ % 3, message.call());
  });
  trio.pass(member::Duration::seconds(1));
}
