// A name where those inside are counted: what its arbiter hears and says.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/counting.h"
#include "member/seat.h"

namespace coterie::member {

using protocol::Group;
using protocol::Groups;
using protocol::Life;
namespace census = protocol::census;

namespace {

protocol::Setting setting_for(const Kind& kind, const protocol::Setting& members) {
  protocol::Setting setting = members;
  setting.version.variants.clear();
  if (kind.type == Type::room) setting.version.variants = {"rooms"};
  if (kind.type == Type::band) setting.version.variants = {"band"};
  setting.min = kind.min;
  setting.max = kind.max;
  return setting;
}

}  // namespace

// What the arbiter says, on its way to a seat.
class Counting::Voice final : public protocol::Outbox<census::Message> {
 public:
  explicit Voice(Counting& home) : home_(home) {}

  void entered(Group /*group*/) override {}
  void exited() override {}
  void set_alarm() override {}
  void lost() override {}
  void fenced(std::uint64_t /*token*/) override {}

 private:
  void post(NodeId to, protocol::Label /*label*/) override {
    Reader reader(written());
    census::Message message;
    unpack(reader, message);
    COTERIE_ASSERT(reader.good());
    const auto members = static_cast<NodeId>(home_.setting_.processes);
    Packet<Answer> packet{home_.name_, home_.kind_, to / members, {}};
    if (const auto* grant = std::get_if<census::Grant>(&message)) {
      packet.body = Grant{grant->tag, grant->number, home_.named(grant->census, to), grant->terms};
    } else if (const auto* update = std::get_if<census::Update>(&message)) {
      packet.body = Update{update->tag, home_.named(update->census, to), update->terms};
    } else {
      packet.body = std::get<Preempt>(message);
    }
    home_.host_.use(home_.arbiter_->number());
    home_.host_.answer(home_.member_of(to), std::move(packet));
  }
  void post(const NodeSet& to, protocol::Label label) override {
    for (const NodeId member : to) post(member, label);
  }

