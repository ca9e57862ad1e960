#include "member/bundle.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace coterie::member {

using protocol::Groups;
namespace shares = protocol::shares;

Bundle::Bundle(Sharing& home, Slot slot)
    : WaitingLine(home.host_),
      home_(home),
      slot_(slot),
      pinning_(home, slot),
      keyring_(home, slot) {
  Host& host = home_.host_;
  requester_ = host.parts().requester(
      {host.setting(), home_.id_of(host.self(), slot), host.clock(), *this}, home_.first_);
  requester_->meet(host.reachable(), host.suspects());
}

bool Bundle::is_exclusive() const { return home_.kind_.type == Type::mutex; }

bool Bundle::is_for_one() const {
  return is_adopted() || pinning_.is_on() || (!line_.empty() && !line_.front()->owner.empty());
}

bool Bundle::admits(const Groups& groups) const {
  if (is_for_one()) return false;
  if (!groups.accepts(requester_->group())) return false;
  if (requester_->is_keeping()) return true;
  return requester_->is_inside() && !requester_->is_wanted() && !is_exclusive();
}

bool Bundle::takes_in_line(const Groups& groups) const {
  if (is_for_one()) return false;
  if (!is_exclusive()) return requester_->is_waiting() && groups == groups_;
  // Others who wait are passed over by those who have had their turn, too.
  const std::size_t before = requester_->is_wanted() ? turns_ : inside_.size();
  return (requester_->is_waiting() || requester_->is_inside()) &&
         before + line_.size() < home_.host_.batch();
}

void Bundle::add(Claim& claim, const Groups& groups) {
  claim.bundle = this;
  if (requester_->is_inside() && !is_exclusive()) return admit(claim, Happened::entered_joined);
  line_.push_back(&claim);
  if (requester_->is_inside() || requester_->is_waiting()) return;
  groups_ = groups;
  ask();
}

void Bundle::adopt(Claim& claim, const Groups& groups) {
  claim.bundle = this;
  groups_ = groups;
  adopted_ = claim.ticket->origin;
  shown_ = claim.ticket->secret;
  line_.push_back(&claim);
  requester_->adopt(groups.front(), stamp_for(claim), claim.ticket->token);
}

// Who comes from another member with what it holds is before those who have waited for less long.
protocol::Stamp Bundle::stamp_for(const Claim& claim) const {
  if (!claim.ticket) return {};
  Host& host = home_.host_;
  return {std::min(claim.ticket->origin.since, host.clock().now), home_.id_of(host.self(), slot_)};
}

// For those in line: at once if what is kept will do.
void Bundle::ask() {
  keep_until_ = Instant::never();
  turns_ = 0;
  const bool will_do = requester_->is_keeping() && groups_.accepts(requester_->group());
  if (will_do && is_exclusive() && is_token_used_ && !requester_->renew()) requester_->give_back();
  is_joining_ = requester_->is_keeping() && will_do;
  if (!is_joining_) {
    is_token_used_ = false;
    keyring_.clear();
  }
  requester_->enter({groups_, {}}, stamp_for(*line_.front()));
  is_joining_ = false;
  if (requester_->is_waiting() && !requester_->has_asked())
    refuse_tries("no quorum of members can be reached");
}

void Bundle::entered(protocol::Group /*group*/) {
  const Happened usual = is_joining_ ? Happened::entered_kept : Happened::entered;
  const Happened how = is_adopted() ? Happened::adopted : usual;
  if (is_exclusive()) {
    COTERIE_ASSERT(inside_.empty());
    Claim& next = *line_.front();
    line_.pop_front();
    return admit(next, how);
  }
  const auto line = std::exchange(line_, {});
  for (Claim* const claim : line) admit(*claim, how);
}

void Bundle::admit(Claim& claim, Happened how) {
  Host& host = home_.host_;
  host.count(how);
  is_token_used_ = true;
  ++turns_;
  inside_.push_back(&claim);
  claim.come_in(requester_->token(), host.now());
  const std::string group =
      is_exclusive() ? std::string() : home_.groups_.name(requester_->group());
  keyring_.change(inside_);
  if (is_adopted()) {
    keyring_.tell(requester_->voters());
  } else if (!keyring_.empty()) {
    key_at_ = host.now() + host.key_after();
  }
  if (claim.owner.empty()) return host.granted(claim, group);
  claim.group = group;
  if (!is_exclusive()) claim.token += number_of_its_own();
  pinning_.begin(claim);
  pinning_.ask(requester_->voters());
}

