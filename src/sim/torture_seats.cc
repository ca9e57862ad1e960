// Members: their lives, their disks, what they are given.
#include "base/dump.h"
#include "sim/torture_give.h"

namespace coterie::sim::torture {

using member::Birth;
using member::Member;

DriftingClock World::draw_clock() {
  std::int64_t ppm = plan_.clocks_ppm;
  constexpr double kBroken = 0.5;
  if (plan_.broken_ppm > 0 && random_.chance(kBroken)) {
    ppm = plan_.broken_ppm;
    run_.faults.count(FaultKind::wrong_clock);
  }
  const Real steady_for =
      plan_.lease() / 2 + 1 +
      static_cast<Real>(random_.uniform() * 4 * static_cast<double>(plan_.lease()));
  return {fork(), now_, ppm, steady_for};
}

namespace {

void forget_ends(std::map<std::string, Bytes>& keepsakes) {
  for (auto& [name, bytes] : keepsakes) {
    Reader reader(bytes);
    member::Keepsake keepsake;
    unpack(reader, keepsake);
    for (member::Lasting& one : keepsake.lastings) {
      if (one.is_over()) one.stage = member::Lasting::Stage::written;
    }
    Writer writer;
    pack(writer, keepsake);
    bytes = writer.bytes();
  }
}

}  // namespace

void World::start(NodeId id, Disk disk, Birth birth) {
  Seat& seat = *seats_[id];
  if (disk == Disk::stale) seat.disk = seat.before;
  if (disk == Disk::empty) seat.disk = seat.before = {.durable = {}, .is_known = false};
  if (birth != Birth::cluster && !seat.disk.is_known) birth = Birth::amnesia;
  if (plan_.neglect.no_silence && birth == Birth::restart) birth = Birth::cluster;
  // A wall clock that never goes back makes the number greater also when the disk does not know the last one.
  constexpr Real kMillisecond = 1'000'000;
  const auto wall = static_cast<member::Incarnation>(1'700'000'000'000 + now_ / kMillisecond);
  if (!plan_.neglect.same_incarnation || seat.incarnation == 0)
    seat.incarnation = std::max(seat.disk.durable.incarnation + 1, wall);
  if (plan_.neglect.forgets_ends) forget_ends(seat.disk.keepsakes);
  const bool has_ceiling = birth == Birth::restart && !plan_.neglect.no_ceiling;
  const member::Start how{.birth = birth,
                          .incarnation = seat.incarnation,
                          .ceiling = has_ceiling ? seat.disk.durable.ceiling : 0,
                          .keepsakes = {seat.disk.keepsakes.begin(), seat.disk.keepsakes.end()},
                          .saved = seat.disk.durable};
  seat.write(
      {{seat.incarnation, seat.disk.durable.ceiling}, seat.disk.is_known, seat.disk.keepsakes});
  floor_.trouble(now_, now_);
  seat.clock.emplace(draw_clock());
  ++seat.life;
  seat.is_machine_down = false;
  member::Config config = plan_.config;
  config.self = id;
  story_.tell(now_, "{} starts{}", name_of(id),
              birth == Birth::cluster   ? ""
              : birth == Birth::amnesia ? " again, without its disk"
                                        : " again, with its disk");
  seat.member = std::make_unique<Member>(std::move(config), how, seat.clock->at(now_), seat);
  schedule_tick(id);
  hint_all(id, true);
}

void World::end_life(NodeId id, bool is_machine) {
  Seat& seat = *seats_[id];
  run_.tally.add(std::as_const(*seat.member).tally());
  seat.member.reset();
  seat.forget_what_is_late();
  floor_.member_ends(id, now_);
  floor_.trouble(now_, now_);
  seat.is_machine_down = is_machine;
  seat.is_paused = false;
  seat.deferred.clear();
  seat.fuse.reset();
  seat.is_stopping = false;
  seat.tick_at = kNever;
  ++seat.tick_number;
  seat.ends = {now_, seat.ends[0]};
  if (phase_ == Phase::storm)
    schedule(now_ + plan_.faults[seat.last_fault].lasts, What::restart, id, seat.last_fault);
  if (is_machine) return;
  hint_all(id, false);
  break_connections(id);
}

void World::schedule_tick(NodeId id) {
  Seat& seat = *seats_[id];
  const Real due = seat.clock->when(seat.member->next_tick());
  if (due >= seat.tick_at) return;
  seat.tick_at = std::max(now_, due);
  schedule(seat.tick_at, What::tick, id, ++seat.tick_number);
}

void World::tick(NodeId id, std::uint64_t number) {
  Seat& seat = *seats_[id];
  if (!seat.is_up() || number != seat.tick_number) return;
  seat.tick_at = kNever;
  if (seat.clock->at(now_) < seat.member->next_tick()) return schedule_tick(id);
  give(id, [](Member& member, member::Instant now) { member.tick(now); });
}

namespace {

// A COMMIT before the RECORDs that were to come before it.
member::Frame with_commits_first(member::Frame frame) {
  const auto is_record = [](const auto& packet) {
    return std::holds_alternative<member::Record>(packet.body);
  };
  auto first = frame.asking.packets.begin();  // of the records in a row
  for (auto next = first; next != frame.asking.packets.end(); ++next) {
    if (is_record(*next)) continue;
    if (std::holds_alternative<member::Commit>(next->body))
      std::rotate(first, next, std::next(next));
    first = std::next(next);
  }
  return frame;
}

}  // namespace

void World::post(NodeId from, NodeId to, const member::Frame& frame) {
  network_.arrivals(from, to, now_, arrivals_);
  tell_frame(from, to, frame, arrivals_.empty());
  if (arrivals_.empty()) return;
  writer_.clear();
  plan_.neglect.commits_first ? pack(writer_, with_commits_first(frame)) : pack(writer_, frame);
  for (const Real arrival : arrivals_) {
    if (free_parcels_.empty()) {
      free_parcels_.push_back(parcels_.size());
      parcels_.emplace_back();
    }
    const std::uint64_t parcel = free_parcels_.back();
    free_parcels_.pop_back();
    parcels_[parcel].first = from;
    parcels_[parcel].second = writer_.bytes();
    schedule(arrival, What::frame, to, parcel);
  }
}

namespace {

// Groups by their names: dump() knows only how long a text is.
std::string words_of(const member::Request& request) {
  const member::Priority& priority = request.priority;
  return fmt::format(
      "REQUEST tag {} for {}{}{}, stamp {}.{}", static_cast<std::uint64_t>(request.tag),
      request.groups.empty() ? "it" : fmt::format("{}", fmt::join(request.groups, "+")),
      priority.rank == protocol::Rank::holding ? ", holding" : "", request.is_try ? ", a try" : "",
      static_cast<std::uint64_t>(priority.stamp.time), priority.stamp.process);
}
std::string words_of(const member::Lock& lock) {
  return fmt::format("LOCK tag {} {} number {}{}", static_cast<std::uint64_t>(lock.tag), lock.group,
                     lock.number, lock.is_wanted ? ", wanted" : "");
}
std::string words_of(const auto& message) {
  std::string text;
  dump(text, message);
  return text;
}

}  // namespace

// What it says about names that the story is of.
void World::tell_frame(NodeId from, NodeId to, const member::Frame& frame, bool is_lost) {
  if (!story_.is_on()) return;
  const auto tell = [&](const auto& flow) {
    for (const auto& packet : flow.packets) {
      const auto resource =
          std::find_if(plan_.resources.begin(), plan_.resources.end(),
                       [&](const Resource& one) { return one.name == packet.name; });
      if (!story_.is_about(static_cast<std::size_t>(resource - plan_.resources.begin()))) continue;
      const std::string text =
          std::visit([](const auto& body) { return words_of(body); }, packet.body);
      story_.tell(now_, "{} to {}: {}/{} {}{}", name_of(from), name_of(to), packet.name,
                  packet.slot, text, is_lost ? " is lost" : "");
    }
  };
  tell(frame.asking);
  tell(frame.answering);
}

void World::arrive(NodeId to, std::uint64_t parcel) {
  free_parcels_.push_back(parcel);
  if (!seats_[to]->is_up()) return;
  Reader reader(parcels_[parcel].second);
  member::Frame frame;
  unpack(reader, frame);
  COTERIE_ASSERT(reader.good());
  COTERIE_ASSERT(reader.at_end());
  const NodeId from = parcels_[parcel].first;
  give(to, [&](Member& member, member::Instant now) { member.receive(from, frame, now); });
}

void World::hint(NodeId id, NodeId peer, bool is_connected) {
  if (!seats_[id]->is_up()) return;
  if (is_connected && (!seats_[peer]->is_up() || network_.is_cut(id, peer))) return;
  give(id, [&](Member& member, member::Instant now) {
    is_connected ? member.connected(peer, now) : member.disconnected(peer, now);
  });
}

// Both of a pair see it, a moment later.
void World::hint_pair(NodeId a, NodeId b, bool is_connected, Real after) {
  if (!plan_.has_hints || a == b) return;
  const std::uint64_t flag = is_connected ? 1 : 0;
  schedule(now_ + after, What::hint, a, 2 * std::uint64_t{b} + flag);
  schedule(now_ + after, What::hint, b, 2 * std::uint64_t{a} + flag);
}

void World::hint_all(NodeId id, bool is_connected) {
  for (NodeId peer = 0; peer < seats_.size(); ++peer)
    hint_pair(id, peer, is_connected, real_of(plan_.delay.mean()));
}

// Whoever has lost its disk must hear from a quorum of others that have not: so that one can come back, no two
// lose theirs at a time, nor one that too few would be left to tell.
Disk World::allowed(NodeId id, Disk disk) const {
  const Seat& seat = *seats_[id];
  const bool is_lost = disk == Disk::empty || (disk == Disk::stale && !seat.before.is_known);
  if (!is_lost) return disk;
  NodeSet others = NodeSet::all(plan_.members());
  others.erase(id);
  for (NodeId other = 0; other < seats_.size(); ++other) {
    if (!seats_[other]->disk.is_known) others.erase(other);
  }
  for (const NodeId dead : plan_.stay_dead) others.erase(dead);
  const bool can_learn = plan_.config.system.write().contains_quorum(others);
  return can_learn && others.size() + plan_.stay_dead.size() + 1 >= plan_.members() ? disk
                                                                                    : Disk::whole;
}

void World::settle_accounts() {
  for (const auto& seat : seats_) {
    if (seat->is_up()) run_.tally.add(std::as_const(*seat->member).tally());
  }
  run_.entries = witness_.entries();
  run_.simulated = now_;
}

}  // namespace coterie::sim::torture
