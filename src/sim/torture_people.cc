// Clients and their connections.
#include "sim/torture_give.h"
#include "sim/torture_person.h"

namespace coterie::sim::torture {

void World::start_client(std::uint32_t id) {
  Person& person = *people_[id];
  if (person.is_up()) return;
  std::string label = fmt::format("c{}", id);
  if (person.lives++ > 0) label += fmt::format(".{}", person.lives);
  person.clock.emplace(draw_clock());
  person.holds.resize(plan_.habits.errands);
  person.client = std::make_unique<Client>(plan_, id, std::move(label), fork(), person);
  person.client->start(person.clock->at(now_), std::exchange(person.former, {}));
  schedule_client_tick(id);
}

void World::schedule_client_tick(std::uint32_t id) {
  Person& person = *people_[id];
  const Real due = person.clock->when(person.client->next_tick());
  if (due >= person.tick_at) return;
  person.tick_at = std::max(now_, due);
  schedule(person.tick_at, What::client_tick, id, ++person.tick_number);
}

void World::client_tick(std::uint32_t id, std::uint64_t number) {
  Person& person = *people_[id];
  if (!person.is_up() || number != person.tick_number) return;
  person.tick_at = kNever;
  const member::Instant now = person.clock->at(now_);
  if (now >= person.client->next_tick()) person.client->tick(now);
  schedule_client_tick(id);
}

void World::connect(std::uint32_t client, NodeId member) {
  Connection connection;
  connection.client = client;
  connection.member = member;
  connection.life = seats_[member]->life;
  people_[client]->connection = connections_.size();
  connections_.push_back(std::move(connection));
}

// What is said over one connection arrives in order.
void World::send_call(std::uint32_t client, const Call& call) {
  const std::uint64_t number = people_[client]->connection.value();
  Connection& connection = connections_[number];
  const Real last = connection.calls.empty() ? 0 : connection.calls.back().first;
  const Real arrival = std::max(last, now_ + network_.client_delay());
  connection.calls.emplace_back(arrival, call);
  schedule(arrival, What::call, connection.member, number);
}

void World::send_news(member::SessionId session, News news) {
  Connection& connection = connections_.at(session - 1);
  if (connection.is_over) return;
  const Real last = connection.news.empty() ? 0 : connection.news.back().first;
  const Real arrival = std::max(last, now_ + network_.client_delay());
  connection.news.emplace_back(arrival, std::move(news));
  schedule(arrival, What::news, connection.client, session - 1);
}

// Whoever cannot get through tries again.
void World::deliver_call(std::uint64_t number) {
  Connection& connection = connections_[number];
  const NodeId id = connection.member;
  if (network_.is_cut_client(connection.client))
    return schedule(now_ + plan_.lease() / 32 + 1, What::call, id, number);
  const Call call = std::move(connection.calls.front().second);
  connection.calls.pop_front();
  const Seat& seat = *seats_[id];
  if (seat.is_machine_down) return;
  if (!seat.is_up() || seat.life != connection.life) return send_news(number + 1, Broken{});
  apply(id, number + 1, call);
}

void World::deliver_news(std::uint64_t number) {
  Connection& connection = connections_[number];
  const std::uint32_t id = connection.client;
  if (network_.is_cut_client(id) && !connection.is_over)
    return schedule(now_ + plan_.lease() / 32 + 1, What::news, id, number);
  const News news = std::move(connection.news.front().second);
  connection.news.pop_front();
  if (connection.is_over) return;
  Person& person = *people_[id];
  const member::Instant now = person.clock->at(now_);
  if (const auto* event = std::get_if<member::Event>(&news)) {
    person.client->hear(*event, now);
  } else {
    person.client->broken(now);
  }
  schedule_client_tick(id);
}

void World::apply(NodeId id, member::SessionId session, const Call& call) {
  struct Applied {
    member::Member& member;
    member::SessionId session;
    member::Instant now;
    void operator()(const Open& open) const { member.open(session, open.label, open.beat, now); }
    void operator()(const KeepAlive& alive) const { member.keep_alive(session, alive.beat, now); }
    void operator()(const member::Wish& wish) const { member.acquire(session, wish, now); }
    void operator()(const Leave& leave) const {
      member.release(session, leave.request, now, {.wait = leave.wait});
    }
    void operator()(const member::Burial& burial) const { member.bury(session, burial, now); }
    void operator()(const member::Change& change) const { member.change(session, change, now); }
    void operator()(const Stay& stay) const { member.stay(session, stay.request, now); }
    void operator()(const Look& look) const { member.show(session, look.request, look.name, now); }
    void operator()(const Close& /*close*/) const { member.close(session, now); }
  };
  if (const auto* const wish = std::get_if<member::Wish>(&call)) asks(session, *wish);
  if (const auto* const burial = std::get_if<member::Burial>(&call)) buries(session, *burial);
  if (const auto* const leave = std::get_if<Leave>(&call))
    floor_.wants_out(session, leave->request, now_);
  if (const auto* const change = std::get_if<member::Change>(&call))
    numbers_.ask({session, change->request}, find_resource(change->name), change->kind, now_,
                 change->forgets     ? Numbers::How::forget
                 : change->is_reform ? Numbers::How::reform
                                     : Numbers::How::numbers);
  if (std::holds_alternative<Close>(call)) floor_.session_ends(session, now_);
  give(id, [&](member::Member& member, member::Instant now) {
    std::visit(Applied{member, session, now}, call);
  });
}

std::size_t World::find_resource(const std::string& name) const {
  const auto place = std::find_if(plan_.resources.begin(), plan_.resources.end(),
                                  [&](const Resource& one) { return one.name == name; });
  return static_cast<std::size_t>(place - plan_.resources.begin());
}

void World::buries(member::SessionId session, const member::Burial& burial) {
  if (burial.kind.type != member::Type::band) return;
  floor_.asks(find_resource(burial.name),
              {.session = session,
               .request = burial.request,
               .member = connections_[session - 1].member,
               .name = burial.owner,
               .buries = true,
               .is_forced = burial.is_forced},
              now_);
  floor_.wants_out(session, burial.request, now_);
}

void World::asks(member::SessionId session, const member::Wish& wish) {
  if (!member::is_counted(wish.kind)) return;
  const std::size_t resource = find_resource(wish.name);
  Connection& connection = connections_[session - 1];
  // A room may be for one group at times, where one may come again by a token that was kept.
  const bool is_judged = wish.kind.type != member::Type::room || !plan_.resources[resource].other;
  if (!wish.ticket && is_judged) connection.asked[wish.request] = {resource, wish.kind, now_};
  if (wish.kind.type == member::Type::band)
    floor_.asks(resource,
                {.session = session,
                 .request = wish.request,
                 .member = connection.member,
                 .name = wish.groups.front(),
                 .has_ticket = wish.ticket.has_value(),
                 .lasts = !wish.owner.empty()},
                now_);
}

// A member says it, whether its client hears it or not.
void World::says(member::SessionId session, const member::Event& event) {
  if (const auto* const granted = std::get_if<member::Granted>(&event)) grants(session, *granted);
  if (const auto* const lasts = std::get_if<member::Lasts>(&event))
    grants(session, {lasts->request, lasts->group, lasts->token, {}, {}});
  if (const auto* const lost = std::get_if<member::Lost>(&event))
    floor_.lost(session, lost->request, now_);
  if (std::holds_alternative<member::Ended>(event)) floor_.session_ends(session, now_);
  if (const auto* const refused = std::get_if<member::Refused>(&event)) {
    connections_[session - 1].asked.erase(refused->request);
    // What was begun may hold.
    const bool is_begun =
        refused->why == member::Refusal::stopping || refused->why == member::Refusal::cancelled;
    floor_.refused(session, refused->request, is_begun, now_);
    if (!is_begun) numbers_.refuse({session, refused->request});
  }
  const auto* const left = std::get_if<member::Left>(&event);
  if (left == nullptr) return;
  if (numbers_.answer({session, left->request}, now_)) ++run_.changes;
  const Floor::Judgement judgement = floor_.left(session, left->request, now_);
  if (judgement.fault) judge(Promise::floor, judgement.resource, *judgement.fault);
}

void World::grants(member::SessionId session, const member::Granted& granted) {
  floor_.granted(session, granted.request, now_);
  const Connection& connection = connections_[session - 1];
  const auto asked = connection.asked.find(granted.request);
  if (asked == connection.asked.end()) return;
  const spec::Fault fault = witness_.granted({.hold = 0,
                                              .who = fmt::format("c{}", connection.client),
                                              .resource = asked->second.resource,
                                              .kind = asked->second.kind,
                                              .group = granted.group,
                                              .token = granted.token,
                                              .asked = asked->second.at,
                                              .at = now_});
  if (fault) judge(Promise::tokens, asked->second.resource, *fault);
}

void World::break_connections(NodeId id) {
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    const Connection& connection = connections_[i];
    if (connection.member == id && connection.life == seats_[id]->life && !connection.is_over)
      send_news(i + 1, Broken{});
  }
}

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
  const HoldId id = person.holds[index] = ++last_hold_;
  const NodeId member = connections_[person.connection.value()].member;
  holds_[id] = {.client = client, .errand = index, .member = member, .since = now_};
  if (until < kNever) schedule(until, What::belief, client, id);
  if (observer_ != nullptr) observer_->enters(errand.resource, now_);
  if (phase_ == Phase::healed) run_.worst_wait = std::max(run_.worst_wait, waited);
  if (story_.is_about(errand.resource)) {
    const std::string end = until < kNever ? fmt::format("{:.6f}", seconds(until)) : "it ends";
    story_.tell(now_, "{} enters {} by {}, token {}, until {}", person.client->label(),
                text_of(errand), name_of(member), errand.token, end);
  }
  const Real asked = person.asked(index);
  const Entry entry{.hold = id,
                    .who = person.client->label(),
                    .resource = errand.resource,
                    .kind = kind_of(errand, asked),
                    .may_change = numbers_.may_have_changed(errand.resource),
                    .group = errand.group,
                    .token = errand.token,
                    .asked = asked,
                    .at = now_};
  ++run_.entries_of[static_cast<std::size_t>(variety_of(errand.kind))];
  if (errand.phase == Errand::Phase::lasting) ++run_.lastings;
  const std::uint32_t min = numbers_.greatest_min(errand.resource, asked);
  const bool arms = entry.kind.min > 0 && witness_.inside_since(errand.resource, asked) + 1 >= min;
  if (entry.kind.type == member::Type::band && arms) floor_.armed(errand.resource, now_);
  const Witness::Judgement judgement = witness_.enter(entry);
  if (judgement.exclusion) judge(Promise::exclusion, errand.resource, *judgement.exclusion);
  if (judgement.tokens) judge(Promise::tokens, errand.resource, *judgement.tokens);
}