// Who joins others has their token; but of two holds of one owner, the end of one must not be taken for that of the other.
Number Bundle::number_of_its_own() const {
  Host& host = home_.host_;
  const auto time = static_cast<Number>(host.clock().next(host.self()).time);
  return time * host.setting().processes + host.self();
}

// The arbiters have it now; what we have of them is not needed any more.
void Bundle::on(NodeId from, const Pinned& pinned) {
  if (!pinning_.is_about(pinned)) return;
  Claim& claim = pinning_.claim();
  if (pinned.is_refused) {
    remove(claim);
    return home_.refuse_pinned(claim, pinned);
  }
  if (!pinning_.is_done_by(from)) return;
  pinning_.end();
  inside_.clear();
  claim.bundle = nullptr;
  requester_->exit();
  if (requester_->is_keeping()) requester_->give_back();
  home_.host_.lasts(claim);
}

void Bundle::remove(Claim& claim) {
  claim.bundle = nullptr;
  if (is_adopted() && is_exclusive() && claim.is_released) disown(claim.ticket->token);
  if (!claim.is_inside) {
    line_.erase(std::find(line_.begin(), line_.end(), &claim));
    if (line_.empty() && requester_->is_waiting()) requester_->cancel();
    return;
  }
  inside_.erase(std::find(inside_.begin(), inside_.end(), &claim));
  keyring_.change(inside_);
  if (!inside_.empty()) {
    key_at_ = home_.host_.now() + home_.host_.key_after();
    return;
  }
  if (pinning_.is_on()) {
    pinning_.end();
    requester_->exit();
    if (requester_->is_keeping()) requester_->give_back();
    return;
  }
  // Its client may be inside by another member's leave, beside what we have; or may come to be, by what arbiters know of it.
  const bool may_be_elsewhere = !claim.is_released || keyring_.is_told();
  if (is_adopted() || (is_exclusive() && may_be_elsewhere)) return start_over();
  if (!line_.empty()) return admit_next();
  requester_->exit();
  if (!requester_->is_keeping()) return;
  if (home_.host_.keep() <= Duration{}) return requester_->give_back();
  keep_until_ = home_.host_.now() + home_.host_.keep();
}

// Another client of a mutex, before others who wait elsewhere: see takes_in_line().
void Bundle::admit_next() {
  if (requester_->renew()) {
    Claim& next = *line_.front();
    line_.pop_front();
    return admit(next, Happened::entered_next);
  }
  start_over();
}

// Those in line ask anew.
void Bundle::start_over() {
  keyring_.clear();
  requester_->exit();
  if (requester_->is_keeping()) requester_->give_back();
  if (!line_.empty()) ask();
}

// What its client had elsewhere is over too. The arbiters need not wait until that member's lease is.
void Bundle::disown(Number number) {
  for (const NodeId arbiter : home_.host_.reachable())
    home_.host_.ask(arbiter, {home_.name_, home_.kind_, slot_, Disown{adopted_, number, shown_}});
}

void Bundle::lost() {
  pinning_.end();
  const auto inside = std::exchange(inside_, {});
  for (Claim* const claim : inside) {
    claim->bundle = nullptr;
    home_.host_.count(Happened::lost);
    claim->owner.empty() || claim->is_burying
        ? home_.host_.lost(*claim)
        : home_.host_.withdraw(*claim, Refusal::look_first, kLostQuorum);
  }
  is_token_used_ = false;
  keyring_.clear();
  if (!line_.empty()) ask();
}

void Bundle::lapse(NodeId peer) {
  keyring_.lapse(peer);
  pinning_.lapse(peer);
  const bool was_kept = requester_->is_keeping();
  requester_->lapse(peer);
  if (was_kept && requester_->is_idle()) home_.host_.count(Happened::lost_kept);
}

// Only while nobody else waits, and only what one at a time may use: others share a token anyway.
Number Bundle::lend(Claim& claim, Number users) {
  if (!is_exclusive() || requester_->is_wanted() || !line_.empty() || keyring_.is_told()) return 0;
  if (!requester_->renew(users)) return 0;
  claim.is_lent = true;
  return requester_->token();
}

