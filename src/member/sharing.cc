#include "member/sharing.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/bundle.h"

namespace coterie::member {

using protocol::Group;
using protocol::Groups;
using protocol::Life;
namespace shares = protocol::shares;

// What the arbiter says, on its way to a bundle.
class Sharing::Voice final : public protocol::Outbox<shares::Message> {
 public:
  explicit Voice(Sharing& home) : home_(home) {}

  void entered(Group /*group*/) override {}
  void exited() override {}
  void set_alarm() override {}
  void lost() override {}
  void fenced(std::uint64_t /*token*/) override {}

 private:
  void post(NodeId to, protocol::Label /*label*/) override {
    Reader reader(written());
    shares::Message message;
    unpack(reader, message);
    COTERIE_ASSERT(reader.good());
    const auto members = static_cast<NodeId>(home_.host_.setting().processes);
    Packet<Answer> packet{home_.name_, home_.kind_, to / members, {}};
    if (const auto* lock = std::get_if<shares::Lock>(&message)) {
      const bool has_name = home_.kind_.type == Type::room;
      packet.body = Lock{lock->tag, has_name ? home_.groups_.name(lock->group) : std::string(),
                         lock->number, lock->is_wanted};
    } else if (const auto* inquire = std::get_if<Inquire>(&message)) {
      packet.body = *inquire;
    } else {
      packet.body = std::get<Wanted>(message);
    }
    home_.host_.use(home_.arbiter_->number());
    home_.host_.answer(to % members, std::move(packet));
  }
  void post(const NodeSet& to, protocol::Label label) override {
    for (const NodeId member : to) post(member, label);
  }

