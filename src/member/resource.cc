#include "member/resource.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/alone.h"
#include "member/bundle.h"

namespace coterie::member {

using protocol::Group;
using protocol::Groups;
using protocol::Life;
namespace shares = protocol::shares;

Parts Parts::right() {
  return {[](const Context& context, NodeId first) {
            return std::make_unique<shares::Requester>(context, first);
          },
          [](const Context& context, Number number) {
            return std::make_unique<shares::Arbiter>(context, number);
          }};
}

namespace {

// Groups as people see them.
std::vector<std::string> shown(std::vector<std::string> groups) {
  for (std::string& group : groups) {
    if (group.front() == kAlone) group = kShownAlone;
  }
  return groups;
}

}  // namespace

// What the arbiter says, on its way to a bundle.
class Resource::Voice final : public protocol::Outbox<shares::Message> {
 public:
  explicit Voice(Resource& home) : home_(home) {}

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

  Resource& home_;
};

Resource::Resource(std::string name, Kind kind, NodeId first, Host& host)
    : name_(std::move(name)), kind_(kind), first_(first), host_(host) {}

Resource::~Resource() = default;

template <class Does>
void Resource::each_bundle(const Does& does) {
  for (const auto& bundle : bundles_) {
    if (bundle) does(*bundle);
  }
  sweep();
}

void Resource::acquire(Claim& claim) {
  const Groups groups = kind_.type == Type::room ? groups_.numbers(claim.groups) : Groups{0};
  Bundle* const bundle = bundle_for(groups);
  if (claim.is_try && bundle != nullptr && !bundle->admits(groups)) {
    host_.refused(claim, Refusal::would_wait, "others of the same member are before you");
  } else {
    (bundle != nullptr ? *bundle : spare_bundle()).add(claim, groups);
  }
  sweep();
}

// One that lets it in, or else one in whose line it may wait.
Bundle* Resource::bundle_for(const Groups& groups) {
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
Bundle& Resource::spare_bundle() {
  std::size_t slot = 0;
  while (slot < bundles_.size() && bundles_[slot] && !bundles_[slot]->requester().is_keeping())
    ++slot;
  if (slot == bundles_.size()) bundles_.emplace_back();
  if (!bundles_[slot]) bundles_[slot] = std::make_unique<Bundle>(*this, static_cast<Slot>(slot));
  return *bundles_[slot];
}

void Resource::drop(Claim& claim) {
  claim.bundle->remove(claim);
  sweep();
}

// Bundles that nobody uses are gone; so are the names of groups.
void Resource::sweep() {
  for (auto& bundle : bundles_) {
    if (bundle && bundle->is_empty()) bundle.reset();
  }
  while (!bundles_.empty() && !bundles_.back()) bundles_.pop_back();
  if (groups_.is_crowded()) forget_groups();
}

void Resource::forget_groups() {
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

void Resource::on_ask(NodeId from, const Packet<Ask>& packet) {
  constexpr Slot kMostSlots = 1U << 16U;
  if (packet.slot >= kMostSlots) return host_.count(Happened::impossible);
  std::visit([&](const auto& body) { arbitrate(from, packet.slot, body); }, packet.body);
  if (arbiter_) host_.use(arbiter_->number());
  sweep();
}

void Resource::arbitrate(NodeId from, Slot slot, const Request& request) {
  const NodeId id = id_of(from, slot);
  const shares::Arbiter::Entry* const known = arbiter().find(id);
  const bool is_raised = known != nullptr && known->tag == request.tag;
  if ((known != nullptr && !is_raised) || (kind_.type == Type::room && request.groups.empty()))
    return host_.count(Happened::impossible);
  host_.count(is_raised ? Happened::request_raised : Happened::requested);
  Groups groups;
  if (kind_.type == Type::room) {
    groups = groups_.numbers(request.groups);
  } else {
    groups = is_raised ? known->groups : Groups{unused_group()};
  }
  arbiter().on(id, shares::Request{request.tag, request.priority, groups});
  if (!request.is_try) return;
  const shares::Arbiter::Entry* const entry = arbiter().find(id);
  if (!entry->has_share) host_.answer(from, {name_, kind_, slot, Queued{request.tag}});
}

// Every request for a mutex is a group of its own.
Group Resource::unused_group() const {
  Groups used;
  for (const auto& [key, entry] : arbiter_->entries()) used.insert(entry.groups.front());
  Group group = 0;
  while (used.accepts(group)) ++group;
  return group;
}

void Resource::arbitrate(NodeId from, Slot slot, const Yield& yield) {
  const NodeId id = id_of(from, slot);
  count_known(id, yield.tag, Happened::yielded, Happened::yielded_stale);
  arbiter().on(id, yield);
}

void Resource::arbitrate(NodeId from, Slot slot, const Release& release) {
  const NodeId id = id_of(from, slot);
  count_known(id, release.tag, Happened::released, Happened::released_stale);
  arbiter().on(id, release);
}

void Resource::count_known(NodeId id, Time tag, Happened fresh, Happened stale) {
  const shares::Arbiter::Entry* const known = arbiter().find(id);
  host_.count(known != nullptr && known->tag == tag ? fresh : stale);
}

shares::Arbiter& Resource::arbiter() {
  if (!arbiter_) {
    voice_ = std::make_unique<Voice>(*this);
    arbiter_ = host_.parts().arbiter({host_.setting(), host_.self(), host_.clock(), *voice_},
                                     host_.floor());
    if (host_.is_silent()) arbiter_->begin_silence();
  }
  return *arbiter_;
}

void Resource::on_answer(NodeId from, const Packet<Answer>& packet) {
  Bundle* const bundle = packet.slot < bundles_.size() ? bundles_[packet.slot].get() : nullptr;
  if (bundle == nullptr) return host_.count(Happened::answer_to_nobody);
  std::visit([&](const auto& body) { bundle->on(from, body); }, packet.body);
  if (bundle->requester().is_wanted()) bundle->recall();
  sweep();
}

void Resource::on_up(NodeId peer) {
  each_bundle([&](Bundle& bundle) { bundle.requester().up(peer); });
}
void Resource::on_suspect(NodeId peer) {
  each_bundle([&](Bundle& bundle) { bundle.requester().suspect(peer); });
}
void Resource::on_trust(NodeId peer) {
  each_bundle([&](Bundle& bundle) { bundle.requester().trust(peer); });
}
void Resource::on_lapse(NodeId peer) {
  each_bundle([&](Bundle& bundle) { bundle.lapse(peer); });
}

// The ids of the peer's bundles that have entries here.
std::vector<NodeId> Resource::ids_of(NodeId peer, Life life) const {
  std::vector<NodeId> ids;
  if (!arbiter_) return ids;
  for (const auto& [key, entry] : arbiter_->entries()) {
    if (key.second == life && key.first % host_.setting().processes == peer)
      ids.push_back(key.first);
  }
  return ids;
}

void Resource::on_reborn(NodeId peer) {
  for (const NodeId id : ids_of(peer, Life::present)) arbiter_->up(id);
  if (arbiter_) host_.use(arbiter_->number());
}

void Resource::on_expire(NodeId peer, Life life) {
  for (const NodeId id : ids_of(peer, life)) arbiter_->expire(id, life);
  if (arbiter_) host_.use(arbiter_->number());
}

void Resource::end_silence() {
  if (!arbiter_) return;
  arbiter_->raise(host_.floor());
  arbiter_->end_silence();
  host_.use(arbiter_->number());
}

void Resource::give_back() {
  each_bundle([](Bundle& bundle) { bundle.give_back(); });
}

Number Resource::lend(Claim& claim, Number users) { return claim.bundle->lend(claim, users); }

void Resource::recall() {
  each_bundle([](Bundle& bundle) { bundle.recall(); });
}

Instant Resource::due() const {
  Instant due = Instant::never();
  for (const auto& bundle : bundles_) {
    if (bundle) due = std::min(due, bundle->due());
  }
  return due;
}

void Resource::tick() {
  each_bundle([](Bundle& bundle) { bundle.tick(); });
}

bool Resource::is_idle() const {
  return bundles_.empty() && (!arbiter_ || arbiter_->entries().empty());
}

bool Resource::is_kept_only() const {
  return !bundles_.empty() && std::all_of(bundles_.begin(), bundles_.end(), [](const auto& bundle) {
    return !bundle || bundle->requester().is_keeping();
  });
}

Number Resource::number() const { return arbiter_ ? arbiter_->number() : 0; }

NodeSet Resource::voters(const Claim& claim) { return claim.bundle->requester().voters(); }

NodeId Resource::id_of(NodeId member, Slot slot) const {
  return slot * static_cast<NodeId>(host_.setting().processes) + member;
}

void Resource::look(View& view) const {
  view.kind = kind_;
  const auto ms = [&](Duration duration) {
    return static_cast<Milliseconds>(std::max<std::int64_t>(0, duration.ns) / 1'000'000);
  };
  for (const auto& bundle : bundles_) {
    if (!bundle) continue;
    view.is_kept = view.is_kept || bundle->requester().is_keeping();
    const auto add = [&](const Claim& claim) {
      ClaimView& seen = view.claims.emplace_back();
      seen.client = host_.label(claim);
      seen.is_inside = claim.is_inside;
      if (kind_.type == Type::room)
        seen.groups = shown(claim.is_inside ? std::vector{groups_.name(bundle->requester().group())}
                                            : claim.groups);
      seen.token = claim.token;
      seen.priority = bundle->requester().priority();
      seen.since = ms(host_.now() - claim.since);
      if (claim.is_inside) seen.good_for = ms(host_.good_until(claim) - host_.now());
    };
    for (const Claim* const claim : bundle->inside()) add(*claim);
    for (const Claim* const claim : bundle->line()) add(*claim);
  }
  if (arbiter_) look_at_entries(view);
}

void Resource::look_at_entries(View& view) const {
  std::vector<shares::Arbiter::Entries::const_iterator> order;
  for (auto entry = arbiter_->entries().begin(); entry != arbiter_->entries().end(); ++entry)
    order.push_back(entry);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(!a->second.has_share, a->second.priority) <
           std::pair(!b->second.has_share, b->second.priority);
  });
  for (const auto& place : order) {
    const auto& [key, entry] = *place;
    EntryView& seen = view.entries.emplace_back();
    seen.member = key.first % static_cast<NodeId>(host_.setting().processes);
    seen.is_former = key.second == Life::former;
    seen.has_share = entry.has_share;
    if (kind_.type == Type::room) seen.groups = shown(groups_.names(entry.groups));
    seen.lease_left = host_.lent_for(seen.member, key.second);
  }
}

}  // namespace coterie::member
