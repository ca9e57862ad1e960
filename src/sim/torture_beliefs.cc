// What clients believe, and what the judges say to that.
#include "sim/torture_give.h"
#include "sim/torture_person.h"

namespace coterie::sim::torture {

std::string World::text_of(const Errand& errand) const {
  const std::string& name = plan_.resources[errand.resource].name;
  return errand.group.empty() ? name : fmt::format("{} as {}", name, errand.group);
}

// Until somebody has changed them, it is as it was asked for, and others may be mistaken about that.
member::Kind World::kind_of(const Errand& errand, Real then) const {
  if (!numbers_.may_have_changed(errand.resource)) return errand.kind;
  return numbers_.loosest(errand.resource, errand.kind, then);
}

void World::belief_begins(std::uint32_t client, std::size_t index) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  const Real until = person.clock->when(errand.until);
  const Real waited = now_ - std::max(healed_at_, person.asked(index));
  const NodeId member = new_hold(client, index);
  if (observer_ != nullptr) observer_->enters(errand.resource, now_);
  if (phase_ == Phase::healed) run_.worst_wait = std::max(run_.worst_wait, waited);
  if (story_.is_about(errand.resource)) {
    const std::string end = until < kNever ? fmt::format("{:.6f}", seconds(until)) : "it ends";
    story_.tell(now_, "{} enters {} by {}, token {}, until {}", person.client->label(),
                text_of(errand), name_of(member), errand.token, end);
  }
  const Real asked = person.asked(index);
  const Entry entry = entry_of(client, index);
  ++run_.entries_of[static_cast<std::size_t>(variety_of(errand.kind))];
  if (errand.phase == Errand::Phase::lasting) ++run_.lastings;
  const std::uint32_t min = numbers_.greatest_min(errand.resource, asked);
  const bool arms = entry.kind.min > 0 && witness_.inside_since(errand.resource, asked) + 1 >= min;
  if (entry.kind.type == member::Type::band && arms) floor_.armed(errand.resource, now_);
  judge(errand.resource, witness_.enter(entry));
}

void World::judge(std::size_t resource, const Witness::Judgement& judgement) {
  if (judgement.exclusion) judge(Promise::exclusion, resource, *judgement.exclusion);
  if (judgement.tokens) judge(Promise::tokens, resource, *judgement.tokens);
}

Entry World::entry_of(std::uint32_t client, std::size_t index) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  const Real asked = person.asked(index);
  return {.hold = person.holds[index],
          .who = person.client->label(),
          .resource = errand.resource,
          .kind = kind_of(errand, asked),
          .may_change = numbers_.may_have_changed(errand.resource),
          .group = errand.group,
          .token = errand.token,
          .asked = asked,
          .at = now_};
}

// Returns the member that it has it from.
NodeId World::new_hold(std::uint32_t client, std::size_t index) {
  Person& person = *people_[client];
  const Real until = person.clock->when(person.client->errands()[index].until);
  const HoldId id = person.holds[index] = ++last_hold_;
  const NodeId member = connections_[person.connection.value()].member;
  holds_[id] = {.client = client, .errand = index, .member = member, .since = now_};
  if (until < kNever) schedule(until, What::belief, client, id);
  return member;
}

// Its time ran out while it was not looking; and now it is told that it has more.
void World::believe_again(std::uint32_t client, std::size_t index) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  const bool is_over = errand.until <= person.clock->at(now_);  // that too
  if (person.holds[index] != 0 || is_over) return;
  new_hold(client, index);
  if (story_.is_about(errand.resource))
    story_.tell(now_, "{} believes again to be in {}", person.client->label(), text_of(errand));
  judge(errand.resource, witness_.again(entry_of(client, index)));
  if (errand.phase == Errand::Phase::parting) witness_.part(errand.resource, person.holds[index]);
}

