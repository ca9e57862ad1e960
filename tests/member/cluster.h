// Members in one process for tests: frames arrive at once and in order, unless a test cuts a way or kills a
// member; time passes when the test says so, the same for all.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "member/member.h"

namespace coterie::member {

class Cluster {
 public:
  explicit Cluster(const std::string& system, std::size_t batch = 16);

  // A client: what it was told, in order.
  struct Client {
    NodeId at = 0;
    std::uint64_t beat = 1;
    std::vector<Event> events;
  };
  SessionId join(NodeId at, const std::string& label = "client");
  RequestId mutex(SessionId client, const std::string& name);
  RequestId room(SessionId client, const std::string& name, std::vector<std::string> groups);
  RequestId semaphore(SessionId client, const std::string& name, std::uint32_t limit);
  RequestId rooms(SessionId client, const std::string& name, std::uint32_t rooms,
                  const std::string& group);
  RequestId band(SessionId client, const std::string& name, const std::string& as,
                 std::uint32_t min, std::uint32_t max = kNoMax);
  // For an owner: by a client that knows of all its ends, or whose call comes late and knows of none.
  RequestId acquire(SessionId client, Wish wish, bool is_late = false);
  Number last_end(const std::string& name, const std::string& owner);
  void release(SessionId client, RequestId request, const Leave& how = {});
  void stay(SessionId client, RequestId request);
  void confirm(SessionId client, RequestId request);
  bool lasts(SessionId client, RequestId request) const {
    return told<Lasts>(client, request) != nullptr;
  }
  RequestId bury(SessionId client, Burial burial);
  RequestId change(SessionId client, const std::string& name, const Kind& kind,
                   const Kind& was = {});
  RequestId change(SessionId client, Change change);
  void close(SessionId client);
  Picture show(SessionId client, const std::string& name);

  // The last answer about the request, if it is of that type.
  template <class Answer>
  const Answer* told(SessionId client, RequestId request) const {
    // NOLINTNEXTLINE(modernize-loop-convert): backwards
    for (auto event = clients_.at(client).events.rbegin();
         event != clients_.at(client).events.rend(); ++event) {
      const Answer* const answer = std::get_if<Answer>(&*event);
      const bool is_of_request = std::visit(
          [&](const auto& told) {
            if constexpr (requires { told.request; }) return told.request == request;
            return false;
          },
          *event);
      if (is_of_request) return answer;
    }
    return nullptr;
  }
  bool is_inside(SessionId client, RequestId request) const {
    return told<Granted>(client, request) != nullptr;
  }
  Number token(SessionId client, RequestId request) const {
    return told<Granted>(client, request)->token;
  }
  const std::vector<Event>& events(SessionId client) const { return clients_.at(client).events; }

  Member& member(NodeId member) { return *members_[member].brain; }
  bool is_alive(NodeId member) const { return members_[member].brain != nullptr; }
  Instant now() const { return now_; }
  std::uint64_t time_of_day() const {
    return 1'700'000'000'000U + static_cast<std::uint64_t>(now_.ns) / 1'000'000U;
  }
  // Time passes: heartbeats go out, and clients keep their sessions alive unless they are silent.
  void pass(Duration duration);
  void silence(SessionId client) { silent_.push_back(client); }

  void kill(NodeId member, bool is_noticed = true);
  void start(NodeId member, Birth birth = Birth::restart);
  // With this number, of a member that does not know better.
  void start_as(Incarnation incarnation, NodeId member, Birth birth);
  // From the next start of a member on, for that member.
  void set_lease(Duration lease) { config_.lease = lease; }
  void set_most_lasting(std::size_t most);  // starts all members again
  // What is on a member's disk; and an older copy of it, put back.
  struct Disk {
    Durable durable;
    std::map<std::string, Bytes> keepsakes;
    std::uint64_t writes = 0;
  };
  Disk disk(NodeId member) const { return members_[member].disk(); }
  void put_back(NodeId member, const Disk& disk) { members_[member].put_back(disk); }
  void cut(NodeId from, NodeId to) { cuts_.emplace_back(from, to); }
  void heal() { cuts_.clear(); }
  // From now on frames wait until deliver() is called.
  void hold_frames() { is_held_ = true; }
  void release_frames() {
    is_held_ = false;
    deliver();
  }
  void deliver();
  void deliver_once();  // not what is sent meanwhile
  std::deque<std::pair<std::pair<NodeId, NodeId>, Frame>>& frames() { return frames_; }

  // Called before a member's disk has what it keeps; false: it never has.
  void on_keep(std::function<bool(NodeId member)> hook) { on_keep_ = std::move(hook); }

  // A resident, which has been lent something and uses it, with this token, or does not.
  SessionId move_in(NodeId at);
  Number lend(SessionId client, RequestId request, Number users);
  void use(RequestId request, std::optional<Number> token) { uses_[request] = token; }

  // Frames that carry packets, since the last call.
  std::size_t packet_frames() { return std::exchange(packet_frames_, 0); }

  std::size_t all_frames() { return std::exchange(all_frames_, 0); }

  static const Duration kLease;
  static const Duration kStep;  // more than a heartbeat

 private:
  struct Host final : Outlet {
    Cluster* cluster = nullptr;
    NodeId self = 0;
    Durable durable;
    std::map<std::string, Bytes> keepsakes;
    std::uint64_t writes = 0;
    std::unique_ptr<Member> brain;

    void save(const Durable& value) override {
      durable = value;
      ++writes;
    }
    std::uint64_t durable_number() const override { return writes; }
    std::uint64_t time_of_day() const override { return cluster->time_of_day(); }
    void keep(const std::string& name, const Bytes& keepsake) override {
      if (cluster->on_keep_ && !cluster->on_keep_(self)) return;
      ++writes;
      keepsakes.erase(name);
      if (!keepsake.empty()) keepsakes.emplace(name, keepsake);
    }
    Disk disk() const { return {durable, keepsakes, writes}; }
    void put_back(const Disk& disk) {
      durable = disk.durable;
      keepsakes = disk.keepsakes;
      writes = disk.writes;
    }
    void send(NodeId to, const Frame& frame) override;
    void tell(SessionId session, const Event& event) override;
    std::optional<Number> recall(SessionId session, RequestId request) override;
  };

  void settle() {
    if (!is_held_) deliver();
  }
  Member* at(SessionId client) { return members_[clients_.at(client).at].brain.get(); }

  Config config_;
  Instant now_{1'000'000'000'000};
  std::vector<Host> members_;
  std::map<SessionId, Client> clients_;
  std::vector<SessionId> silent_;
  std::map<RequestId, std::optional<Number>> uses_;  // of what is lent
  SessionId last_session_ = 0;
  RequestId last_request_ = 0;
  Incarnation last_incarnation_ = 0;
  std::vector<std::pair<NodeId, NodeId>> cuts_;
  std::deque<std::pair<std::pair<NodeId, NodeId>, Frame>> frames_;
  std::size_t packet_frames_ = 0;
  std::size_t all_frames_ = 0;
  bool is_held_ = false;
  std::function<bool(NodeId)> on_keep_;
};

}  // namespace coterie::member
