#include "member/resource.h"

#include <algorithm>

#include "base/assert.h"
#include "member/api.h"
#include "member/counting.h"
#include "member/sharing.h"

namespace coterie::member {

using protocol::Life;

Parts Parts::right() {
  namespace shares = protocol::shares;
  namespace census = protocol::census;
  return {[](const Context& context, NodeId first) {
            return std::make_unique<shares::Requester>(context, first);
          },
          [](const Context& context, Number number) {
            return std::make_unique<shares::Arbiter>(context, number);
          },
          [](const Counting& context, NodeId first) {
            return std::make_unique<census::Requester>(context, first);
          },
          [](const Counting& context, Number number) {
            return std::make_unique<census::Arbiter>(context, number);
          },
          [](const Resource& resource) { return resource.is_clear(); },
          [](const Resource& resource, const Vouch& vouch) { return resource.vouches_for(vouch); }};
}

std::unique_ptr<Resource> make_resource(const std::string& name, const Kind& kind, NodeId first,
                                        Host& host) {
  if (is_counted(kind)) return std::make_unique<Counting>(name, kind, first, host);
  return std::make_unique<Sharing>(name, kind, first, host);
}

std::vector<std::string> shown(std::vector<std::string> groups) {
  for (std::string& group : groups) {
    if (!group.empty() && group.front() == kAlone) group = kShownAlone;
  }
  return groups;
}

Resource::Resource(std::string name, Kind kind, NodeId first, Host& host)
    : name_(std::move(name)),
      kind_(kind),
      first_(first),
      host_(host),
      lastings_(host.setting().processes) {}

bool Resource::leave(Claim& claim) {
  drop(claim);
  return true;
}

void Resource::stay(Claim& /*claim*/) { COTERIE_ASSERT(false); }

void Resource::change(Claim& claim) { host_.refused(claim, Refusal::mismatch, mismatch(kind_)); }

// Where nobody must stay, nobody is asked.
void Resource::leave_for(Claim& claim) { bury(claim.owner, claim.token, &claim); }

NodeId Resource::id_of(NodeId member, Slot slot) const {
  return slot * static_cast<NodeId>(host_.setting().processes) + member;
}

NodeId Resource::member_of(NodeId id) const {
  return id % static_cast<NodeId>(host_.setting().processes);
}

void Resource::on_keys(NodeId from, Slot slot, const Keys& keys) {
  const Holder holder{id_of(from, slot), Life::present};
  if (!group_held(holder)) return;  // it was given back, or its lease was over, before this came
  host_.count(Happened::keyed);
  keys_[holder] = keys.keys;
  keys_changed();
}

bool Resource::has_key(const Holder& holder, const Secret& secret) const {
  const auto known = keys_.find(holder);
  bool is_known = false;
  if (known == keys_.end()) return false;
  for (const Key& key : known->second) is_known |= key.secret.is(secret);
  return is_known;
}

std::optional<Resource::Holder> Resource::holder_of(const Secret& secret) const {
  if (secret.is_none()) return std::nullopt;
  for (const auto& [holder, keys] : keys_) {
    if (has_key(holder, secret) && group_held(holder)) return holder;
  }
  return std::nullopt;
}

bool Resource::vouches_for(const Vouch& vouch) const {
  const std::optional<Holder> holder = holder_of(vouch.key.secret);
  if (!holder) return false;
  const bool has_group = kind_.type == Type::room || kind_.type == Type::band;
  if (has_group && group_held(*holder) != vouch.group) return false;
  const std::vector<Key>& keys = keys_.at(*holder);
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
    return key.secret.is(vouch.key.secret) && key.token == vouch.key.token;
  });
}

void Resource::move_keys(NodeId id) {
  const auto known = keys_.find({id, Life::present});
  if (known == keys_.end()) return;
  keys_[{id, Life::former}] = std::move(known->second);
  keys_.erase({id, Life::present});
}

ClaimView Resource::view_of(const Claim& claim, const Priority& priority) const {
  const auto ms = [](Duration duration) {
    return static_cast<Milliseconds>(std::max<std::int64_t>(0, duration.ns) / 1'000'000);
  };
  ClaimView seen;
  seen.client = claim.owner.empty() ? host_.label(claim) : claim.owner;
  seen.is_inside = claim.is_inside;
  seen.is_leaving = claim.is_leaving;
  seen.groups =
      shown(claim.is_inside && kind_.type == Type::room ? std::vector{claim.group} : claim.groups);
  seen.token = claim.token;
  seen.priority = priority;
  seen.since = ms(host_.now() - claim.since);
  if (claim.is_inside) seen.good_for = ms(host_.good_until(claim) - host_.now());
  return seen;
}

EntryView Resource::view_of(NodeId id, Life life) const {
  EntryView seen;
  seen.member = member_of(id);
  seen.is_former = life == Life::former;
  seen.lease_left = host_.lent_for(seen.member, life);
  return seen;
}

// Members that have something recorded here besides this request, and may say that it is over. Whoever ended a lasting hold
// may have told others first.
NodeSet Resource::recorded_beside(NodeId id) const {
  NodeSet members = host_.setting().none();
  for (NodeId peer = 0; peer < host_.setting().processes; ++peer) {
    const bool is_heard = peer == host_.self() || host_.lent_for(peer, Life::present) > 0;
    const std::vector<NodeId> ids = ids_of(peer, Life::present);
    const bool has_other = std::any_of(ids.begin(), ids.end(), [&](NodeId i) { return i != id; });
    if (is_heard && (has_other || has_lastings())) members.insert(peer);
  }
  return members;
}

void Resource::begin_trial(NodeId id, Time tag) {
  const NodeSet members = recorded_beside(id);
  if (members.empty()) return conclude_trial(id, tag);
  trials_.begin(id, {tag, members});
  for (const NodeId member : members) host_.answer(member, {name_, kind_, 0, Probe{id, tag}});
}

void Resource::on_probed(NodeId from, const Probed& probed) {
  for (const auto& [id, tag] : trials_.hear(from, probed)) conclude_trial(id, tag);
}

void Resource::end_trials_of(NodeId peer) {
  for (const auto& [id, tag] : trials_.forget(peer)) conclude_trial(id, tag);
}

void Resource::conclude_trial(NodeId id, Time tag) {
  const std::optional<Standing> standing = standing_of(id, tag);
  if (!standing || !standing->is_wanted) return;
  const auto slot = static_cast<Slot>(id / host_.setting().processes);
  host_.answer(member_of(id),
               {name_, kind_, slot, Queued{tag, standing->is_granted, host_.is_silent()}});
}

// Where nobody is inside yet, one member's clients may wait for one thing and another's for something else, and neither
// member votes for the other's: those who wait for the lesser go.
void Resource::give_in(const Kind& known) {
  if (known < kind_ || terms().version > 0 || has_inside() || has_lastings()) return;
  for (NodeId peer = 0; peer < host_.setting().processes; ++peer) {
    if (peer == host_.self()) continue;
    if (!ids_of(peer, Life::present).empty() || !ids_of(peer, Life::former).empty()) return;
  }
  refuse_waiting(mismatch(known));
}

std::string Resource::mismatch(const Kind& known) const {
  return '"' + name_ + "\" is in use as " + text_of(known) + "; you asked for " + text_of(kind_);
}

}  // namespace coterie::member
