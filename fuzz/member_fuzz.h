// A member without a network, for decoders whose results it must bear.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "coterie/spec.h"
#include "member/member.h"

namespace coterie::fuzz {

struct Deaf final : member::Outlet {
  void save(const member::Durable& /*durable*/) override {}
  void keep(const std::string& /*name*/, const Bytes& /*keepsake*/) override {}
  void send(NodeId /*to*/, const member::Frame& /*frame*/) override {}
  void tell(member::SessionId /*session*/, const member::Event& event) override {
    if (on_event) on_event(event);
  }
  std::function<void(const member::Event&)> on_event = {};
};

class Lonely {
 public:
  // The first of these.
  explicit Lonely(std::vector<std::string> members = {"a", "b", "c"},
                  member::Birth birth = member::Birth::cluster)
      : brain_({.self = 0,
                .names = members,
                .system = quorum::parse("majority:n=" + std::to_string(members.size())).value()},
               {.birth = birth, .incarnation = 5, .ceiling = 0}, now_, outlet_) {
    brain_.open(1, "client", 1, now_);
  }
  member::Member& brain() { return brain_; }
  Deaf& outlet() { return outlet_; }
  member::Instant later(member::Duration passed = member::Duration::milliseconds(10)) {
    now_ = now_ + passed;
    return now_;
  }

 private:
  Deaf outlet_;
  member::Instant now_{1'000'000'000};
  member::Member brain_;
};

// Bytes as pieces with a length of two bytes before each; the last may be shorter.
template <class Does>
void each_piece(std::string_view bytes, const Does& does) {
  constexpr std::size_t kHead = 2;
  while (bytes.size() > kHead) {
    const std::size_t length = static_cast<unsigned char>(bytes[0]) * std::size_t{256} +
                               static_cast<unsigned char>(bytes[1]);
    bytes.remove_prefix(kHead);
    does(bytes.substr(0, length));
    bytes.remove_prefix(std::min(length, bytes.size()));
  }
}

}  // namespace coterie::fuzz
