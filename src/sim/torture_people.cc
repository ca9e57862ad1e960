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
  person.client->start(person.clock->at(now_), std::exchange(person.remembered, {}));
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

// What its client has sent before still arrives, perhaps late: a kernel goes on trying.
void World::leave_behind(std::uint64_t number) {
  Connection& connection = connections_[number];
  connection.is_over = true;
  if (plan_.latest == 0 || phase_ != Phase::storm) return;
  const double late = random_.uniform() * static_cast<double>(plan_.latest);
  connection.late_until = std::min(plan_.storm, now_ + static_cast<Real>(late));
}

// What is said over one connection arrives in order.
void World::send_call(std::uint64_t number, Said said) {
  Connection& connection = connections_[number];
  const Real last = connection.calls.empty() ? 0 : connection.calls.back().first;
  const Real arrival = std::max(last, now_ + network_.client_delay());
  connection.calls.emplace_back(arrival, std::move(said));
  schedule(arrival, What::call, connection.member, number);
}

// As a member says it that knows nothing of tickets.
World::News World::without_tickets(News news) {
  const auto strip = [](member::Granted& granted) { granted.origin = {}; };
  if (auto* const welcome = std::get_if<api::Welcome>(&news))
    std::for_each(welcome->inside.begin(), welcome->inside.end(), strip);
  auto* const event = std::get_if<member::Event>(&news);
  if (event == nullptr) return news;
  if (auto* const granted = std::get_if<member::Granted>(event)) strip(*granted);
  if (auto* const kept = std::get_if<member::Kept>(event)) kept->places.clear();
  return news;
}

void World::send_news(std::uint64_t number, News news) {
  Connection& connection = connections_.at(number);
  if (connection.is_over) return;
  const Real last = connection.news.empty() ? 0 : connection.news.back().first;
  const Real arrival = std::max(last, now_ + network_.client_delay());
  if (!plan_.habits.shows_tickets) news = without_tickets(std::move(news));
  connection.news.emplace_back(arrival, std::move(news));
  schedule(arrival, What::news, connection.client, number);
}

// Whoever cannot get through tries again.
void World::deliver_call(std::uint64_t number) {
  Connection& connection = connections_[number];
  const NodeId id = connection.member;
  if (network_.is_cut_client(connection.client))
    return schedule(now_ + plan_.lease() / 32 + 1, What::call, id, number);
  if (now_ < connection.late_until) return schedule(connection.late_until, What::call, id, number);
  const Said said = std::move(connection.calls.front().second);
  connection.calls.pop_front();
  const Seat& seat = *seats_[id];
  if (seat.is_machine_down || connection.is_refused) return;
  if (!seat.is_up() || seat.life != connection.life) return send_news(number, Broken{});
  if (const auto* const hello = std::get_if<api::Hello>(&said)) return greet(number, *hello);
  apply(id, connection.session, std::get<api::Call>(said));
}

// As Server::greet_client (net/server_guests.cc) does.
void World::greet(std::uint64_t number, const api::Hello& hello) {
  Connection& connection = connections_[number];
  const NodeId id = connection.member;
  member::Member& member = *seats_[id]->member;
  if (seats_[id]->is_stopping) {
    connection.is_refused = true;
    return send_news(number, Broken{});
  }
  const bool is_resumed = hello.session != 0 && member.has_session(hello.session);
  const member::SessionId session = is_resumed ? hello.session : number + 1;
  if (is_resumed) {  // it has lost the connection that it had, and its member did not notice
    ++run_.resumed;
    const std::uint64_t before = connections_[session - 1].heard_by;
    connections_[before].is_refused = true;
    send_news(before, Broken{});
  }
  connection.session = session;
  connections_[session - 1].heard_by = number;
  const member::Member::Standing standing = member.standing(session);
  send_news(number, api::Welcome{.session = session,
                                 .length = plan_.config.session,
                                 .drift = plan_.client_drift,
                                 .member = name_of(id),
                                 .is_resumed = is_resumed,
                                 .inside = standing.inside,
                                 .waiting = standing.waiting});
  give(id, [&](member::Member& brain, member::Instant now) {
    is_resumed ? brain.keep_alive(session, hello.beat, now)
               : brain.open(session, hello.label, hello.beat, now);
  });
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
  if (const auto* const event = std::get_if<member::Event>(&news)) {
    person.client->hear(*event, now);
  } else if (const auto* const welcome = std::get_if<api::Welcome>(&news)) {
    person.client->welcomed(*welcome, now);
  } else {
    person.client->broken(now);
  }
  schedule_client_tick(id);
}