void Bundle::recall() {
  const auto inside = inside_;
  for (Claim* const claim : inside) {
    if (!claim->is_lent || !home_.host_.recall(*claim)) continue;
    claim->is_released = true;
    remove(*claim);
    home_.host_.taken_back(*claim);
  }
}

void Bundle::give_back() {
  recall();
  keep_until_ = Instant::never();
  if (requester_->is_keeping()) requester_->give_back();
}

bool Bundle::is_fresh(NodeId from, Time tag, Happened fresh, Happened stale) {
  const bool is_stale = requester_->is_stale(from, tag);
  home_.host_.count(is_stale ? stale : fresh);
  return !is_stale;
}

void Bundle::on(NodeId from, const Lock& lock) {
  if (!is_fresh(from, lock.tag, Happened::locked, Happened::lock_stale)) return;
  if (requester_->is_inside()) home_.host_.count(Happened::repaired);
  const protocol::Group group = is_exclusive() ? 0 : home_.groups_.number(lock.group);
  requester_->on(from, shares::Lock{lock.tag, group, lock.number, lock.is_wanted});
  if (keyring_.is_told()) tell_keys();
  pinning_.ask(requester_->voters());
}

void Bundle::on(NodeId from, const Inquire& inquire) {
  if (is_fresh(from, inquire.tag, Happened::inquired, Happened::inquired_stale))
    requester_->on(from, inquire);
}

void Bundle::on(NodeId from, const Wanted& wanted) {
  if (is_fresh(from, wanted.tag, Happened::wanted, Happened::wanted_stale))
    requester_->on(from, wanted);
}

void Bundle::on(NodeId from, const Queued& queued) {
  if (is_fresh(from, queued.tag, Happened::queued, Happened::queued_stale) &&
      requester_->is_waiting())
    refuse_tries(queued);
}

// Another kind is known where we asked: those who wait are told; who is inside will ask again.
void Bundle::on(NodeId from, const Mismatch& mismatch) {
  if (!is_fresh(from, mismatch.tag, Happened::mismatched, Happened::mismatched_stale)) return;
  requester_->declined(from);
  if (requester_->is_inside()) set_alarm();
  if (!requester_->is_waiting()) return;
  refuse_mismatched(home_.mismatch(mismatch.known));
  home_.give_in(mismatch.known);
}

void Bundle::set_alarm() { spare_at_ = home_.host_.now() + home_.host_.spare_after(); }

void Bundle::tell_keys() {
  if (!requester_->is_inside() || inside_.empty()) return;
  key_at_ = Instant::never();
  keyring_.tell(requester_->voters());
}

Instant Bundle::due() const {
  Instant due = std::min(keep_until_, first_late());
  if (requester_->is_inside()) due = std::min({due, spare_at_, key_at_});
  return due;
}

void Bundle::tick() {
  const Instant now = home_.host_.now();
  if (requester_->is_inside() && spare_at_ <= now) {
    spare_at_ = Instant::never();
    requester_->alarm({});
  }
  if (key_at_ <= now) {
    key_at_ = Instant::never();
    tell_keys();
  }
  if (keep_until_ <= now) give_back();
  refuse_late();
}

void Bundle::post(NodeId to, protocol::Label /*label*/) {
  Reader reader(written());
  shares::Message message;
  unpack(reader, message);
  COTERIE_ASSERT(reader.good());
  Packet<Ask> packet{home_.name_, home_.kind_, slot_, {}};
  if (const auto* request = std::get_if<shares::Request>(&message)) {
    packet.body =
        Request{request->tag, request->priority,
                is_exclusive() ? std::vector<std::string>() : home_.groups_.names(request->groups),
                has_tries(), is_exclusive() ? shown_ : Secret{}};
  } else if (const auto* yield = std::get_if<Yield>(&message)) {
    packet.body = *yield;
  } else {
    packet.body = std::get<Release>(message);
  }
  home_.host_.ask(to, std::move(packet));
}

void Bundle::post(const NodeSet& to, protocol::Label label) {
  for (const NodeId member : to) post(member, label);
}

}  // namespace coterie::member
