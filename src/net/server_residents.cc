// Clients in the same process as their member; and what a member tells of itself.
#include <algorithm>
#include <utility>

#include "net/server.h"

namespace coterie::net {

member::SessionId Server::admit(std::string label, Resident& resident) {
  member::SessionId session = 0;
  think([&](member::Member& brain, member::Instant at) {
    if (is_stopping_ || is_outdated_) return;
    session = new_session();
    residents_[session] = &resident;
    brain.open_resident(session, std::move(label), at);
  });
  return session;
}

void Server::dismiss(member::SessionId session) {
  residents_.erase(session);
  think([&](member::Member& brain, member::Instant at) { brain.close(session, at); });
}

std::optional<member::Number> Server::recall(member::SessionId session, member::RequestId request) {
  return residents_.at(session)->recall(request);
}

void Server::survey(const std::string& after, wire::Surveyed& to) const {
  to.set_member(settings_.name());
  to.set_incarnation(brain_->incarnation());
  to.set_is_silent(brain_->is_silent());
  to.set_has_quorum(hears_quorum());
  to.set_sessions(brain_->sessions());
  for (NodeId peer = 0; peer < peers_.size(); ++peer) {
    if (peer == settings_.member.self) continue;
    wire::Surveyed::Peer& seen = *to.add_peers();
    seen.set_name(settings_.member.names[peer]);
    seen.set_address(settings_.addresses[peer].text());
    seen.set_is_connected(peers_[peer].is_connected);
    if (!peers_[peer].is_connected) seen.set_trouble(peers_[peer].trouble);
    seen.set_is_up(brain_->reaches(peer));
    seen.set_is_doubted(brain_->doubts(peer));
    const member::Duration left = brain_->leased_for(peer, now());
    seen.set_lease_left_ms(static_cast<std::uint64_t>(left.ns / 1'000'000));
  }
  constexpr std::size_t kMostNames =
      4'096;  // of the longest names a tenth of what a message may be
  const std::vector<std::string> names = brain_->names(after, kMostNames + 1);
  for (std::size_t i = 0; i < std::min(kMostNames, names.size()); ++i) to.add_names(names[i]);
  to.set_has_more(names.size() > kMostNames);
  for (std::size_t i = 0; i < static_cast<std::size_t>(member::Happened::kCount); ++i) {
    const auto what = static_cast<member::Happened>(i);
    if (brain_->tally().of(what) == 0) continue;
    wire::Surveyed::Count& count = *to.add_counts();
    count.set_what(std::string(text_of(what)));
    count.set_times(brain_->tally().of(what));
  }
}

}  // namespace coterie::net
