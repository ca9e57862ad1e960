// A name where those inside are counted: how many may be, changed while it is in use.
//
// Who changes the terms has the votes of a quorum meanwhile, so that nobody moves by the old ones; then a quorum writes the
// new ones down, and they spread to all others. Too many may be inside by the new terms: nobody enters until
// enough have left.
#include <algorithm>

#include "member/becoming.h"
#include "member/counting.h"
#include "member/seat.h"

namespace coterie::member {

using protocol::census::Way;

void Counting::change(Claim& claim) {
  if (change_)
    return host_.refused(claim, Refusal::would_wait, "another change of it is under way here");
  change_.emplace(Change{&claim, nullptr, nullptr, std::nullopt, {}, host_.setting().none()});
  change_->in = &new_seat();
  // One stamp for both: of two changes one is before the other both ways, or each might wait for the other.
  const protocol::Stamp stamp = host_.clock().next(id_of(host_.self(), change_->in->slot()));
  change_->in->gather(Way::in, stamp);
  if (has_floor()) {
    change_->out = &new_seat();
    change_->out->gather(Way::out, stamp);
  }
  go_on_with_change();
}

void Counting::go_on_with_change() {
  if (!change_ || change_->terms.version > 0) return;
  if (const auto known_as = change_->known_as) {
    Claim& claim = *change_->claim;
    end_change();
    return host_.refused(claim, Refusal::mismatch, mismatch(*known_as));
  }
  const bool may_enter = change_->in->requester().is_counting();
  const bool may_leave = change_->out == nullptr || change_->out->requester().is_counting();
  if (!may_enter || !may_leave) return;
  Terms terms = change_->in->requester().terms();
  if (change_->out != nullptr) {
    const Terms other = change_->out->requester().terms();
    terms.version = std::max(terms.version, other.version);
    terms.is_armed = terms.is_armed || other.is_armed;
  }
  terms.version = std::max(terms.version, this->terms().version);
  if (const auto replaces = change_->claim->replaces; replaces && *replaces != terms.version) {
    Claim& claim = *change_->claim;
    end_change();
    return host_.refused(claim, Refusal::mismatch, text_of_version(*replaces, terms.version));
  }
  terms.version = host_.next_version(name_, terms.version);
  terms.min = change_->claim->kind.min;
  terms.max = change_->claim->kind.max;
  change_->terms = terms;
  change_->told.insert(host_.self());
  agree(terms);
  for (const NodeId peer : host_.reachable()) {
    if (peer != host_.self()) host_.ask(peer, {name_, kind_, 0, Agree{this->terms()}});
  }
  on_agreed(host_.self(), Agreed{terms.version});
}

Terms Counting::terms() const {
  if (former_terms_) return *former_terms_;
  return arbiter_ ? arbiter_->terms() : Terms{};
}

void Counting::agree(const Terms& terms) {
  Terms known = arbiter().terms();
  if (former_terms_) known.is_armed = former_terms_->is_armed;
  Terms merged = terms.version > known.version ? terms : known;
  merged.is_armed = known.is_armed || terms.is_armed;
  if (merged == known) return;
  arbiter().agree_on(merged);
  if (merged.version > known.version) was_ = kind_;
  former_terms_.reset();
  kind_.min = merged.min;
  kind_.max = merged.max;
  save();
}

void Counting::on_agreed(NodeId from, const Agreed& agreed) {
  if (!change_ || change_->terms.version == 0 || agreed.version < change_->terms.version) return;
  change_->told.insert(from);
  if (!host_.setting().system().write().contains_quorum(change_->told)) return;
  Claim& claim = *change_->claim;
  end_change();
  host_.left(claim);
}

// That others may still count one who has left matters to who wants to leave: by now nobody has to stay.
bool Counting::has_no_clients() const {
  return std::all_of(seats_.begin(), seats_.end(), [](const auto& seat) {
    return !seat ||
           (seat->is_free() && seat->requester().at_rest() && !seat->requester().is_inside());
  });
}

bool Counting::has_entry(NodeId member, Slot slot) const {
  const NodeId id = id_of(member, slot);
  return entry_of(id) != nullptr || rests_here(id);
}

bool Counting::has_entries() const {
  if (!arbiter_) return false;
  const auto& census = arbiter_->census();
  return !arbiter_->entries().empty() ||
         std::any_of(census.begin(), census.end(), [](const auto& record) {
           return record.second.group != protocol::census::kGone &&
                  record.first.first < kFirstOwner;
         });
}

void Counting::end_change() {
  Seat* const in = change_->in;
  Seat* const out = change_->out;
  change_.reset();
  in->stop_gathering();
  if (out != nullptr) out->stop_gathering();
  ask_for_the_first();
  sweep();
}

void Counting::drop_errand(Claim& claim) {
  if (change_ && change_->claim == &claim) end_change();
  Resource::drop_errand(claim);
}

}  // namespace coterie::member
