#include "member/seat.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace coterie::member {

using protocol::Groups;
namespace census = protocol::census;

Seat::Seat(Counting& home, Slot slot)
    : WaitingLine(home.host_),
      home_(home),
      slot_(slot),
      pinning_(home, slot),
      settled_(home.setting_.none()),
      keyring_(home, slot) {
  Host& host = home_.host_;
  requester_ = host.parts().counter(
      {home_.setting_, home_.id_of(host.self(), slot), host.clock(), *this}, home_.first_);
  requester_->meet(host.reachable(), host.suspects());
  requester_->bring([this](census::Party& party) { home_.bring_in(*this, party); });
  // Who goes by a name may have come from another member a moment ago, where it was inside; and that one may live, and have it
  // recorded for as long as it thinks that its client may come back.
  if (!home_.has_floor()) return;
  remember_echoes([&] { requester_->doubt_past(); });
  for (auto& [arbiter, at] : forget_at_) at = at + host.session();
}

// Where others may go on counting us: until all that were told have heard otherwise, or have lost their leases.
template <class Does>
void Seat::remember_echoes(const Does& does) {
  const NodeSet recorded = requester_->holds();
  const NodeSet known = requester_->echoes();
  does();
  const NodeSet gone = (recorded - requester_->holds()) | (requester_->echoes() - known);
  for (const NodeId arbiter : requester_->echoes() & gone)
    forget_at_[arbiter] = home_.host_.now() + home_.host_.lent() * 2;
}

Priority Seat::priority() const {
  return requester_->is_waiting() || requester_->is_inside()
             ? requester_->priority()
             : Priority{protocol::Rank::waiting, since_};
}

bool Seat::admits(const Groups& groups) const {
  return requester_->is_inside() && !pinning_.is_on() && !is_adopted_ &&
         groups.accepts(requester_->group()) && joined_ < home_.host_.batch();
}

bool Seat::takes_in_line(const Groups& groups) const {
  return is_in_line() && groups == wishes_ && line_.front()->owner.empty();
}

void Seat::add(Claim& claim, const Groups& groups) {
  claim.seat = this;
  if (requester_->is_inside()) {
    ++joined_;
    key_at_ = home_.host_.now() + home_.host_.key_after();
    return admit(claim, Happened::entered_joined);
  }
  const NodeId id = home_.id_of(home_.host_.self(), slot_);
  if (line_.empty()) {
    is_adopted_ = false;  // whoever had this seat before
    shown_ = {};
    since_ = home_.host_.clock().next(id);
  }
  line_.push_back(&claim);
  wishes_ = groups;
}

void Seat::adopt(Claim& claim, const Groups& groups) {
  claim.seat = this;
  is_adopted_ = true;
  wishes_ = groups;
  shown_ = claim.ticket->secret;
  since_ = {std::min(claim.ticket->origin.since, home_.host_.clock().now),
            home_.id_of(home_.host_.self(), slot_)};
  line_.push_back(&claim);
  requester_->adopt(groups.front(), since_, claim.ticket->token);
}

void Seat::ask() {
  COTERIE_ASSERT(is_in_line() && !is_asking());
  requester_->enter({wishes_, {}}, since_);
  if (requester_->is_waiting() && !requester_->has_asked())
    refuse_tries("no quorum of members can be reached");
}

void Seat::come_along(census::Party& party) {
  COTERIE_ASSERT(is_in_line() && !is_asking());
  requester_->come_along({wishes_, {}}, party);
}

void Seat::entered(protocol::Group /*group*/) {
  joined_ = 0;
  const auto line = std::exchange(line_, {});
  for (Claim* const claim : line)
    admit(*claim, is_adopted_ ? Happened::adopted : Happened::entered);
  tell_keys();
}

void Seat::tell_keys() {
  if (!requester_->is_inside() || inside_.empty()) return;
  key_at_ = Instant::never();
  keyring_.tell(requester_->holds());
}

