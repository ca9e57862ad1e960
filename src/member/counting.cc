#include "member/counting.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/seat.h"

namespace coterie::member {

using protocol::Group;
using protocol::Groups;

template <class Does>
void Counting::each_seat(const Does& does) {
  // NOLINTNEXTLINE(modernize-loop-convert): one may make room for another, and more come
  for (std::size_t slot = 0; slot < seats_.size(); ++slot) {
    if (seats_[slot]) does(*seats_[slot]);
  }
  go_on_with_change();
  ask_for_the_first();
  sweep();
}

void Counting::acquire(Claim& claim) {
  const Groups groups = numbers_of(claim.groups);
  if (claim.ticket) return new_seat().adopt(claim, groups);
  Seat& seat = seat_for(claim);
  const bool is_first = first_waiting() == nullptr;
  if (claim.is_try && !is_first && !seat.admits(groups)) {
    host_.refused(claim, Refusal::would_wait, "others of the same member are before you");
  } else {
    seat.add(claim, groups);
  }
  ask_for_the_first();
  sweep();
}

// In rooms one that lets it in, or else one in whose line it may wait; but a hold that is to last has its own. In a band
// the one that it had before: others may still count that.
Seat& Counting::seat_for(const Claim& claim) {
  const Groups groups = numbers_of(claim.groups);
  const auto first = [&](const auto& will_do) {
    const auto place = std::find_if(seats_.begin(), seats_.end(),
                                    [&](const auto& seat) { return seat && will_do(*seat); });
    return place != seats_.end() ? place->get() : nullptr;
  };
  Seat* known = nullptr;
  if (kind_.type == Type::room && claim.owner.empty()) {
    known = first([&](const Seat& seat) { return seat.admits(groups); });
    if (known == nullptr)
      known = first([&](const Seat& seat) { return seat.takes_in_line(groups); });
  } else if (has_floor()) {
    known = first([&](const Seat& seat) { return seat.is_free() && seat.wishes() == groups; });
  }
  return known != nullptr ? *known : new_seat();
}

Seat& Counting::new_seat() {
  const auto free = std::find(seats_.begin(), seats_.end(), nullptr);
  const auto slot = static_cast<std::size_t>(free - seats_.begin());
  if (slot == seats_.size()) seats_.emplace_back();
  seats_[slot] = std::make_unique<Seat>(*this, static_cast<Slot>(slot));
  return *seats_[slot];
}

Seat* Counting::first_waiting() {
  Seat* first = nullptr;
  for (const auto& seat : seats_) {
    if (!seat || !seat->is_in_line() || seat->is_aside()) continue;
    if (first == nullptr || seat->priority() < first->priority()) first = seat.get();
  }
  return first;
}

void Counting::ask_for_the_first() {
  Seat* const first = first_waiting();
  if (first != nullptr && !first->is_asking()) first->ask();
}

// The others that wait, in their order, by the votes of the first; but one that asks for itself, as who brought an
// earlier place may make another do.
void Counting::bring_in(const Seat& lead, protocol::census::Party& party) {
  std::vector<Seat*> line;
  for (const auto& seat : seats_) {
    if (seat && seat.get() != &lead && seat->is_in_line() && !seat->is_asking())
      line.push_back(seat.get());
  }
  std::sort(line.begin(), line.end(),
            [](const Seat* a, const Seat* b) { return a->priority() < b->priority(); });
  for (Seat* const seat : line) seat->come_along(party);
}

void Counting::drop(Claim& claim) {
  claim.seat->remove(claim);
  ask_for_the_first();
  sweep();
}

// Where nobody must stay, nobody is asked; nor if its client never said that it has been inside all the while: nobody
// relies on it.
bool Counting::leave(Claim& claim) {
  if (!may_have_to_stay() || claim.seat->requester().is_shown()) {
    drop(claim);
    return true;
  }
  claim.seat->leave();
  sweep();
  return false;
}

void Counting::stay(Claim& claim) {
  claim.seat->stay();
  sweep();
}

void Counting::confirm(Claim& claim) { claim.seat->confirm(); }

void Counting::leave_for(Claim& claim) {
  if (!may_have_to_stay()) return Resource::leave_for(claim);
  new_seat().leave_for(claim);
  sweep();
}

void Counting::wind_up(const std::string& why, const Terms& terms) {
  if (change_) {
    Claim& claim = *change_->claim;
    const bool is_begun = change_->terms.version > 0;  // and what comes now is later
    end_change();
    is_begun ? host_.left(claim) : host_.refused(claim, Refusal::mismatch, why);
  }
  if (!former_terms_) former_terms_ = this->terms();
  arbiter().agree_on({terms.version, 0, arbiter().terms().max, false});
  refuse_waiting(why);
  each_seat([](Seat& seat) { seat.let_out(); });
}

void Counting::refuse_waiting(const std::string& why) {
  for (const auto& seat : seats_) {
    if (seat) seat->refuse_all(why);
  }
}

bool Counting::has_inside() const {
  return std::any_of(seats_.begin(), seats_.end(),
                     [](const auto& seat) { return seat && seat->requester().is_inside(); });
}

void Counting::sweep() {
  for (auto& seat : seats_) {
    if (seat && seat->is_empty()) seat.reset();
  }
  while (!seats_.empty() && !seats_.back()) seats_.pop_back();
  if (groups_.is_crowded()) forget_groups();
}

void Counting::on_answer(NodeId from, const Packet<Answer>& packet) {
  Seat* const seat = packet.slot < seats_.size() ? seats_[packet.slot].get() : nullptr;
  if (seat == nullptr) return host_.count(Happened::answer_to_nobody);
  std::visit(
      [&]<class Body>(const Body& body) {
        if constexpr (requires { seat->on(from, body); }) {
          seat->on(from, body);
        } else {
          host_.count(Happened::impossible);  // who counts does not share
        }
      },
      packet.body);
  go_on_with_change();
  ask_for_the_first();
  sweep();
}

void Counting::on_up(NodeId peer) {
  tell_of_lastings(peer);
  each_seat([&](Seat& seat) { seat.up(peer); });
}
void Counting::on_suspect(NodeId peer) {
  each_seat([&](Seat& seat) { seat.suspect(peer); });
}
void Counting::on_trust(NodeId peer) {
  each_seat([&](Seat& seat) { seat.trust(peer); });
}
void Counting::on_lapse(NodeId peer) {
  if (change_) change_->told.erase(peer);  // it is told again when it is back
  each_seat([&](Seat& seat) { seat.lapse(peer); });
}

void Counting::tell_keys() {
  for (const auto& seat : seats_) {
    if (seat) seat->tell_keys();
  }
}

void Counting::tick() {
  tick_lastings();
  each_seat([](Seat& seat) { seat.tick(); });
}

Instant Counting::due() const {
  Instant due = lastings_due();
  for (const auto& seat : seats_) {
    if (seat) due = std::min(due, seat->due());
  }
  return due;
}

NodeSet Counting::voters(const Claim& claim) const { return claim.seat->requester().holds(); }

Origin Counting::origin(const Claim& claim) const {
  return {host_.self(), host_.incarnation(), claim.seat->slot(),
          claim.seat->requester().stamp().time};
}

Group Counting::number_of(const std::string& group) {
  return group.empty() ? 0 : groups_.number(group) + 1;
}

Groups Counting::numbers_of(const std::vector<std::string>& groups) {
  Groups numbers;
  for (const std::string& group : groups) numbers.insert(number_of(group));
  return groups.empty() ? Groups{0} : numbers;
}

std::string Counting::name_of(Group group) const {
  return group == 0 ? "" : groups_.name(group - 1);
}

}  // namespace coterie::member