void World::apply(NodeId id, member::SessionId session, const api::Call& call) {
  struct Applied {
    member::Member& member;
    member::SessionId session;
    member::Instant now;
    std::uint64_t& secrets;
    void operator()(const api::KeepAlive& alive) const {
      member.keep_alive(session, alive.beat, now);
    }
    // Of all that is random only this must not be drawn from the run's chance: it would be another run.
    void operator()(const api::Wish& wish) const {
      api::Wish fresh = wish;
      ++secrets;
      fresh.secret = {secrets * 0x9e3779b97f4a7c15ULL, secrets * 0xbf58476d1ce4e5b9ULL};
      member.acquire(session, fresh, now);
    }
    void operator()(const api::Release& release) const {
      member.release(session, release.request, now, release.how);
    }
    void operator()(const api::Burial& burial) const { member.bury(session, burial, now); }
    void operator()(const api::Change& change) const { member.change(session, change, now); }
    void operator()(const api::Stay& stay) const { member.stay(session, stay.request, now); }
    void operator()(const api::Confirm& confirm) const {
      member.confirm(session, confirm.request, now);
    }
    void operator()(const api::Show& show) const {
      member.show(session, show.request, show.name, now);
    }
    void operator()(const api::Survey& /*survey*/) const {}
    void operator()(const api::Close& /*close*/) const { member.close(session, now); }
  };
  hears(session, call);
  give(id, [&](member::Member& member, member::Instant now) {
    std::visit(Applied{member, session, now, last_secret_}, call);
  });
}

// What the judges must know of a call before its member does.
void World::hears(member::SessionId session, const api::Call& call) {
  if (const auto* const wish = std::get_if<api::Wish>(&call)) asks(session, *wish);
  if (const auto* const burial = std::get_if<api::Burial>(&call)) buries(session, *burial);
  if (const auto* const release = std::get_if<api::Release>(&call)) {
    release->how.is_abandonment
        ? floor_.abandoned(session, release->request, release->how.is_quiet, now_)
        : floor_.wants_out(session, release->request, now_);
  }
  if (const auto* const change = std::get_if<api::Change>(&call))
    numbers_.ask({session, change->request}, find_resource(change->name), change->kind, now_,
                 change->forgets     ? Numbers::How::forget
                 : change->is_reform ? Numbers::How::reform
                                     : Numbers::How::numbers);
  if (std::holds_alternative<api::Close>(call)) floor_.session_ends(session, now_);
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
               // What is withdrawn or denied was told to nobody: it ends as by a crash.
               .is_forced = burial.is_forced || burial.how != member::Burial::How::end},
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
      send_news(i, Broken{});
  }
}

// Until the honest have all that they want; then it leaves too, so that what is left is theirs.
void World::do_harm(std::uint32_t who) {
  Hostile& hostile = hostile_[who];
  const bool is_over =
      phase_ == Phase::finishing || phase_ == Phase::closed || phase_ == Phase::over;
  const auto can_hear = [this](NodeId id) { return seats_[id]->is_up() && !seats_[id]->is_paused; };
  if (is_over) {
    for (NodeId id = 0; id < seats_.size(); ++id) {
      if (can_hear(id))
        give(id,
             [&](member::Member& member, member::Instant now) { hostile.leave(id, member, now); });
    }
    return;
  }
  if (const NodeId id = hostile.draw_member(); can_hear(id))
    give(id, [&](member::Member& member, member::Instant now) { hostile.act(id, member, now); });
  schedule(now_ + plan_.lease() / 64 + 1, What::hostile, who);
}

}  // namespace coterie::sim::torture