void Seat::admit(Claim& claim, Happened how) {
  Host& host = home_.host_;
  host.count(how);
  inside_.push_back(&claim);
  claim.come_in(requester_->token(), host.now());
  const bool has_group = home_.kind_.type == Type::room;
  const std::string group = has_group ? home_.name_of(requester_->group()) : std::string();
  keyring_.change(inside_);
  if (claim.owner.empty()) return host.granted(claim, group);
  claim.group = group;
  pinning_.begin(claim);
  pinning_.ask(requester_->holds());
}

// The arbiters have it now; what we have of them is not needed any more.
void Seat::on(NodeId from, const Pinned& pinned) {
  if (!pinning_.is_about(pinned)) return;
  Claim& claim = pinning_.claim();
  if (pinned.is_refused) {
    remove(claim);
    return home_.refuse_pinned(claim, pinned);
  }
  if (!pinning_.is_done_by(from)) return;
  pinning_.end();
  inside_.clear();
  claim.seat = nullptr;
  remember_echoes([&] { requester_->abandon(); });
  home_.host_.lasts(claim);
}

void Seat::leave_for(Claim& claim) {
  claim.seat = this;
  claim.is_inside = true;
  claim.is_leaving = true;
  stands_in_for_ = &claim;
  wishes_ = {home_.number_of(claim.owner)};
  inside_.push_back(&claim);
  requester_->stand_in(wishes_.front(), claim.token);
  requester_->exit();
}

void Seat::remove(Claim& claim) {
  claim.seat = nullptr;
  if (!claim.is_inside) {
    line_.erase(std::find(line_.begin(), line_.end(), &claim));
    if (line_.empty() && requester_->is_waiting()) remember_echoes([&] { requester_->cancel(); });
    return;
  }
  inside_.erase(std::find(inside_.begin(), inside_.end(), &claim));
  keyring_.change(inside_);
  if (!inside_.empty()) {
    key_at_ = home_.host_.now() + home_.host_.key_after();
    return;
  }
  keyring_.clear();
  pinning_.end();
  stands_in_for_ = nullptr;
  remember_echoes([&] { requester_->abandon(); });
}

void Seat::leave() {
  for (Claim* const claim : inside_) claim->is_leaving = true;
  go_on_leaving();
}

// The votes that let a participant of a band out are others than those that repair its hold, and it asks an arbiter for one vote at a
// time. While too few arbiters are left that we do not doubt, the hold is repaired first: to wait for the votes of a member that is
// gone takes longer than its lease, and the hold would be lost with it.
void Seat::go_on_leaving() {
  if (inside_.empty() || !inside_.front()->is_leaving || stands_in_for_ != nullptr) return;
  const bool has_asked = requester_->is_waiting();
  if (has_asked && !requester_->is_sound()) requester_->stay();
  if (!has_asked && requester_->is_sound()) requester_->exit();
}

void Seat::stay() {
  if (stands_in_for_ != nullptr) return remove(*stands_in_for_);
  if (requester_->is_waiting()) requester_->stay();
  for (Claim* const claim : inside_) claim->is_leaving = false;
}

void Seat::let_out() {
  const bool wants_out = std::any_of(inside_.begin(), inside_.end(),
                                     [](const Claim* claim) { return claim->is_leaving; });
  if (wants_out) remember_echoes([&] { requester_->abandon(); });
}

bool Seat::is_behind(NodeId member, protocol::Group name, Number token) const {
  if (inside_.empty() || stands_in_for_ != nullptr || !requester_->is_inside()) return false;
  const Claim& claim = *inside_.front();
  return requester_->group() == name && requester_->token() <= token && claim.owner.empty() &&
         !(claim.ticket && claim.ticket->origin.member == member);
}

void Seat::give_up_hold() {
  const auto inside = inside_;
  for (Claim* const claim : inside) {
    remove(*claim);
    home_.host_.count(Happened::lost);
    home_.host_.lost(*claim);
  }
}