void World::belief_lasts(std::uint32_t client, std::size_t index) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  if (!story_.is_about(errand.resource)) return;
  story_.tell(now_, "{} may stay in {} until {:.6f}", person.client->label(), text_of(errand),
              seconds(person.clock->when(errand.until)));
}

void World::belief_moves(std::uint32_t client, std::size_t index) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  const auto known = holds_.find(person.holds[index]);
  if (known == holds_.end()) return;  // its time ran out while it was not looking
  known->second.member = connections_[person.connection.value()].member;
  floor_.moved(*person.connection + 1, errand.request, now_);
  known->second.since = now_;
  known->second.is_watched = false;
  if (story_.is_about(errand.resource))
    story_.tell(now_, "{} moves to {} with {}, token {}, until {:.6f}", person.client->label(),
                name_of(known->second.member), text_of(errand), errand.token,
                seconds(person.clock->when(errand.until)));
}

// Who is about to leave does not ask for what it needs to stay.
void World::belief_parts(std::uint32_t client, std::size_t index, bool does) {
  Person& person = *people_[client];
  const Errand& errand = person.client->errands()[index];
  const HoldId id = person.holds[index];
  const auto known = holds_.find(id);
  if (known == holds_.end()) return;  // its time ran out while it was not looking
  known->second.since = now_;
  known->second.is_watched = false;
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

}  // namespace coterie::sim::torture
