// What a member logs of the others and of its clients: a line when it changes, and none when all is well.
#include <fmt/format.h>
#include <spdlog/logger.h>

#include <utility>

#include "net/server.h"

namespace coterie::net {

using member::Happened;

namespace {

const char* name_of(Complaint kind) {
  switch (kind) {
    case Complaint::handshake:
      return "TLS handshakes that failed";
    case Complaint::bytes:
      return "bytes that are no message";
    case Complaint::hello:
      return "hellos that were refused";
    case Complaint::member:
      return "members that were refused";
    case Complaint::call:
      return "calls that were refused";
    case Complaint::connections:
      return "connections that could not be accepted";
    case Complaint::sessions:
      return "clients that are gone";
    case Complaint::store:
      return "warnings of the store";
    case Complaint::kCount:
      break;
  }
  return "other things";
}

}  // namespace

Server::Heard Server::heard_from(NodeId peer) const {
  const bool is_back = brain_->reaches(peer) && !brain_->has_left(peer);
  if (brain_->has_left(peer) || (peers_[peer].heard == Heard::left && !is_back)) return Heard::left;
  if (brain_->reaches(peer)) return brain_->doubts(peer) ? Heard::late : Heard::well;
  return peers_[peer].heard == Heard::never ? Heard::never : Heard::not_now;
}

void Server::tell_of_peer(NodeId peer, Heard before) {
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
    case Heard::left:
      log_->info("member {} has stopped, and said good-bye", name);
      break;
    case Heard::not_now:
      log_->warn("the lease of member {} has ended: what rests on it is believed no more", name);
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

void Server::warn(Complaint kind, const std::string& sameness, const std::string& line,
                  bool is_wrong) {
  const auto [is_due, left_out] = complaints_.judge(kind, sameness, now());
  const auto level = !is_due    ? spdlog::level::debug
                     : is_wrong ? spdlog::level::warn
                                : spdlog::level::info;
  if (left_out == 0) return log_->log(level, "{}", line);
  log_->log(level, "{} ({} lines of this kind before it were left out)", line, left_out);
}

void Server::tell_left_out() {
  for (const auto& [kind, times] : complaints_.overdue(now()))
    log_->warn("{} lines on {} were left out in the last minute", times, name_of(kind));
}

void Server::watch() {
  tell_left_out();
  const auto more = [this](Happened what, std::uint64_t& before) {
    const std::uint64_t times = brain_->tally().of(what);
    return times - std::exchange(before, times);
  };
  bool is_other = false;
  for (NodeId peer = 0; peer < peers_.size(); ++peer) {
    if (peer == settings_.member.self) continue;
    const bool is_up = brain_->reaches(peer);
    if (std::exchange(peers_[peer].is_up, is_up) != is_up) is_other = true;
    const Heard heard = heard_from(peer);
    if (heard == peers_[peer].heard) continue;
    tell_of_peer(peer, std::exchange(peers_[peer].heard, heard));
  }
  if (is_other && std::exchange(seen_.has_quorum, hears_quorum()) != seen_.has_quorum) {
    if (seen_.has_quorum) {
      log_->info("a quorum of members answers");
    } else {
      log_->error("no quorum of members answers: nobody enters until one does");
    }
  }
  if (const auto times = more(Happened::session_lapsed, seen_.lapses); times > 0)
    warn(Complaint::sessions, fmt::format("lapses {}", seen_.lapses),
         fmt::format("{} of its clients not heard of any more: what they held is free", times),
         false);
  if (const auto times = more(Happened::lost, seen_.losses); times > 0)
    warn(Complaint::sessions, fmt::format("losses {}", seen_.losses),
         fmt::format("{} of its clients' holds lost", times));
}

}  // namespace coterie::net