// Also at the end of a cancelled wait, with nobody inside.
void Seat::exited() {
  keyring_.clear();
  const auto inside = std::exchange(inside_, {});
  for (Claim* const claim : inside) {
    claim->seat = nullptr;
    if (claim != stands_in_for_) {
      home_.host_.left(*claim);
      continue;
    }
    // Its owner was let out, and nobody can take that back: from now on the claim only waits to be told.
    claim->is_inside = false;
    claim->is_leaving = false;
    home_.bury(claim->owner, claim->token, claim);
  }
  stands_in_for_ = nullptr;
}

void Seat::lost() {
  keyring_.clear();
  pinning_.end();
  const auto inside = std::exchange(inside_, {});
  for (Claim* const claim : inside) {
    claim->seat = nullptr;
    home_.host_.count(Happened::lost);
    claim->owner.empty() || claim->is_burying
        ? home_.host_.lost(*claim)
        : home_.host_.withdraw(*claim, Refusal::look_first, kLostQuorum);
  }
}

void Seat::up(NodeId peer) {
  requester_->up(peer);
  go_on_leaving();
}

void Seat::suspect(NodeId peer) {
  requester_->suspect(peer);
  go_on_leaving();
}

void Seat::trust(NodeId peer) {
  requester_->trust(peer);
  go_on_leaving();
}

void Seat::lapse(NodeId peer) {
  pinning_.lapse(peer);
  keyring_.lapse(peer);
  remember_echoes([&] { requester_->lapse(peer); });
  go_on_leaving();
}

bool Seat::is_fresh(NodeId from, Time tag, Happened fresh, Happened stale) {
  const bool is_stale = requester_->is_stale(from, tag);
  home_.host_.count(is_stale ? stale : fresh);
  return !is_stale;
}

void Seat::on(NodeId from, const Grant& grant) {
  if (!is_fresh(from, grant.tag, Happened::voted, Happened::vote_stale)) return;
  if (requester_->is_inside() && !requester_->is_waiting()) home_.host_.count(Happened::repaired);
  if (grant.census.empty()) settled_.insert(from);
  requester_->on(from,
                 census::Grant{grant.tag, grant.number, home_.numbered(grant.census), grant.terms});
  pinning_.ask(requester_->holds());
  if (keyring_.is_told()) tell_keys();
  go_on_leaving();
  look_at_votes();
}

void Seat::on(NodeId from, const Update& update) {
  if (!is_fresh(from, update.tag, Happened::updated, Happened::update_stale)) return;
  requester_->on(from, census::Update{update.tag, home_.numbered(update.census), update.terms});
  look_at_votes();
}

void Seat::on(NodeId from, const Preempt& preempt) {
  if (!is_fresh(from, preempt.tag, Happened::preempted, Happened::preempt_stale)) return;
  requester_->on(from, preempt);
}

void Seat::on(NodeId from, const Queued& queued) {
  if (!is_fresh(from, queued.tag, Happened::queued, Happened::queued_stale) || !is_asking()) return;
  if (!queued.has_vote) return refuse_tries(queued);
  settled_.insert(from);
  look_at_votes();
}

// Another kind is known where we asked: those who wait are told; who is inside will ask again.
void Seat::on(NodeId from, const Mismatch& mismatch) {
  if (!is_fresh(from, mismatch.tag, Happened::mismatched, Happened::mismatched_stale)) return;
  // By another kind, of which the hold may be that is to end here: its client looks which one that is.
  if (Claim* const claim = stands_in_for_) {
    remove(*claim);
    return home_.host_.refused(*claim, Refusal::look_first, home_.mismatch(mismatch.known));
  }
  requester_->declined(from);
  if (requester_->is_inside()) set_alarm();
  refuse_mismatched(home_.mismatch(mismatch.known));
  if (home_.change_ && (home_.change_->in == this || home_.change_->out == this))
    home_.change_->known_as = mismatch.known;
  home_.give_in(mismatch.known);
}

