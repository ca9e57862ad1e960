// The loop of events and the phases of a run.
#include "sim/torture_world.h"

#include "sim/torture_give.h"
#include "sim/torture_person.h"

namespace coterie::sim::torture {

namespace {

std::string words_of(const member::View& view) {
  std::string text = view.kind ? member::text_of(*view.kind) : "nothing";
  if (view.silent_for > 0) text += ", silent";
  if (view.is_kept) text += ", kept";
  for (const member::ClaimView& claim : view.claims)
    text += fmt::format("; {} {}{} {} at {}", claim.client, claim.is_inside ? "inside" : "waits",
                        claim.is_leaving ? ", leaving," : "", fmt::join(claim.groups, "+"),
                        static_cast<std::uint64_t>(claim.priority.stamp.time));
  for (const member::EntryView& entry : view.entries)
    text += fmt::format("; of m{}{} {} {}", entry.member, entry.is_former ? ", former," : "",
                        entry.has_share ? "a share" : "a request", fmt::join(entry.groups, "+"));
  for (const member::LastingView& seen : view.lastings)
    text += fmt::format("; {}'s lasting {}{}{}", seen.lasting.owner, seen.lasting.token,
                        seen.lasting.is_over() ? ", over" : "", seen.is_leaving ? ", leaving" : "");
  text += fmt::format("; reaches {}", fmt::join(view.reachable, ","));
  return text;
}

// Of a lease at an arbiter, of one by which it told others, and of what is on its way; on clocks that are slow.
Floor::Times times_of(const Plan& plan) {
  const Real lease = plan.config.drift.at_least(plan.config.lease).ns;
  constexpr Real kHops = 8;
  return {.echo = 3 * lease + kHops * plan.longest_delay,
          .spread = kHops * plan.longest_delay + plan.config.heartbeat.ns};
}

std::vector<member::Kind> kinds_of(const Plan& plan) {
  std::vector<member::Kind> kinds;
  kinds.reserve(plan.resources.size());
  for (const Resource& resource : plan.resources) kinds.push_back(resource.kind);
  return kinds;
}

}  // namespace

World::World(Plan plan, Story story, Run& run, Observer* observer)
    : plan_(std::move(plan)),
      story_(std::move(story)),
      run_(run),
      observer_(observer),
      random_(~plan_.seed),  // another stream than that of the plan
      network_(plan_, fork()),
      numbers_(kinds_of(plan_)),
      witness_(plan_.resources.size()),
      floor_(numbers_, plan_.resources.size(), times_of(plan_)),
      is_cutting_(plan_.faults.size()) {
  run_.members = plan_.members();
  for (NodeId id = 0; id < plan_.members(); ++id) {
    seats_.push_back(std::make_unique<Seat>(*this, id));
    schedule(0, What::restart, id, kFirstStart);
  }
  for (std::uint32_t id = 0; id < plan_.habits.clients; ++id) {
    people_.push_back(std::make_unique<Person>(*this, id));
    schedule(real_of(random_.uniform() * seconds(plan_.lease())), What::start_client, id);
  }
  for (std::uint32_t id = 0; id < plan_.hostile; ++id) {
    hostile_.emplace_back(plan_, id, Random(~plan_.seed + id + 1));
    schedule(plan_.lease() / 4, What::hostile, id);
  }
  for (std::size_t i = 0; i < plan_.faults.size(); ++i)
    schedule(plan_.faults[i].at, What::fault, 0, i);
  schedule(plan_.storm, What::phase, 0);
}

World::~World() = default;

void World::go(const std::atomic<bool>* stop) {
  constexpr std::uint64_t kEvery = 4096;
  constexpr std::uint64_t kEndless = 1'000'000;  // events at one moment
  std::uint64_t at_once = 0;
  while (phase_ != Phase::over) {
    const auto item = queue_.pop();
    const Real time = static_cast<Real>(item.time);
    at_once = time == now_ ? at_once + 1 : 0;
    now_ = time;
    if (at_once == kEndless)
      judge(Promise::progress, {}, "time stands still: something is always due");
    ++run_.events;
    mix(item.content);
    if (!defer(item.content)) handle(item.content);
    if (stop != nullptr && run_.events % kEvery == 0 && stop->load(std::memory_order_relaxed)) {
      run_.is_stopped = true;
      return;
    }
  }
}

void World::mix(const Happening& happening) {
  constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15ULL;
  const std::uint64_t one = static_cast<std::uint64_t>(now_) * 64 +
                            static_cast<std::uint64_t>(happening.what) +
                            (std::uint64_t{happening.who} << 48U);
  run_.digest = std::rotl((run_.digest ^ one) * kPrime, 23);
}

bool World::defer(const Happening& happening) {
  switch (happening.what) {
    case What::tick:
    case What::frame:
    case What::hint:
    case What::call:
      if (!seats_[happening.who]->is_paused) return false;
      seats_[happening.who]->deferred.push_back(happening);
      return true;
    case What::client_tick:
    case What::news:
      if (!people_[happening.who]->is_paused) return false;
      people_[happening.who]->deferred.push_back(happening);
      return true;
    default:
      return false;
  }
}

void World::handle(const Happening& happening) {
  const std::uint32_t who = happening.who;
  const std::uint64_t number = happening.number;
  switch (happening.what) {
    case What::tick:
      return tick(who, number);
    case What::frame:
      return arrive(who, number);
    case What::hint:
      return hint(who, static_cast<NodeId>(number / 2), number % 2 == 1);
    case What::call:
      return deliver_call(number);
    case What::client_tick:
      return client_tick(who, number);
    case What::news:
      return deliver_news(number);
    case What::belief:
      return belief_may_end(number);
    case What::fault:
      return strike(number);
    case What::fault_over:
      return strike_over(number);
    case What::restart:
      return number == kFirstStart ? start(who, Disk::whole, member::Birth::cluster)
                                   : come_back(number);
    case What::flap:
      return flap(number);
    case What::start_client:
      return start_client(who);
    case What::phase:
      return next_phase();
    case What::hostile:
      return do_harm(who);
  }
}

void World::judge(Promise promise, std::optional<std::size_t> resource, const std::string& what) {
  if (resource && story_.is_on()) tell_views(*resource);
  if (plan_.broken_ppm == 0) throw Violation{promise, now_, what, resource};
  ++run_.losses[static_cast<std::size_t>(promise)];
  story_.tell(now_, "{}", what);
}

// What each member knows of the name.
void World::tell_views(std::size_t resource) {
  for (NodeId id = 0; id < seats_.size(); ++id) {
    Seat& seat = *seats_[id];
    if (!seat.is_up()) continue;
    const member::View view =
        seat.member->view(plan_.resources[resource].name, seat.clock->at(now_));
    story_.tell(now_, "{} knows: {}", name_of(id), words_of(view));
  }
}

void World::next_phase() {
  switch (phase_) {
    case Phase::storm:
      return plan_.ends_in_storm ? void(phase_ = Phase::over) : heal();
    case Phase::healed:
      return check_progress();
    case Phase::finishing:
      return check_finish();
    case Phase::closed:
      return check_leaks();
    case Phase::over:
      return;
  }
}

// Who has lost its disk asks a quorum of others that have not: these must not stay dead.
void World::spare_who_can_tell() {
  NodeSet sure(seats_.size());
  bool is_any_unsure = false;
  for (NodeId id = 0; id < seats_.size(); ++id) {
    const bool stays_dead =
        std::find(plan_.stay_dead.begin(), plan_.stay_dead.end(), id) != plan_.stay_dead.end();
    if (stays_dead || !seats_[id]->is_up()) continue;
    seats_[id]->member->is_sure() ? sure.insert(id) : static_cast<void>(is_any_unsure = true);
  }
  if (is_any_unsure && !plan_.config.system.write().contains_quorum(sure)) plan_.stay_dead.clear();
}

// Everything but a few members that stay dead.
void World::heal() {
  phase_ = Phase::healed;
  healed_at_ = now_;
  story_.tell(now_, "everything heals");
  disturb(kNever);
  network_.heal();
  spare_who_can_tell();
  for (NodeId id = 0; id < seats_.size(); ++id) {
    wake_member(id);
    Seat& seat = *seats_[id];
    seat.fuse.reset();
    const bool stays_dead =
        std::find(plan_.stay_dead.begin(), plan_.stay_dead.end(), id) != plan_.stay_dead.end();
    if (seat.is_stopping) crash(id, false);
    if (stays_dead && seat.is_up()) crash(id, random_.chance(0.5));
    if (!stays_dead && !seat.is_up()) restart(id, plan_.faults[seat.last_fault].disk);
    if (!stays_dead) hint_all(id, true);
  }
  for (std::uint32_t id = 0; id < people_.size(); ++id) {
    wake_client(id);
    start_client(id);
    people_[id]->client->promise(people_[id]->clock->at(now_));
    schedule_client_tick(id);
  }
  run_.bound = bound();
  next_check();
}

void World::next_check() { schedule(now_ + plan_.lease() / 8 + 1, What::phase, 0); }

// How long after everything has healed the last who waits must have entered:
//   - its client finds a member that is alive, having tried the dead ones before: each for as long as a client
//     is patient;
//   - what members granted before they were restarted has lapsed, and so have sessions that nobody uses any more,
//     and the leases of members that are dead; each is counted by a clock that may be slow;
//   - who does not know if its owner holds something has found that out;
//   - then one after another enters, stays as long as one does, and leaves. Before the last of all errands come
//     the others; in the turn of each, `batch` clients of its member, at most all; and who was inside when all
//     healed. Who leaves a band waits until nobody can count it any more at a member that is dead.
Real World::bound() const {
  const auto slowly = [&](member::Duration time) { return plan_.config.drift.at_least(time).ns; };
  const auto dead = static_cast<Real>(plan_.stay_dead.size());
  // It notices by a keep-alive that its member is dead, of which there are six in a session; pauses are shorter than those.
  const Real search = (dead + 2) * slowly(Client::patience(plan_)) + slowly(plan_.config.session);
  const Real seeks = 3 * slowly(plan_.config.lease) + slowly(plan_.config.session) + search;
  const Real lapses = 3 * slowly(plan_.config.lease) + slowly(plan_.config.session) +
                      slowly(plan_.config.suspect_after) + slowly(plan_.config.keep) +
                      (plan_.habits.lasts > 0 ? seeks : 0);
  constexpr Real kHops = 12;  // of one entry: asked, yielded, granted; told, left
  const bool has_bands = std::any_of(
      plan_.resources.begin(), plan_.resources.end(),
      [](const Resource& resource) { return resource.kind.type == member::Type::band; });
  const Real turn = plan_.habits.longest_hold + kHops * plan_.longest_delay +
                    slowly(plan_.config.heartbeat) + (plan_.habits.lasts > 0 ? search : 0) +
                    (has_bands ? 2 * slowly(plan_.config.lease) : 0);
  const auto errands = static_cast<Real>(plan_.errands());
  const Real batch = std::min(static_cast<Real>(plan_.config.batch), errands);
  return search + lapses + (errands * batch + 1) * turn;
}

void World::check_progress() {
  const bool is_done = std::none_of(people_.begin(), people_.end(),
                                    [](const auto& person) { return person->client->owes(); });
  if (!is_done && now_ < healed_at_ + run_.bound) return next_check();
  if (!is_done) blame_waiter();
  phase_ = Phase::finishing;
  finishing_at_ = now_;
  for (std::uint32_t id = 0; id < people_.size(); ++id) {
    people_[id]->client->finish(people_[id]->clock->at(now_));
    schedule_client_tick(id);
  }
  next_check();
}

// Nobody comes any more, and all go who may.
void World::check_finish() {
  const bool is_done = std::all_of(people_.begin(), people_.end(), [](const auto& person) {
    return person->client->is_finished();
  });
  const std::optional<std::size_t> band = is_done ? crowded() : std::nullopt;
  if ((!is_done || band) && now_ < finishing_at_ + run_.bound) return next_check();
  if (!is_done) blame_waiter();
  if (band)
    judge(Promise::progress, band,
          fmt::format("all want to leave {}, {}; nobody may who could", plan_.resources[*band].name,
                      member::text_of(plan_.resources[*band].kind)));
  close();
}

// A band that more are in than must be: nobody, if never so many were.
std::optional<std::size_t> World::crowded() const {
  std::vector<std::size_t> inside(plan_.resources.size());
  for (const auto& person : people_) {
    for (const Errand& errand : person->client->errands())
      if (errand.wants_out()) ++inside[errand.resource];
  }
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const std::size_t may_stay =
        floor_.may_be_armed(i) ? numbers_.greatest_min(i, finishing_at_) : 0;
    if (inside[i] > may_stay) return i;
  }
  return std::nullopt;
}

