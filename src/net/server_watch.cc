// What a member logs of the others and of its clients: a line when it changes, and none when all is well.
#include <spdlog/logger.h>

#include <utility>

#include "net/server.h"

namespace coterie::net {

using member::Happened;

Server::Heard Server::heard_from(NodeId peer) const {
  if (brain_->reaches(peer)) return brain_->doubts(peer) ? Heard::late : Heard::well;
  return peers_[peer].heard == Heard::never ? Heard::never : Heard::not_now;
}

void Server::tell_of_peer(NodeId peer, Heard before, bool has_left) {
  const std::string& name = settings_.member.names[peer];
  switch (peers_[peer].heard) {
    case Heard::never:
      break;
    case Heard::well:
      if (before != Heard::never) log_->info("member {} answers again", name);
      break;
    case Heard::late:
      log_->warn("member {} does not answer: others are asked in its place", name);
      break;
    case Heard::not_now:
      if (has_left) {
        log_->info("member {} has stopped, and said good-bye", name);
      } else {
        log_->warn("the lease of member {} has ended: what rests on it is believed no more", name);
      }
      break;
  }
}

bool Server::hears_quorum() const {
  NodeSet heard(peers_.size());
  heard.insert(settings_.member.self);
  for (NodeId peer = 0; peer < peers_.size(); ++peer) {
    if (peer != settings_.member.self && brain_->reaches(peer)) heard.insert(peer);
  }
  return settings_.member.system.write().contains_quorum(heard);
}

void Server::watch() {
  const auto more = [this](Happened what, std::uint64_t& before) {
    const std::uint64_t times = brain_->tally().of(what);
    return times - std::exchange(before, times);
  };
  const bool has_left = more(Happened::peer_left, seen_.farewells) > 0;
  bool is_other = false;
  for (NodeId peer = 0; peer < peers_.size(); ++peer) {
    if (peer == settings_.member.self) continue;
    const Heard heard = heard_from(peer);
    if (heard == peers_[peer].heard) continue;
    is_other = true;
    tell_of_peer(peer, std::exchange(peers_[peer].heard, heard), has_left);
  }
  if (is_other && std::exchange(seen_.has_quorum, hears_quorum()) != seen_.has_quorum) {
    if (seen_.has_quorum) {
      log_->info("a quorum of members answers");
    } else {
      log_->error("no quorum of members answers: nobody enters until one does");
    }
  }
  if (const auto times = more(Happened::session_lapsed, seen_.lapses); times > 0)
    log_->info("{} of its clients not heard of any more: what they held is free", times);
  if (const auto times = more(Happened::lost, seen_.losses); times > 0)
    log_->warn("{} of its clients' holds lost", times);
}

}  // namespace coterie::net
