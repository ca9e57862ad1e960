// A client's machine: its clock, its connection, what it believes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/torture_world.h"

namespace coterie::sim::torture {

class World::Person final : public ClientOutlet {
 public:
  Person(World& world, std::uint32_t id) : world_(world), id_(id) {}

  void greet(NodeId member, const api::Hello& hello) override {
    world_.connect(id_, member);
    world_.send_call(*connection, hello);
  }
  void abandon() override {
    if (connection) world_.leave_behind(*connection);
    connection.reset();
  }
  void set_aside() override {
    drop_former();
    former = connection;
    if (former) world_.connections_[*former].is_over = true;
    connection.reset();
  }
  void close_former() override {
    if (former) world_.send_call(*former, api::Close{});
    drop_former();
  }
  void call(const api::Call& call) override {
    if (connection) world_.send_call(*connection, call);
  }
  void begins(std::size_t errand) override { world_.belief_begins(id_, errand); }
  void extends(std::size_t errand) override { world_.belief_lasts(id_, errand); }
  void moves(std::size_t errand) override { world_.belief_moves(id_, errand); }
  void parts(std::size_t errand) override { world_.belief_parts(id_, errand, true); }
  void stays(std::size_t errand) override { world_.belief_parts(id_, errand, false); }
  void ends(std::size_t errand, Ending why) override { world_.belief_ends(id_, errand, why); }
  void misses(std::size_t errand) override { world_.hold_vanished(id_, errand); }

  bool is_up() const { return client != nullptr; }
  // When it asked, whichever of its clocks it had then.
  Real asked(std::size_t errand) {
    const Errand& one = client->errands()[errand];
    return one.is_of_former_life ? asked_before[errand] : clock->when(one.asked);
  }
  void drop_former() {
    if (former) world_.leave_behind(*former);
    former.reset();
  }
  void end_life() {
    drop_former();
    std::vector<Real> before(client->errands().size());
    for (std::size_t errand = 0; errand < before.size(); ++errand) before[errand] = asked(errand);
    asked_before = std::move(before);
    remembered = client->errands();
    client.reset();
  }

  std::unique_ptr<Client> client;  // none: it is down
  std::optional<DriftingClock> clock;
  std::uint64_t lives = 0;
  std::vector<Errand> remembered;  // of its last life
  std::vector<Real> asked_before;
  bool is_paused = false;
  std::vector<Happening> deferred;
  std::optional<std::uint64_t> connection;
  std::optional<std::uint64_t> former;  // that is kept, and not heard
  std::vector<HoldId> holds;            // of each errand; 0: none
  Real tick_at = kNever;
  std::uint64_t tick_number = 0;

 private:
  World& world_;
  std::uint32_t id_;
};

}  // namespace coterie::sim::torture