void World::close() {
  phase_ = Phase::closed;
  for (const auto& person : people_) person->client->close();
  const member::Config& config = plan_.config;
  // Sessions end, then what is left of them; and then the ends of lasting holds are forgotten (Resource::keeps_ends).
  const Real lapses = 4 * config.lease.ns + 3 * config.session.ns + config.keep.ns;
  schedule(now_ + lapses + lapses / 8 + 8 * plan_.longest_delay, What::phase, 0);
}

// Somebody who waits rather than somebody who is refused because another errand of its own waits.
void World::blame_waiter() {
  const Client* client = nullptr;
  const Errand* late = nullptr;
  for (const auto& person : people_) {
    for (const Errand& errand : person->client->errands()) {
      if (phase_ == Phase::healed ? !errand.owes : errand.is_finished()) continue;
      if (late != nullptr && errand.phase != Errand::Phase::waiting) continue;
      if (late != nullptr && late->phase == Errand::Phase::waiting) continue;
      client = person->client.get();
      late = &errand;
    }
  }
  static constexpr std::array<const char*, 9> kPhases{
      "is refused",     "waits for",        "is still in",
      "wants to leave", "is still leaving", "wants other numbers for",
      "still holds",    "wants the end of", "does not know if it holds"};
  judge(Promise::progress, late->resource,
        fmt::format("{} {} {}, more than the bound of {:.3f} s after {}", client->label(),
                    kPhases[static_cast<std::size_t>(late->phase)],
                    plan_.resources[late->resource].name, seconds(run_.bound),
                    phase_ == Phase::healed ? "everything healed" : "the last came"));
}

