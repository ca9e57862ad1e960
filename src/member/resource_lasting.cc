// Lasting holds, the same for all kinds of names: see lasting.h.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/resource.h"

namespace coterie::member {

Keepsake Resource::keepsake() const { return {kind_, terms(), lastings_.lastings()}; }

void Resource::save() { host_.keep(name_, keepsake()); }

// Only what is new is written again: a member without its disk hears the same of many.
void Resource::restore(const Keepsake& keepsake) {
  const Bytes before = packed(this->keepsake());
  agree(keepsake.terms);
  for (const Lasting& lasting : keepsake.lastings) {
    if (lasting.is_over) {
      bury(lasting.owner, lasting.token, nullptr);
    } else if (lastings_.find(lasting.owner, lasting.token) == nullptr) {
      lastings_.add(lasting, host_.now());
      pin_entry(std::nullopt, lasting);
    }
  }
  if (packed(this->keepsake()) != before) save();
}

// A number for the arbiter, which no requester has.
NodeId Resource::id_of(const Lasting& lasting) {
  return kFirstOwner + owners_.number(lasting.owner + '#' + std::to_string(lasting.token));
}

void Resource::on_pin(NodeId from, Slot slot, const Pin& pin) {
  const NodeId id = id_of(from, slot);
  const Lastings::Known* const known = lastings_.find(pin.owner, pin.number);
  if (known == nullptr) {
    if (!rests_here(id)) return host_.count(Happened::pin_stale);
    const Lasting lasting{pin.owner, pin.number, pin.group, false};
    host_.count(Happened::pinned);
    lastings_.add(lasting, host_.now());
    pin_entry(id, lasting);
    save();
  } else if (known->lasting.is_over) {
    return host_.count(Happened::pin_stale);
  }
  host_.answer(from, {name_, kind_, slot, Pinned{pin.owner, pin.number}});
}

void Resource::bury(const std::string& owner, Number token, Claim* waiting) {
  Lastings::Known* known = lastings_.find(owner, token);
  const bool is_new = known == nullptr || !known->lasting.is_over;
  if (known == nullptr) known = &lastings_.add({owner, token, {}, false}, host_.now());
  if (waiting != nullptr) known->waiting.push_back(waiting);
  if (is_new) {
    host_.count(Happened::unpinned);
    known->lasting.is_over = true;
    known->since = host_.now();
    known->told.insert(host_.self());
    unpin_entry(known->lasting);
    save();
    for (const NodeId peer : host_.reachable()) {
      if (peer != host_.self()) host_.ask(peer, {name_, kind_, 0, Unpin{owner, token}});
    }
  }
  tell_if_known(owner, token);
}

void Resource::on_unpin(NodeId from, Slot slot, const Unpin& unpin) {
  bury(unpin.owner, unpin.number, nullptr);
  if (Lastings::Known* const known = lastings_.find(unpin.owner, unpin.number))
    known->told.insert(from);
  host_.answer(from, {name_, kind_, slot, Unpinned{unpin.owner, unpin.number}});
  tell_if_known(unpin.owner, unpin.number);
}

void Resource::on_unpinned(NodeId from, const Unpinned& unpinned) {
  if (Lastings::Known* const known = lastings_.find(unpinned.owner, unpinned.number))
    known->told.insert(from);
  tell_if_known(unpinned.owner, unpinned.number);
}

void Resource::tell_if_known(const std::string& owner, Number token) {
  Lastings::Known* const known = lastings_.find(owner, token);
  if (known == nullptr || !host_.setting().system().write().contains_quorum(known->told)) return;
  const auto waiting = std::exchange(known->waiting, {});
  for (Claim* const claim : waiting) host_.left(*claim);
}

bool Resource::are_lastings_over() const {
  const auto& all = lastings_.all();
  return std::all_of(all.begin(), all.end(), [](const Lastings::Known& known) {
    return known.lasting.is_over && known.waiting.empty();
  });
}

void Resource::tell_of_lastings(NodeId peer) {
  for (const Lastings::Known& known : lastings_.all()) {
    if (!known.lasting.is_over || known.told.contains(peer)) continue;
    host_.ask(peer, {name_, kind_, 0, Unpin{known.lasting.owner, known.lasting.token}});
  }
}

void Resource::forget_lastings() {
  const std::vector<Lasting> gone = lastings_.forget(host_.now(), host_.lent() * 2);
  for (const Lasting& lasting : gone) forget_entry(lasting);
  if (!gone.empty()) save();
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
