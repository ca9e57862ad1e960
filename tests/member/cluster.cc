#include "member/cluster.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/pack.h"
#include "coterie/spec.h"

namespace coterie::member {

const Duration Cluster::kLease = Duration::seconds(2);
const Duration Cluster::kStep = Duration::milliseconds(300);

Cluster::Cluster(const std::string& system, std::size_t batch)
    : config_{.self = 0, .names = {}, .system = quorum::parse(system).value()} {
  for (std::size_t i = 0; i < config_.system.n(); ++i)
    config_.names.emplace_back(1, static_cast<char>('a' + i));
  config_.lease = kLease;
  config_.keepsakes_page = 1;  // one name at a time
  config_.batch = batch;
  EXPECT_EQ(fault_of(config_), "");
  members_ = std::vector<Host>(config_.names.size());
  for (NodeId member = 0; member < members_.size(); ++member) {
    members_[member].cluster = this;
    members_[member].self = member;
    start(member, Birth::cluster);
  }
  pass(kStep * 2);
}

void Cluster::start(NodeId member, Birth birth) { start_as(++last_incarnation_, member, birth); }

void Cluster::start_as(Incarnation incarnation, NodeId member, Birth birth) {
  Config config = config_;
  config.self = member;
  Host& host = members_[member];
  const Number ceiling = birth == Birth::restart ? host.durable.ceiling : 0;
  if (birth == Birth::amnesia) host.keepsakes.clear();
  last_incarnation_ = std::max(last_incarnation_, incarnation);
  const Start how{birth,
                  incarnation,
                  ceiling,
                  {host.keepsakes.begin(), host.keepsakes.end()},
                  birth == Birth::restart ? host.durable : Durable{},
                  birth == Birth::restart ? host.writes : 0};
  host.brain = std::make_unique<Member>(config, how, now_, host);
  for (NodeId peer = 0; peer < members_.size(); ++peer) {
    if (peer != member && is_alive(peer)) members_[peer].brain->connected(member, now_);
  }
  settle();
}

void Cluster::kill(NodeId member, bool is_noticed) {
  members_[member].brain.reset();
  if (!is_noticed) return;
  for (NodeId peer = 0; peer < members_.size(); ++peer) {
    if (is_alive(peer)) members_[peer].brain->disconnected(member, now_);
  }
  settle();
}

// By way of bytes, as on a network.
void Cluster::Host::send(NodeId to, const Frame& frame) {
  ++cluster->all_frames_;
  if (!frame.asking.packets.empty() || !frame.answering.packets.empty()) ++cluster->packet_frames_;
  const auto way = std::pair(self, to);
  const auto& cuts = cluster->cuts_;
  if (std::find(cuts.begin(), cuts.end(), way) != cuts.end()) return;
  const Bytes bytes = packed(frame);
  Reader reader(bytes);
  Frame read;
  unpack(reader, read);
  EXPECT_TRUE(reader.good() && reader.at_end());
  cluster->frames_.emplace_back(way, std::move(read));
}

void Cluster::Host::tell(SessionId session, const Event& event) {
  cluster->clients_.at(session).events.push_back(event);
}

void Cluster::deliver() {
  while (!frames_.empty()) {
    const auto [way, frame] = std::move(frames_.front());
    frames_.pop_front();
    if (is_alive(way.second)) members_[way.second].brain->receive(way.first, frame, now_);
  }
}

void Cluster::deliver_once() {
  const auto frames = std::exchange(frames_, {});
  for (const auto& [way, frame] : frames) {
    if (is_alive(way.second)) members_[way.second].brain->receive(way.first, frame, now_);
  }
}

void Cluster::pass(Duration duration) {
  const Instant end = now_ + duration;
  const Duration step = Duration::milliseconds(50);
  while (now_ < end) {
    now_ = std::min(end, now_ + step);
    for (Host& host : members_) {
      if (host.brain && host.brain->next_tick() <= now_) host.brain->tick(now_);
    }
    for (auto& [session, client] : clients_) {
      const bool is_silent = std::find(silent_.begin(), silent_.end(), session) != silent_.end();
      if (!is_silent && is_alive(client.at))
        members_[client.at].brain->keep_alive(session, ++client.beat, now_);
    }
    settle();
  }
}

SessionId Cluster::join(NodeId at, const std::string& label) {
  const SessionId session = ++last_session_;
  clients_[session].at = at;
  members_[at].brain->open(session, label, 1, now_);
  settle();
  return session;
}

SessionId Cluster::move_in(NodeId at) {
  const SessionId session = ++last_session_;
  clients_[session].at = at;
  silence(session);  // and lives on all the same
  members_[at].brain->open_resident(session, "resident", now_);
  settle();
  return session;
}

Number Cluster::lend(SessionId client, RequestId request, Number users) {
  uses_[request] = std::nullopt;
  const Number last = at(client)->lend(client, request, users, now_);
  settle();
  return last;
}

std::optional<Number> Cluster::Host::recall(SessionId /*session*/, RequestId request) {
  return cluster->uses_.at(request);
}

void Cluster::set_most_lasting(std::size_t most) {
  config_.most_lasting = most;
  for (NodeId member = 0; member < config_.names.size(); ++member) {
    kill(member);
    start(member);
  }
  pass(kLease * 4);
}

Number Cluster::last_end(const std::string& name, const std::string& owner) {
  Number last = 0;
  for (NodeId member = 0; member < config_.names.size(); ++member) {
    if (!is_alive(member)) continue;
    for (const LastingView& seen : this->member(member).view(name, now_).lastings) {
      if (seen.lasting.is_over() && seen.lasting.owner == owner)
        last = std::max(last, seen.lasting.token);
    }
  }
  return last;
}

RequestId Cluster::acquire(SessionId client, Wish wish, bool is_late) {
  wish.request = ++last_request_;
  // Residents have none, and are silent from the first: nobody moves who ends with its member.
  if (std::find(silent_.begin(), silent_.end(), client) == silent_.end())
    wish.secret = {0x5ec7e7, wish.request};
  if (!wish.owner.empty() && !is_late)
    wish.seen = std::max(wish.seen, last_end(wish.name, wish.owner));
  at(client)->acquire(client, wish, now_);
  settle();
  return wish.request;
}

RequestId Cluster::mutex(SessionId client, const std::string& name) {
  Wish wish;
  wish.name = name;
  return acquire(client, wish);
}

RequestId Cluster::room(SessionId client, const std::string& name,
                        std::vector<std::string> groups) {
  Wish wish;
  wish.name = name;
  wish.kind = {Type::room};
  wish.groups = std::move(groups);
  return acquire(client, wish);
}

RequestId Cluster::semaphore(SessionId client, const std::string& name, std::uint32_t limit) {
  Wish wish;
  wish.name = name;
  wish.kind = {Type::semaphore, 0, limit};
  return acquire(client, wish);
}

RequestId Cluster::rooms(SessionId client, const std::string& name, std::uint32_t rooms,
                         const std::string& group) {
  Wish wish;
  wish.name = name;
  wish.kind = {Type::room, 0, rooms};
  wish.groups = {group};
  return acquire(client, wish);
}

RequestId Cluster::band(SessionId client, const std::string& name, const std::string& as,
                        std::uint32_t min, std::uint32_t max) {
  Wish wish;
  wish.name = name;
  wish.kind = {Type::band, min, max};
  wish.groups = {as};
  return acquire(client, wish);
}

void Cluster::release(SessionId client, RequestId request, const Leave& how) {
  at(client)->release(client, request, now_, how);
  settle();
}

void Cluster::stay(SessionId client, RequestId request) {
  at(client)->stay(client, request, now_);
  settle();
}

void Cluster::confirm(SessionId client, RequestId request) {
  at(client)->confirm(client, request, now_);
  settle();
}

RequestId Cluster::bury(SessionId client, Burial burial) {
  burial.request = ++last_request_;
  at(client)->bury(client, burial, now_);
  settle();
  return burial.request;
}

RequestId Cluster::change(SessionId client, const std::string& name, const Kind& kind,
                          const Kind& was) {
  at(client)->change(client, {++last_request_, name, was, kind}, now_);
  settle();
  return last_request_;
}

RequestId Cluster::change(SessionId client, Change change) {
  change.request = ++last_request_;
  at(client)->change(client, change, now_);
  settle();
  return change.request;
}

void Cluster::close(SessionId client) {
  at(client)->close(client, now_);
  silence(client);
  settle();
}

Picture Cluster::show(SessionId client, const std::string& name) {
  const RequestId request = ++last_request_;
  at(client)->show(client, request, name, now_);
  settle();
  pass(kStep * 2);
  return told<Shown>(client, request)->picture;
}

}  // namespace coterie::member