void World::check_leaks() {
  phase_ = Phase::over;
  for (NodeId id = 0; id < seats_.size(); ++id) {
    if (!seats_[id]->is_up()) continue;
    for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
      if (!is_leak(id, i)) continue;
      judge(Promise::no_leak, i,
            fmt::format("{} remembers {}, which nobody uses, and {} names in all", name_of(id),
                        plan_.resources[i].name, seats_[id]->member->resources()));
    }
  }
}

// Of a band whose floor may be armed a member remembers just that; what numbers hold; and of holds that last that they are over, if
// somebody does not know it.
bool World::is_leak(NodeId id, std::size_t resource) const {
  Seat& seat = *seats_[id];
  const member::View view = seat.member->view(plan_.resources[resource].name, seat.clock->at(now_));
  if (!view.kind) return false;
  // That a hold is over is forgotten when everybody knows it.
  const bool is_over = std::all_of(view.lastings.begin(), view.lastings.end(),
                                   [](const auto& one) { return one.lasting.is_over(); });
  if (!is_over || !view.claims.empty() || !view.entries.empty()) return true;
  if (numbers_.may_have_changed(resource)) return false;
  if (!view.lastings.empty()) return plan_.stay_dead.empty();
  return view.kind->type != member::Type::band || !floor_.may_be_armed(resource);
}

}  // namespace coterie::sim::torture