void World::belief_lasts(std::uint32_t client, std::size_t index) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  believe_again(client, index);
  if (!story_.is_about(errand.resource)) return;
  story_.tell(now_, "{} may stay in {} until {:.6f}", person.client->label(), text_of(errand),
              seconds(person.clock->when(errand.until)));
}

void World::belief_moves(std::uint32_t client, std::size_t index) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  believe_again(client, index);
  const auto known = holds_.find(person.holds[index]);
  if (known == holds_.end()) return;
  known->second.member = connections_[person.connection.value()].member;
  floor_.moved(connections_[*person.connection].session, errand.ticket, now_);
  witness_.move(errand.resource, person.holds[index]);
  ++run_.moved;
  known->second.since = now_;
  known->second.is_watched = false;
  if (story_.is_about(errand.resource))
    story_.tell(now_, "{} moves to {} with {}, token {}, until {:.6f}", person.client->label(),
                name_of(known->second.member), text_of(errand), errand.token,
                seconds(person.clock->when(errand.until)));
}

void World::belief_parts(std::uint32_t client, std::size_t index, bool does) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  const HoldId id = person.holds[index];
  const auto known = holds_.find(id);
  if (known == holds_.end()) return;  // its time ran out while it was not looking
  if (story_.is_about(errand.resource))
    story_.tell(now_, "{} {} {}", person.client->label(), does ? "asks to leave" : "stays in",
                text_of(errand));
  if (does) return witness_.part(errand.resource, id);
  const member::Kind kind = kind_of(errand, person.asked(index));
  const bool may_change = numbers_.may_have_changed(errand.resource);
  if (const spec::Fault fault = witness_.stay(errand.resource, id, kind, may_change))
    judge(Promise::exclusion, errand.resource, *fault);
}

void World::belief_may_end(HoldId id) {
  const auto known = holds_.find(id);
  if (known == holds_.end()) return;
  const Hold hold = known->second;
  Person& person = *people_[hold.client];
  const member::Instant until = person.client->errands()[hold.errand].until;
  if (person.clock->at(now_) >= until)
    return belief_ends(hold.client, hold.errand, Ending::ran_out);
  schedule(person.clock->when(until), What::belief, hold.client, id);
}

void World::belief_ends(std::uint32_t client, std::size_t index, Ending why) {
  Person& person = *people_[client];
  const HoldId id = std::exchange(person.holds[index], 0);
  const auto known = holds_.find(id);
  if (known == holds_.end()) return;  // its time ran out while it was not looking
  const std::size_t resource = person.client->errands()[index].resource;
  const bool is_watched =
      known->second.is_watched && !numbers_.may_have_become(resource, known->second.since);
  const bool is_lost = why == Ending::lost || why == Ending::ran_out;
  if (is_lost && observer_ != nullptr) observer_->loses(known->second.member);
  holds_.erase(known);
  const Errand& errand = person.client->errands()[index];
  // That it leaves may be on its way for a while.
  const Real lingers = 2 * plan_.lease() + 2 * Real{plan_.config.session.ns};
  witness_.leave(errand.resource, id, now_, now_ + lingers);
  static constexpr std::array<const char*, 5> kHow{"leaves", "crashes in", "is told that it lost",
                                                   "believes no more to hold", "abandons"};
  const std::string what = fmt::format("{} {} {}", person.client->label(),
                                       kHow[static_cast<std::size_t>(why)], text_of(errand));
  if (story_.is_about(errand.resource)) story_.tell(now_, "{}", what);
  if (is_watched && is_lost)
    judge(Promise::survival, errand.resource, what + ", although only one other member failed");
}

// Nobody but its own client ends what an owner holds here, so a hold that is gone was never kept as it was promised.
void World::hold_vanished(std::uint32_t client, std::size_t index) {
  const Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  judge(Promise::exclusion, errand.resource,
        fmt::format("{} is told that {} has no hold, and has not ended it: {}, token {}",
                    person.client->label(), errand.owner, text_of(errand), errand.token));
}

}  // namespace coterie::sim::torture
