// What a client asks for: a name, as what, by which groups; or that the name becomes something else.
#include <algorithm>
#include <utility>

#include "sim/torture_client.h"

namespace coterie::sim::torture {

using member::Instant;
using member::Type;
using Phase = Errand::Phase;

void Client::ask(Errand& errand) {
  errand.resource = choose_resource(errand);
  if (is_owned(errand.resource, errand)) return rest(errand);
  errand.asked = now_;
  errand.is_of_former_life = false;
  errand.is_sought = false;
  errand.next = Instant::never();
  if (!errand.owes && random_.chance(plan_.habits.changes) && change(errand)) return;
  if (!errand.owes && random_.chance(plan_.habits.reforms) && reform(errand)) return;
  const bool is_mistaken = !errand.owes && random_.chance(plan_.habits.is_mistaken);
  if (is_mistaken) session_->show(plan_.resources[errand.resource].name, now_ + patience(plan_));
  member::Wish wish = wish_of(errand);
  if (is_mistaken && random_.chance(0.5)) mistake(wish);
  errand.owner = wish.owner;
  errand.kind = wish.kind;
  if (wish.kind.type == Type::band) errand.group = wish.groups.front();
  errand.phase = Phase::waiting;
  if (!errand.owes && random_.chance(plan_.habits.changes_its_mind))
    errand.next = now_ + draw(plan_.habits.long_hold);
  Instant end = Instant::never();
  if (wish.is_try) end = now_ + patience(plan_);
  if (!errand.owes && random_.chance(plan_.habits.waits_only_so_long))
    end = now_ + draw(plan_.habits.long_hold);
  if (!wish.owner.empty())
    return hold_for_owner(static_cast<std::size_t>(&errand - errands_.data()), wish, end);
  errand.ticket = session_->acquire(std::move(wish), end, now_);
}

bool Client::change(Errand& errand) {
  const Resource& resource = plan_.resources[errand.resource];
  if (!member::is_counted(resource.kind) || promised_ || is_other_[errand.resource]) return false;
  errand.phase = Phase::changing;
  member::Kind kind = draw_numbers(resource.kind.type, random_);
  // If all had to stay nobody could come again.
  kind.min = resource.other ? 0 : std::min(kind.min, plan_.habits.clients - 1);
  change_by(errand, session::change_limits(kind.type, kind.min, kind.max));
  return true;
}

// Whether or not it is that already.
bool Client::reform(Errand& errand) {
  const Resource& resource = plan_.resources[errand.resource];
  if (!resource.other || promised_) return false;
  errand.phase = Phase::changing;
  const bool is_other = random_.chance(0.5);
  const member::Kind kind = is_other ? *resource.other : resource.kind;
  const bool forgets = random_.chance(0.2);
  change_by(errand, [=](const api::Picture& /*picture*/) {
    api::Change change;
    change.kind = change.was = kind;
    change.is_reform = !forgets;
    change.forgets = forgets;
    return change;
  });
  return true;
}

void Client::change_by(const Errand& errand, const session::ChangeCall::ChangeOf& change_of) {
  const std::string& name = plan_.resources[errand.resource].name;
  const auto index = static_cast<std::size_t>(&errand - errands_.data());
  operate(index, Instant::never(), [&](Plan::Driver& driver) {
    return std::make_unique<session::ChangeCall>(name, change_of, driver);
  });
}

const member::Kind& Client::kind_of(std::size_t resource) const {
  const Resource& one = plan_.resources[resource];
  return is_other_[resource] ? *one.other : one.kind;
}

// Who must enter does not ask for a band that its client is in already, and may have to stay in.
std::size_t Client::choose_resource(const Errand& errand) {
  const std::size_t names = plan_.resources.size();
  if (plan_.habits.are_settled) return number_ % names;
  for (;;) {
    const std::size_t resource = random_.below(names);
    const bool is_taken = std::any_of(errands_.begin(), errands_.end(), [&](const Errand& other) {
      return other.phase != Phase::resting && other.resource == resource &&
             other.kind.type == Type::band;
    });
    if (!errand.owes || !is_taken) return resource;
  }
}

// Not as a band: one that so many have been in is never forgotten.
void Client::mistake(member::Wish& wish) {
  const bool is_mutex = wish.kind.type == Type::mutex;
  wish.is_alone = false;
  wish.owner.clear();
  wish.groups.clear();
  if (random_.chance(0.5)) {
    wish.kind = {Type::semaphore, 0, wish.kind.max == 2 ? 3U : 2U};
  } else {
    wish.kind = {is_mutex ? Type::room : Type::mutex, 0, 1};
    if (is_mutex) wish.groups = {"g0"};
  }
}

member::Wish Client::wish_of(Errand& errand) {
  const Resource& resource = plan_.resources[errand.resource];
  member::Wish wish;
  wish.name = resource.name;
  wish.kind = kind_of(errand.resource);
  const bool has_writers = resource.has_writers && wish.kind.type == Type::room;
  wish.is_alone = has_writers && random_.chance(0.3);
  if (!wish.is_alone) wish.groups = groups_of(errand);
  if (errand.owes) return wish;
  if (!wish.is_alone && !is_finishing_ && random_.chance(plan_.habits.lasts))
    wish.owner = name_of(errand);
  wish.is_try = random_.chance(plan_.habits.tries);
  return wish;
}

// In a band, and as an owner, it goes by the same name also after a crash.
std::string Client::name_of(const Errand& errand) const {
  return "w" + std::to_string(number_) + "." + std::to_string(&errand - errands_.data());
}

std::vector<std::string> Client::groups_of(const Errand& errand) {
  const Resource& resource = plan_.resources[errand.resource];
  const Type type = kind_of(errand.resource).type;
  if (type == Type::band) return {name_of(errand)};
  if (type != Type::room) return {};
  if (resource.has_writers) return {"readers"};
  std::vector<std::string> groups{"g" + std::to_string(random_.below(resource.groups))};
  while (groups.size() < resource.groups && random_.chance(plan_.habits.names_several_groups)) {
    std::string another = "g" + std::to_string(random_.below(resource.groups));
    if (std::find(groups.begin(), groups.end(), another) == groups.end())
      groups.push_back(std::move(another));
  }
  return groups;
}

}  // namespace coterie::sim::torture
