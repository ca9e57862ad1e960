// A member's machine: the member's lives, its clock, its disk.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/torture_world.h"

namespace coterie::sim::torture {

class World::Seat final : public member::Outlet {
 public:
  Seat(World& world, NodeId id) : world_(world), id_(id) {}

  void save(const member::Durable& durable) override {
    if (!passes()) return;
    before.durable = disk.durable;
    before.is_known = disk.is_known;
    disk.durable = durable;
    disk.is_known = true;
  }
  void keep(const std::string& name, const Bytes& keepsake) override {
    if (!passes()) return;
    if (!world_.plan_.neglect.writes_late) return put(name, keepsake);
    if (name == late_name_ && keepsake == late_keepsake_) return;  // a copy
    if (!late_name_.empty()) put(late_name_, late_keepsake_);
    late_name_ = name;
    late_keepsake_ = keepsake;
  }
  void send(NodeId to, const member::Frame& frame) override {
    if (passes()) world_.post(id_, to, frame);
  }
  void tell(member::SessionId session, const member::Event& event) override {
    if (!passes()) return;
    if (session > Hostile::kFirstSession) {
      for (Hostile& one : world_.hostile_) {
        if (!one.has(session)) continue;
        if (const auto wrong = one.hear(session, event))
          world_.judge(Promise::exclusion, std::nullopt, *wrong);
      }
      return;
    }
    world_.says(session, event);
    world_.send_news(world_.connections_.at(session - 1).heard_by, event);
  }

  bool is_up() const { return member != nullptr; }

  // What is on a disk. Who has lost it knows a number of its life again at once, but not its ceiling: it says so
  // whenever it starts, until a member has learned and saved it.
  struct Content {
    member::Durable durable;
    bool is_known = true;
    std::map<std::string, Bytes> keepsakes = {};
  };
  // At the end of a life.
  void forget_what_is_late() { late_name_.clear(); }
  void write(const Content& content) {
    before = disk;
    disk = content;
    are_all_safe_ = true;
    last_name_.clear();
  }

  std::unique_ptr<member::Member> member;  // none: it is down
  std::optional<DriftingClock> clock;
  Content disk;
  Content before;  // the last write, or what is not safe yet
  member::Incarnation incarnation = 0;
  std::uint64_t life = 0;
  bool is_machine_down = false;
  bool is_stopping = false;
  bool is_paused = false;
  std::vector<Happening> deferred;
  std::array<Real, 2> ends{kLongAgo, kLongAgo};  // of its last two lives, the last first
  std::size_t last_fault = 0;                    // that ended its life, or will
  // So many more outputs, and it crashes.
  std::optional<std::uint64_t> fuse;
  Real tick_at = kNever;
  std::uint64_t tick_number = 0;

 private:
  // Of what was kept once, since the last that was kept twice, all may be lost.
  void put(const std::string& name, const Bytes& keepsake) {
    const bool is_copy = name == last_name_ && keepsake == last_keepsake_;
    if (is_copy || are_all_safe_) before.keepsakes = disk.keepsakes;
    are_all_safe_ = is_copy;
    last_name_ = name;
    last_keepsake_ = keepsake;
    disk.keepsakes.erase(name);
    if (!keepsake.empty()) disk.keepsakes.emplace(name, keepsake);
  }
  bool passes() {
    if (!fuse) return true;
    if (*fuse == 0) return false;
    --*fuse;
    return true;
  }

  World& world_;
  NodeId id_;
  // Of a driver that writes late: it is not on the disk yet.
  std::string late_name_;
  Bytes late_keepsake_;
  // What was kept last, and whether all is on the disk for good.
  std::string last_name_;
  Bytes last_keepsake_;
  bool are_all_safe_ = true;
};

}  // namespace coterie::sim::torture