// A try is refused for what is recorded only when that is known to be so.
bool Seat::is_sure() const { return !has_tries() || requester_->voters().is_subset_of(settled_); }

void Seat::look_at_votes() {
  if (is_asking() && requester_->is_counting() && is_sure()) {
    if (requester_->is_namesake()) {
      refuse_tries(home_.name_of(wishes_.front()) + " is inside already");
      step_aside();
    } else {
      refuse_tries("no place is free");
    }
  }
  keep_tries();
}

// It keeps its place in line, and looks again in a while.
void Seat::step_aside() {
  if (!is_asking()) return;
  remember_echoes([&] { requester_->cancel(); });
  aside_until_ = home_.host_.now() + home_.host_.lent() / 8;
}

bool Seat::is_aside() const { return aside_until_ > home_.host_.now(); }

// Who only tries to leave, and may not.
void Seat::keep_tries() {
  if (!requester_->is_inside() || !requester_->is_counting()) return;
  const auto inside = inside_;
  for (Claim* const claim : inside) {
    if (!claim->is_try) continue;
    stay();
    home_.host_.stays(*claim, std::to_string(home_.kind_.min) + " must stay inside");
    return;
  }
}

void Seat::set_alarm() { spare_at_ = home_.host_.now() + home_.host_.spare_after(); }

Instant Seat::due() const {
  Instant due = first_late();
  if (requester_->is_inside()) due = std::min({due, spare_at_, key_at_});
  if (is_in_line() && is_aside()) due = std::min(due, aside_until_);
  for (const Claim* const claim : inside_) due = std::min(due, claim->gives_up);
  for (const auto& [arbiter, at] : forget_at_) due = std::min(due, at);
  return due;
}

void Seat::tick() {
  const Instant now = home_.host_.now();
  for (auto next = forget_at_.begin(); next != forget_at_.end();) {
    const auto [arbiter, at] = *next;
    next = at <= now ? forget_at_.erase(next) : std::next(next);
    if (at <= now) requester_->forget(arbiter);
  }
  if (requester_->is_inside() && spare_at_ <= now) {
    spare_at_ = Instant::never();
    requester_->alarm({});
  }
  if (key_at_ <= now) {
    key_at_ = Instant::never();
    tell_keys();
  }
  const auto inside = inside_;
  for (Claim* const claim : inside) {
    if (claim->gives_up > now) continue;
    stay();
    home_.host_.stays(*claim, "it was not let out in time");
  }
  refuse_late();
}

void Seat::post(NodeId to, protocol::Label /*label*/) {
  Reader reader(written());
  census::Message message;
  unpack(reader, message);
  COTERIE_ASSERT(reader.good());
  Packet<Ask> packet{home_.name_, home_.kind_, slot_, {}};
  if (const auto* request = std::get_if<census::Request>(&message)) {
    settled_.erase(to);
    packet.body = Poll{request->tag, request->priority, request->way, has_tries(),
                       is_adopted_ && !requester_->is_inside() ? shown_ : Secret{}};
  } else if (const auto* yield = std::get_if<census::Yield>(&message)) {
    packet.body = Yield{yield->tag, yield->number};
  } else if (const auto* commit = std::get_if<census::Commit>(&message)) {
    packet.body = Commit{commit->tag,
                         commit->number,
                         home_.name_of(commit->group),
                         commit->arms,
                         commit->is_shown,
                         stands_in_for_ != nullptr ? stands_in_for_->owner : std::string()};
  } else if (const auto* record = std::get_if<census::Record>(&message)) {
    packet.body = Record{home_.name_of(record->group)};
  } else if (const auto* withdraw = std::get_if<Withdraw>(&message)) {
    packet.body = *withdraw;
  } else {
    packet.body = std::get<Erase>(message);
  }
  home_.host_.ask(to, std::move(packet));
}

void Seat::post(const NodeSet& to, protocol::Label label) {
  for (const NodeId member : to) post(member, label);
}

}  // namespace coterie::member
