// Lasting holds, the same for all kinds of names: see lasting.h.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/resource.h"

namespace coterie::member {

Keepsake Resource::keepsake() const { return {kind_, terms(), lastings_.lastings()}; }

void Resource::save() { host_.keep(name_, keepsake()); }

void Resource::note() { host_.note(name_, keepsake()); }

// Only what is new is written again: a member without its disk hears the same of many. And only when all of it is there:
// what is on the disk must not be less for a moment.
void Resource::restore(const Keepsake& keepsake) {
  const Bytes before = packed(this->keepsake());
  for (const Lasting& lasting : keepsake.lastings) {
    Lastings::Known* const known = lastings_.find(lasting.owner, lasting.token);
    if (lasting.is_over()) {
      if (end(lasting.owner, lasting.token)) spread_end(lasting.owner, lasting.token);
    } else if (known == nullptr) {
      lastings_.add(lasting, host_.now());
      pin_entry(std::nullopt, lasting);
    } else if (lasting.is_given() && !known->lasting.is_over()) {
      known->lasting.stage = Lasting::Stage::given;
    }
  }
  const bool has_more = packed(this->keepsake()) != before;
  const Terms former = terms();
  agree(keepsake.terms);  // which saves all, if it is new
  if (has_more && terms() == former) save();
}

// A number for the arbiter, which no requester has.
NodeId Resource::id_of(const Lasting& lasting) {
  return kFirstOwner + owners_.number(lasting.owner + '#' + std::to_string(lasting.token));
}

void Resource::on_pin(NodeId from, Slot slot, const Pin& pin) {
  if (pin.is_given) return on_given(pin);
  const NodeId id = id_of(from, slot);
  const Lastings::Known* const known = lastings_.find(pin.owner, pin.number);
  const bool is_new = known == nullptr;
  if (is_new && !rests_here(id)) return host_.count(Happened::pin_stale);
  const bool is_refused = is_new ? has_lasting_of(pin.owner) : known->lasting.is_over();
  if (is_refused) {
    host_.count(Happened::pin_refused);
  } else if (is_new) {
    host_.count(Happened::pinned);
    const Lasting lasting{pin.owner, pin.number, pin.group};
    lastings_.add(lasting, host_.now());
    pin_entry(id, lasting);
    save();
  }
  host_.answer(from, {name_, kind_, slot, Pinned{pin.owner, pin.number, is_refused}});
}

void Resource::on_given(const Pin& pin) {
  Lastings::Known* const known = lastings_.find(pin.owner, pin.number);
  if (known == nullptr || known->lasting.is_over()) return host_.count(Happened::pin_stale);
  if (known->lasting.is_given()) return;
  known->lasting.stage = Lasting::Stage::given;
  note();
}

// We are asked like everybody else, so that all write it down at the same time (Member::deliver_to_itself).
void Resource::bury(const std::string& owner, Number token, Claim* waiting) {
  if (waiting != nullptr) lastings_.wait(*waiting);
  for (const NodeId member : host_.reachable())
    host_.ask(member, {name_, kind_, 0, Unpin{owner, token}});
}

bool Resource::end(const std::string& owner, Number token) {
  Lastings::Known* known = lastings_.find(owner, token);
  if (known != nullptr && known->lasting.is_over()) return false;
  if (known == nullptr) known = &lastings_.add({owner, token, {}}, host_.now());
  host_.count(Happened::unpinned);
  known->lasting.stage = Lasting::Stage::over;
  known->since = host_.now();
  known->told.insert(host_.self());
  unpin_entry(known->lasting);
  return true;
}

void Resource::spread_end(const std::string& owner, Number token) {
  for (const NodeId peer : host_.reachable()) {
    if (peer != host_.self()) host_.ask(peer, {name_, kind_, 0, Unpin{owner, token}});
  }
}

void Resource::spread_end_soon(const std::string& owner, Number token) {
  lastings_.find(owner, token)->spread_at = host_.now() + host_.soon();
}

bool Resource::end_here(const std::string& owner, Number token) {
  const std::vector<Number> tokens = lastings_.tokens_of(owner);
  if (std::find(tokens.begin(), tokens.end(), token) == tokens.end()) return false;
  end(owner, token);
  // Who asks has asked all others too: nobody waits until they have heard of it from us.
  spread_end_soon(owner, token);
  save();
  return true;
}

void Resource::on_end(NodeId from, const std::string& owner, Number token) {
  if (!end(owner, token)) return;
  save();
  // With ourselves we have asked others too, but perhaps not all.
  from != host_.self() ? spread_end(owner, token) : spread_end_soon(owner, token);
}

// Who asks may not have written it down yet: whether it has, it says when we ask.
void Resource::on_unpin(NodeId from, Slot slot, const Unpin& unpin) {
  on_end(from, unpin.owner, unpin.number);
  host_.answer(from, {name_, kind_, slot, Unpinned{unpin.owner, unpin.number}});
}

void Resource::on_unpinned(NodeId from, const Unpinned& unpinned) {
  Lastings::Known* const known = lastings_.find(unpinned.owner, unpinned.number);
  if (known == nullptr || !known->lasting.is_over()) return;
  known->told.insert(from);
  if (!host_.setting().system().write().contains_quorum(known->told)) return;
  for (Claim* const claim : lastings_.take_waiting(known->lasting)) host_.left(*claim);
}

bool Resource::are_lastings_over() const {
  const auto& all = lastings_.all();
  return !lastings_.has_waiting() &&
         std::all_of(all.begin(), all.end(),
                     [](const Lastings::Known& known) { return known.lasting.is_over(); });
}

void Resource::tell_of_end(NodeId peer, const Lasting& lasting) {
  host_.ask(peer, {name_, kind_, 0, Unpin{lasting.owner, lasting.token}});
}

void Resource::tell_of_lastings(NodeId peer) {
  for (const Lastings::Known& known : lastings_.all()) {
    const Lasting& lasting = known.lasting;
    if (lasting.is_over() && !known.told.contains(peer)) tell_of_end(peer, lasting);
    // It may have lost that.
    if (lasting.is_given())
      host_.ask(peer, {name_, kind_, 0, Pin{lasting.owner, lasting.token, lasting.group, true}});
  }
}

void Resource::tick_lastings() {
  for (Lastings::Known& known : lastings_.all()) {
    if (known.spread_at > host_.now()) continue;
    known.spread_at = Instant::never();
    for (const NodeId peer : host_.reachable() - known.told) tell_of_end(peer, known.lasting);
  }
  const std::vector<Lasting> gone = lastings_.forget(host_.now(), host_.lent() * 2);
  for (const Lasting& lasting : gone) forget_entry(lasting);
  if (!gone.empty()) note();
  if (owners_.is_crowded()) {
    protocol::Groups in_use;
    owners_in_use(in_use);
    for (const Lastings::Known& known : lastings_.all())
      in_use.insert(id_of(known.lasting) - kFirstOwner);
    owners_.keep_only(in_use);
  }
}

void Resource::look_at_lastings(View& view) const {
  for (const Lastings::Known& known : lastings_.all()) {
    LastingView& seen = view.lastings.emplace_back();
    seen.lasting = known.lasting;
    if (!seen.lasting.group.empty()) seen.lasting.group = shown({known.lasting.group}).front();
    seen.since = static_cast<Milliseconds>((host_.now() - known.since).ns / 1'000'000);
  }
}

}  // namespace coterie::member