  Counting& home_;
};

Counting::Counting(std::string name, Kind kind, NodeId first, Host& host)
    : Resource(std::move(name), kind, first, host), setting_(setting_for(kind_, host.setting())) {}

Counting::~Counting() = default;

census::Arbiter& Counting::arbiter() {
  if (!arbiter_) {
    voice_ = std::make_unique<Voice>(*this);
    arbiter_ =
        host_.parts().teller({setting_, host_.self(), host_.clock(), *voice_}, host_.floor());
    if (host_.is_silent()) arbiter_->begin_silence();
  }
  return *arbiter_;
}

void Counting::on_ask(NodeId from, const Packet<Ask>& packet) {
  if (packet.slot >= kMostSlots) return host_.count(Happened::impossible);
  std::visit(
      [&]<class Body>(const Body& body) {
        if constexpr (requires { arbitrate(from, packet.slot, body); }) {
          arbitrate(from, packet.slot, body);
        } else {
          host_.count(Happened::impossible);  // who counts does not share
        }
      },
      packet.body);
  if (arbiter_) host_.use(arbiter_->number());
  sweep();
}

const census::Arbiter::Entry* Counting::entry_of(NodeId id) const {
  if (!arbiter_) return nullptr;
  const auto known = arbiter_->entries().find({id, Life::present});
  return known != arbiter_->entries().end() ? &known->second : nullptr;
}

void Counting::arbitrate(NodeId from, Slot slot, const Poll& poll) {
  const NodeId id = id_of(from, slot);
  if (entry_of(id) != nullptr || (poll.way == census::Way::out && !has_floor()))
    return host_.count(Happened::impossible);
  host_.count(Happened::polled);
  shown_.erase(id);
  if (!poll.beside.is_none()) shown_[id] = poll.beside;
  arbiter().on(id, census::Request{poll.tag, poll.priority, poll.way});
  const bool is_sure = arbiter().census().empty() && !has_lastings();
  if (poll.is_try && (!entry_of(id)->has_vote || !is_sure)) begin_trial(id, poll.tag);
}

// Who has the vote is told, too: it has counted those whom we had recorded.
std::optional<Resource::Standing> Counting::standing_of(NodeId id, Time tag) const {
  const census::Arbiter::Entry* const known = entry_of(id);
  if (known == nullptr || known->tag != tag) return std::nullopt;
  return Standing{known->has_vote, true};
}

void Counting::arbitrate(NodeId from, Slot slot, const Yield& yield) {
  const NodeId id = id_of(from, slot);
  const census::Arbiter::Entry* const known = entry_of(id);
  const bool is_known = known != nullptr && known->tag == yield.tag;
  host_.count(is_known ? Happened::yielded : Happened::yielded_stale);
  arbiter().on(id, census::Yield{yield.tag, yield.number});
}

// Only who has the vote may use it.
void Counting::arbitrate(NodeId from, Slot slot, const Commit& commit) {
  const NodeId id = id_of(from, slot);
  const census::Arbiter::Entry* const known = entry_of(id);
  if (known == nullptr || known->tag != commit.tag || !known->has_vote)
    return host_.count(Happened::impossible);
  host_.count(Happened::committed);
  const bool is_out = known->way == census::Way::out;
  if (!is_out && has_left(commit.group, commit.number))
    return arbiter_->on(id, Withdraw{commit.tag});
  // Before the vote is the next one's, who must not count it.
  if (!commit.owner.empty()) on_end(from, commit.owner, commit.number);
  const Terms before = arbiter_->terms();
  const std::optional<Holder> former = former_of(id);
  shown_.erase(id);
  if (is_out || !rests_here(id)) forget_keys({id, Life::present});
  // The token of a lasting hold is what its client says. Where the hold was written down, numbers have passed it.
  arbiter_->on(id, census::Commit{commit.tag, commit.owner.empty() ? commit.number : 0,
                                  number_of(commit.group), commit.arms, commit.is_shown});
  // One client, one record. In rooms others may be inside by the same.
  if (former && former->first != id && kind_.type != Type::room) {
    forget_keys(*former);
    arbiter_->take_out(*former);
  }
  if (arbiter_->terms() != before) save();
  if (is_out && has_floor() && commit.owner.empty() && commit.number != 0)
    drop_left_behind(from, slot, commit);
}

// A participant that moves leaves its record behind at its former member, which may live and go on repairing a hold that is over:
// others would leave because of that record. A participant that leaves soon after it has moved has the votes of all members
// (Seat::Seat), so that all of them hear of it here: a former member lets the hold go, and arbiters record it no more. The next entry
// of the same participant, which may be here already, has a greater token. The token of an owner's hold is what its client says,
// and is not believed. Without a maximum there are no tokens: there a participant leaves when no member has its former record.
void Counting::drop_left_behind(NodeId from, Slot slot, const Commit& commit) {
  const Instant now = host_.now();
  std::erase_if(left_, [&](const auto& item) { return item.second.until <= now; });
  left_[commit.group] = {commit.number, now + host_.lent() * 2 + host_.session()};
  const Group name = number_of(commit.group);
  for (const auto& seat : seats_) {
    const bool is_leaver = seat && from == host_.self() && seat->slot() == slot;
    if (seat && !is_leaver && seat->is_behind(from, name, commit.number)) seat->give_up_hold();
  }
  sweep();
}

bool Counting::has_left(const std::string& group, Number token) const {
  const auto known = left_.find(group);
  return known != left_.end() && token <= known->second.token && host_.now() < known->second.until;
}

std::optional<std::string> Counting::group_held(const Holder& holder) const {
  if (!arbiter_) return std::nullopt;
  const auto known = arbiter_->census().find(holder);
  if (known == arbiter_->census().end()) return std::nullopt;
  return name_of(known->second.group);
}

std::optional<Resource::Holder> Counting::former_of(NodeId id) const {
  const auto shown = shown_.find(id);
  return shown != shown_.end() ? holder_of(shown->second) : std::nullopt;
}

// Who has our vote, and counted its own client as another's, counts again.
void Counting::keys_changed() {
  if (!shown_.empty()) arbiter().agree_on(arbiter().terms());
}

bool Counting::rests_here(NodeId id) const {
  return arbiter_ && arbiter_->census().contains({id, Life::present});
}

void Counting::pin_entry(std::optional<NodeId> /*held_by*/, const Lasting& lasting) {
  arbiter().raise(lasting.token);
  arbiter().pin(Resource::id_of(lasting), number_of(has_floor() ? lasting.owner : lasting.group));
}

void Counting::unpin_entry(const Lasting& lasting, bool has_number) {
  if (has_number) arbiter().raise(lasting.token);
  arbiter().unpin(Resource::id_of(lasting));
}

void Counting::forget_entry(const Lasting& lasting) {
  if (arbiter_) arbiter_->forget(Resource::id_of(lasting));
}

void Counting::arbitrate(NodeId from, Slot slot, const Withdraw& withdraw) {
  host_.count(Happened::withdrawn);
  if (const auto* const known = entry_of(id_of(from, slot));
      known != nullptr && known->tag == withdraw.tag)
    shown_.erase(id_of(from, slot));
  arbiter().on(id_of(from, slot), withdraw);
}

void Counting::arbitrate(NodeId from, Slot slot, const Record& record) {
  host_.count(Happened::recorded);
  if (!rests_here(id_of(from, slot))) forget_keys({id_of(from, slot), Life::present});
  arbiter().on(id_of(from, slot), census::Record{number_of(record.group)});
}

void Counting::arbitrate(NodeId from, Slot slot, const Erase& erase) {
  host_.count(Happened::erased);
  forget_keys({id_of(from, slot), Life::present});
  arbiter().on(id_of(from, slot), erase);
}

// The ids of the peer that have entries or records here.
std::vector<NodeId> Counting::ids_of(NodeId peer, Life life) const {
  std::vector<NodeId> ids;
  if (!arbiter_) return ids;
  const auto add = [&](const auto& key) {
    if (key.first < kFirstOwner && key.second == life && member_of(key.first) == peer)
      ids.push_back(key.first);
  };
  for (const auto& [key, entry] : arbiter_->entries()) add(key);
  for (const auto& [key, guest] : arbiter_->census()) add(key);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

void Counting::on_reborn(NodeId peer) {
  for (const NodeId id : ids_of(peer, Life::present)) {
    shown_.erase(id);
    arbiter_->up(id);
    move_keys(id);
  }
  end_trials_of(peer);
  if (arbiter_) host_.use(arbiter_->number());
}

void Counting::on_expire(NodeId peer, Life life) {
  for (const NodeId id : ids_of(peer, life)) {
    if (life == Life::present) shown_.erase(id);
    forget_keys({id, life});
    arbiter_->expire(id, life);
  }
  if (life == Life::present) end_trials_of(peer);
  if (arbiter_) host_.use(arbiter_->number());
}

void Counting::end_silence() {
  if (!arbiter_) return;
  arbiter_->raise(host_.floor());
  arbiter_->end_silence();
  host_.use(arbiter_->number());
}

bool Counting::is_idle() const {
  return seats_.empty() && !keepsake().is_needed() &&
         (!arbiter_ || (arbiter_->entries().empty() && arbiter_->census().empty()));
}

Number Counting::number() const { return arbiter_ ? arbiter_->number() : 0; }

std::vector<Recorded> Counting::named(const census::Census& census, NodeId to) {
  std::vector<Recorded> named;
  named.reserve(census.size());
  const std::optional<Holder> former = former_of(to);
  for (const auto& [key, guest] : census) {
    if (key.first < kFirstOwner && key != former)
      named.push_back({key.first, key.second, name_of(guest.group), {}, 0, false, guest.is_shown});
  }
  each_lasting([&](const Lasting& lasting) {
    if (lasting.token == 0 || lasting.is_absent()) return;
    const std::string& group = has_floor() ? lasting.owner : lasting.group;
    named.push_back(
        {0, Life::former, group, lasting.owner, lasting.token, lasting.is_over(), false});
  });
  return named;
}

census::Census Counting::numbered(const std::vector<Recorded>& census) {
  census::Census numbered;
  for (const Recorded& record : census) {
    const NodeId id = record.owner.empty()
                          ? record.id
                          : Resource::id_of(Lasting{record.owner, record.number, {}});
    const Group group = record.is_over ? census::kGone : number_of(record.group);
    numbered.insert({{id, record.life}, {group, record.is_shown}});
  }
  return numbered;
}

void Counting::forget_groups() {
  Groups in_use;
  const auto use = [&](Group group) {
    if (group != 0 && group != census::kGone) in_use.insert(group - 1);
  };
  for (const auto& seat : seats_) {
    if (!seat) continue;
    for (const Group group : seat->wishes()) use(group);
    use(seat->requester().group());
    seat->requester().each_record([&](NodeId /*who*/, Group group) { use(group); });
  }
  if (arbiter_) {
    for (const auto& [key, guest] : arbiter_->census()) use(guest.group);
  }
  groups_.keep_only(in_use);
}

void Counting::owners_in_use(Groups& numbers) const {
  for (const auto& seat : seats_) {
    if (!seat) continue;
    seat->requester().each_record([&](NodeId who, Group /*group*/) {
      if (who >= kFirstOwner) numbers.insert(who - kFirstOwner);
    });
  }
}

void Counting::look(View& view) const {
  view.kind = kind_;
  view.version = terms().version;
  view.was = was_;
  for (const auto& seat : seats_) {
    if (!seat) continue;
    for (const Claim* const claim : seat->inside()) {
      if (claim->is_burying) {
        const Lasting lasting{claim->owner, claim->token, {}};
        view.lastings.push_back({lasting, 0, false, true});
      } else {
        view.claims.push_back(view_of(*claim, seat->priority()));
        for (const NodeId arbiter : seat->requester().awaited())
          view.claims.back().awaits.push_back(arbiter);
      }
    }
    for (const Claim* const claim : seat->line())
      view.claims.push_back(view_of(*claim, seat->priority()));
  }
  if (arbiter_) look_at_records(view);
  look_at_lastings(view);
}

// Who is recorded has a share of what there is.
void Counting::look_at_records(View& view) const {
  for (const auto& [key, guest] : arbiter_->census()) {
    if (key.first >= kFirstOwner) continue;
    EntryView seen = view_of(key.first, key.second);
    seen.has_share = true;
    if (guest.group != 0) seen.groups = shown({name_of(guest.group)});
    view.entries.push_back(std::move(seen));
  }
}

}  // namespace coterie::member