  Sharing& home_;
};

Sharing::Sharing(std::string name, Kind kind, NodeId first, Host& host)
    : Resource(std::move(name), kind, first, host) {}

Sharing::~Sharing() = default;

template <class Does>
void Sharing::each_bundle(const Does& does) {
  for (const auto& bundle : bundles_) {
    if (bundle) does(*bundle);
  }
  sweep();
}

void Sharing::acquire(Claim& claim) {
  const Groups groups = kind_.type == Type::room ? groups_.numbers(claim.groups) : Groups{0};
  if (claim.ticket) return new_bundle().adopt(claim, groups);
  Bundle* const bundle = claim.owner.empty() ? bundle_for(groups) : nullptr;
  if (claim.is_try && bundle != nullptr && !bundle->admits(groups)) {
    host_.refused(claim, Refusal::would_wait, "others of the same member are before you");
  } else {
    (bundle != nullptr ? *bundle : spare_bundle()).add(claim, groups);
  }
  sweep();
}

// One that lets it in, or else one in whose line it may wait.
Bundle* Sharing::bundle_for(const Groups& groups) {
  const auto first = [&](const auto& will_do) {
    const auto place = std::find_if(bundles_.begin(), bundles_.end(),
                                    [&](const auto& bundle) { return bundle && will_do(*bundle); });
    return place != bundles_.end() ? place->get() : nullptr;
  };
  if (Bundle* const open = first([&](const Bundle& bundle) { return bundle.admits(groups); }))
    return open;
  return first([&](const Bundle& bundle) { return bundle.takes_in_line(groups); });
}

// One that keeps what nobody of this member wants now, or a new one.
Bundle& Sharing::spare_bundle() {
  std::size_t slot = 0;
  while (slot < bundles_.size() && bundles_[slot] && !bundles_[slot]->requester().is_keeping())
    ++slot;
  return slot < bundles_.size() && bundles_[slot] ? *bundles_[slot] : new_bundle();
}

Bundle& Sharing::new_bundle() {
  const auto free = std::find(bundles_.begin(), bundles_.end(), nullptr);
  const auto slot = static_cast<std::size_t>(free - bundles_.begin());
  if (slot == bundles_.size()) bundles_.emplace_back();
  bundles_[slot] = std::make_unique<Bundle>(*this, static_cast<Slot>(slot));
  return *bundles_[slot];
}

void Sharing::drop(Claim& claim) {
  claim.bundle->remove(claim);
  sweep();
}

// Bundles that nobody uses are gone; so are the names of groups.
void Sharing::sweep() {
  for (auto& bundle : bundles_) {
    if (bundle && bundle->is_empty()) bundle.reset();
  }
  while (!bundles_.empty() && !bundles_.back()) bundles_.pop_back();
  if (groups_.is_crowded()) forget_groups();
}

void Sharing::forget_groups() {
  Groups in_use;
  const auto use = [&](const Groups& groups) {
    for (const Group group : groups) in_use.insert(group);
  };
  for (const auto& bundle : bundles_) {
    if (!bundle) continue;
    use(bundle->groups());
    use({bundle->requester().group()});
  }
  if (arbiter_) {
    use({arbiter_->group()});
    for (const auto& [key, entry] : arbiter_->entries()) use(entry.groups);
  }
  groups_.keep_only(in_use);
}

void Sharing::on_ask(NodeId from, const Packet<Ask>& packet) {
  if (packet.slot >= kMostSlots) return host_.count(Happened::impossible);
  std::visit(
      [&]<class Body>(const Body& body) {
        if constexpr (requires { arbitrate(from, packet.slot, body); }) {
          arbitrate(from, packet.slot, body);
        } else {
          host_.count(Happened::impossible);  // who shares does not count
        }
      },
      packet.body);
  if (arbiter_) host_.use(arbiter_->number());
  sweep();
}

void Sharing::arbitrate(NodeId from, Slot slot, const Request& request) {
  const NodeId id = id_of(from, slot);
  const shares::Arbiter::Entry* const known = arbiter().find(id);
  const bool is_raised = known != nullptr && known->tag == request.tag;
  if ((known != nullptr && !is_raised) || (kind_.type == Type::room && request.groups.empty()))
    return host_.count(Happened::impossible);
  host_.count(is_raised ? Happened::request_raised : Happened::requested);
  if (!is_raised) forget_keys({id, Life::present});
  Groups groups;
  if (kind_.type == Type::room) {
    groups = groups_.numbers(request.groups);
  } else {
    groups = is_raised ? known->groups : Groups{group_of(request)};
  }
  arbiter().on(id, shares::Request{request.tag, request.priority, groups});
  if (request.is_try && !arbiter().find(id)->has_share) begin_trial(id, request.tag);
}

std::optional<Resource::Standing> Sharing::standing_of(NodeId id, Time tag) const {
  const shares::Arbiter::Entry* const known = arbiter_ ? arbiter_->find(id) : nullptr;
  if (known == nullptr || known->tag != tag) return std::nullopt;
  return Standing{known->has_share, !known->has_share};
}

// Every request for a mutex is a group of its own, but for two of one client.
Group Sharing::group_of(const Request& request) const {
  const std::optional<Holder> other = holder_of(request.beside);
  return other ? arbiter_->entries().at(*other).groups.front() : unused_group();
}

Group Sharing::unused_group() const {
  Groups used;
  for (const auto& [key, entry] : arbiter_->entries()) used.insert(entry.groups.front());
  Group group = 0;
  while (used.accepts(group)) ++group;
  return group;
}

const Sharing::Keyed* Sharing::entry_of(const Origin& origin) const {
  const auto life = origin.incarnation != 0 ? host_.life_of(origin) : std::nullopt;
  if (!life || !arbiter_) return nullptr;
  const auto place = arbiter_->entries().find({id_of(origin.member, origin.slot), *life});
  const bool is_it =
      place != arbiter_->entries().end() && place->second.priority.stamp.time == origin.since;
  return is_it ? &*place : nullptr;
}

// That member may live, and believe that it has this share; but for this one client, which is out. It will use it for
// nobody else: see Bundle::remove().
void Sharing::arbitrate(NodeId /*from*/, Slot /*slot*/, const Disown& disown) {
  if (kind_.type != Type::mutex) return host_.count(Happened::impossible);
  host_.count(Happened::disowned);
  const Keyed* const known = entry_of(disown.origin);
  // Who does not know the secret is believed nothing: neither that it is out, nor its number.
  if (known == nullptr || !has_key(known->first, disown.secret)) return;
  const auto [id, life] = known->first;
  forget_keys(known->first);
  arbiter().forget(id, life, disown.number);
}

void Sharing::arbitrate(NodeId from, Slot slot, const Yield& yield) {
  const NodeId id = id_of(from, slot);
  count_known(id, yield.tag, Happened::yielded, Happened::yielded_stale);
  arbiter().on(id, yield);
}

void Sharing::arbitrate(NodeId from, Slot slot, const Release& release) {
  const NodeId id = id_of(from, slot);
  count_known(id, release.tag, Happened::released, Happened::released_stale);
  if (const auto* const known = arbiter().find(id); known != nullptr && known->tag == release.tag)
    forget_keys({id, Life::present});
  arbiter().on(id, release);
}

void Sharing::count_known(NodeId id, Time tag, Happened fresh, Happened stale) {
  const shares::Arbiter::Entry* const known = arbiter().find(id);
  host_.count(known != nullptr && known->tag == tag ? fresh : stale);
}

shares::Arbiter& Sharing::arbiter() {
  if (!arbiter_) {
    voice_ = std::make_unique<Voice>(*this);
    arbiter_ = host_.parts().arbiter({host_.setting(), host_.self(), host_.clock(), *voice_},
                                     host_.floor());
    if (host_.is_silent()) arbiter_->begin_silence();
  }
  return *arbiter_;
}

std::optional<std::string> Sharing::group_held(const Holder& holder) const {
  if (!arbiter_) return std::nullopt;
  const auto known = arbiter_->entries().find(holder);
  if (known == arbiter_->entries().end() || !known->second.has_share) return std::nullopt;
  return kind_.type == Type::room ? groups_.name(arbiter_->group()) : std::string();
}

bool Sharing::rests_here(NodeId id) const {
  const shares::Arbiter::Entry* const known = arbiter_ ? arbiter_->find(id) : nullptr;
  return known != nullptr && known->has_share;
}

void Sharing::pin_entry(std::optional<NodeId> held_by, const Lasting& lasting) {
  Group group = 0;
  if (kind_.type == Type::room) {
    group = groups_.number(lasting.group);
  } else {
    arbiter();
    group = held_by ? arbiter_->find(*held_by)->groups.front() : unused_group();
  }
  arbiter().pin(Resource::id_of(lasting), group);
  arbiter().raise(lasting.token);
  host_.use(arbiter().number());
}

void Sharing::unpin_entry(const Lasting& lasting, bool has_number) {
  if (has_number) arbiter().raise(lasting.token);
  arbiter().unpin(Resource::id_of(lasting));
  host_.use(arbiter().number());
}

void Sharing::on_answer(NodeId from, const Packet<Answer>& packet) {
  Bundle* const bundle = packet.slot < bundles_.size() ? bundles_[packet.slot].get() : nullptr;
  if (bundle == nullptr) return host_.count(Happened::answer_to_nobody);
  std::visit(
      [&]<class Body>(const Body& body) {
        if constexpr (requires { bundle->on(from, body); }) {
          bundle->on(from, body);
        } else {
          host_.count(Happened::impossible);
        }
      },
      packet.body);
  if (bundle->requester().is_wanted()) bundle->recall();
  sweep();
}

void Sharing::on_up(NodeId peer) {
  tell_of_lastings(peer);
  each_bundle([&](Bundle& bundle) { bundle.requester().up(peer); });
}
void Sharing::on_suspect(NodeId peer) {
  each_bundle([&](Bundle& bundle) { bundle.requester().suspect(peer); });
}
void Sharing::on_trust(NodeId peer) {
  each_bundle([&](Bundle& bundle) { bundle.requester().trust(peer); });
}
void Sharing::on_lapse(NodeId peer) {
  each_bundle([&](Bundle& bundle) { bundle.lapse(peer); });
}

// The ids of the peer's bundles that have entries here.
std::vector<NodeId> Sharing::ids_of(NodeId peer, Life life) const {
  std::vector<NodeId> ids;
  if (!arbiter_) return ids;
  for (const auto& [key, entry] : arbiter_->entries()) {
    if (key.first < kFirstOwner && key.second == life && member_of(key.first) == peer)
      ids.push_back(key.first);
  }
  return ids;
}

void Sharing::on_reborn(NodeId peer) {
  for (const NodeId id : ids_of(peer, Life::present)) {
    arbiter_->up(id);
    move_keys(id);
  }
  end_trials_of(peer);
  if (arbiter_) host_.use(arbiter_->number());
}

void Sharing::on_expire(NodeId peer, Life life) {
  for (const NodeId id : ids_of(peer, life)) {
    forget_keys({id, life});
    arbiter_->expire(id, life);
  }
  if (life == Life::present) end_trials_of(peer);
  if (arbiter_) host_.use(arbiter_->number());
}

void Sharing::end_silence() {
  if (!arbiter_) return;
  arbiter_->raise(host_.floor());
  arbiter_->end_silence();
  host_.use(arbiter_->number());
}

void Sharing::give_back() {
  each_bundle([](Bundle& bundle) { bundle.give_back(); });
}

Number Sharing::lend(Claim& claim, Number users) { return claim.bundle->lend(claim, users); }

void Sharing::tell_keys() {
  each_bundle([](Bundle& bundle) { bundle.tell_keys(); });
}

void Sharing::recall() {
  each_bundle([](Bundle& bundle) { bundle.recall(); });
}

Instant Sharing::due() const {
  Instant due = lastings_due();
  for (const auto& bundle : bundles_) {
    if (bundle) due = std::min(due, bundle->due());
  }
  return due;
}

void Sharing::tick() {
  tick_lastings();
  each_bundle([](Bundle& bundle) { bundle.tick(); });
}

bool Sharing::is_idle() const { return terms_.version == 0 && !has_lastings() && is_clear(); }

bool Sharing::has_entry(NodeId member, Slot slot) const {
  return arbiter_ && arbiter_->find(id_of(member, slot)) != nullptr;
}

bool Sharing::has_entries() const { return arbiter_ && !arbiter_->entries().empty(); }

void Sharing::wind_up(const std::string& why, const Terms& /*terms*/) {
  refuse_waiting(why);
  give_back();
}

void Sharing::refuse_waiting(const std::string& why) {
  for (const auto& bundle : bundles_) {
    if (bundle) bundle->refuse_all(why);
  }
}

bool Sharing::has_inside() const {
  return std::any_of(bundles_.begin(), bundles_.end(),
                     [](const auto& bundle) { return bundle && !bundle->inside().empty(); });
}

void Sharing::agree(const Terms& terms) {
  if (terms.version <= terms_.version) return;
  terms_ = terms;
  save();
}

Number Sharing::number() const { return arbiter_ ? arbiter_->number() : 0; }

NodeSet Sharing::voters(const Claim& claim) const { return claim.bundle->requester().voters(); }

Origin Sharing::origin(const Claim& claim) const {
  return {host_.self(), host_.incarnation(), claim.bundle->slot(),
          claim.bundle->requester().stamp().time};
}

void Sharing::look(View& view) const {
  view.kind = kind_;
  view.version = terms_.version;
  for (const auto& bundle : bundles_) {
    if (!bundle) continue;
    view.is_kept = view.is_kept || bundle->requester().is_keeping();
    const Priority priority = bundle->requester().priority();
    for (const Claim* const claim : bundle->inside())
      view.claims.push_back(view_of(*claim, priority));
    for (const Claim* const claim : bundle->line())
      view.claims.push_back(view_of(*claim, priority));
  }
  if (arbiter_) look_at_entries(view);
  look_at_lastings(view);
}

void Sharing::look_at_entries(View& view) const {
  std::vector<shares::Arbiter::Entries::const_iterator> order;
  for (auto entry = arbiter_->entries().begin(); entry != arbiter_->entries().end(); ++entry)
    order.push_back(entry);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(!a->second.has_share, a->second.priority) <
           std::pair(!b->second.has_share, b->second.priority);
  });
  for (const auto& place : order) {
    const auto& [key, entry] = *place;
    if (key.first >= kFirstOwner) continue;
    EntryView seen = view_of(key.first, key.second);
    seen.has_share = entry.has_share;
    if (kind_.type == Type::room) seen.groups = shown(groups_.names(entry.groups));
    view.entries.push_back(std::move(seen));
  }
}

}  // namespace coterie::member
