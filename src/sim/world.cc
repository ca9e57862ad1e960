#include "sim/world.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "protocol/message_name.h"
#include "sim/stream.h"

namespace coterie::sim {
namespace {

using protocol::Problem;

constexpr std::uint64_t kMostTurns = 100;
constexpr std::uint64_t kStopEvery = 4096;  // events between two looks at `stop`
constexpr std::uint64_t kDigestPrime = 0x9e3779b185ebca87ULL;

// The quorum of every process once, so that nobody computes it again. An algorithm that is made of others
// copies its setting for each of its parts, so only while there are few.
protocol::Setting with_homes(const Scenario& scenario) {
  constexpr std::size_t kFew = 128;
  protocol::Setting setting = scenario.setting;
  const bool has_homes = !setting.systems.empty() && setting.homes.empty() &&
                         setting.system().kind() != quorum::Kind::groups;
  const bool is_copied = scenario.choice.entry->parts > 0;
  if (!has_homes || (is_copied && setting.processes > kFew)) return setting;
  for (NodeId process = 0; process < setting.processes; ++process) {
    setting.homes.push_back(setting.system().write().home_quorum(process));
  }
  return setting;
}

// What it costs to name a request: a process, a time, a group.
std::uint64_t bits_per_request(const Scenario& scenario) {
  constexpr std::uint64_t kTimeBits = 32;
  std::uint64_t groups = scenario.workload.groups;
  for (const protocol::Groups& demand : scenario.workload.demands) {
    groups = std::max<std::uint64_t>(groups, std::uint64_t{*(demand.end() - 1)} + 1);
  }
  const auto log2 = [](std::uint64_t count) { return std::bit_width(count - 1); };
  return static_cast<std::uint64_t>(log2(scenario.setting.processes) + log2(groups)) + kTimeBits;
}

}  // namespace

World::World(const Scenario& scenario, std::uint64_t seed)
    : scenario_(scenario),
      setting_(with_homes(scenario)),
      starts_inside_(scenario.choice.problem() == Problem::floor ||
                     scenario.choice.problem() == Problem::band),
      both_wait_(scenario.choice.problem() == Problem::band),
      heeds_groups_(scenario.choice.problem() == Problem::room ||
                    scenario.choice.problem() == Problem::rooms),
      requests_(scenario.workload, setting_.processes, seed),
      wire_(scenario.network, setting_.processes, seed),
      outages_(scenario.faults, setting_, seed),
      alarm_source_(stream(seed, Purpose::alarms)),
      census_(scenario.rule, setting_.processes,
              starts_inside_ ? setting_.inside : setting_.none()),
      meter_(setting_.processes, bits_per_request(scenario)),
      users_(setting_.processes),
      alarms_(setting_.processes),
      held_(setting_.processes),
      requesters_(scenario.workload.requesters == 0 ? setting_.processes
                                                    : scenario.workload.requesters) {
  COTERIE_ASSERT(requesters_ <= setting_.processes);
  meter_.inside(0, census_.inside());
  for (NodeId process = 0; process < setting_.processes; ++process) {
    processes_.push_back(scenario.choice.make()(setting_, process));
  }
  for (NodeId process = 0; process < requesters_; ++process) start(process);
  if (!outages_.are_changing()) return;
  for (NodeId node = 0; node < setting_.processes; ++node) {
    if (outages_.is_down_for_ever(node)) continue;
    queue_.push(outages_.next_change(node), {Kind::outage, node});
    ++outages_to_come_;
  }
}

Run World::run(const std::atomic<bool>* stop) {
  Run run;
  while (!fault_ && !is_over()) {
    if (stop != nullptr && events_ % kStopEvery == 0 && stop->load(std::memory_order_relaxed)) {
      run.stopped = true;
      break;
    }
    Event event{};
    if (!at_once_.empty()) {
      event = at_once_.front();
      at_once_.pop_front();
    } else {
      const auto item = queue_.pop();
      now_ = item.time;
      event = item.content;
    }
    handle(event);
  }
  if (!fault_ && !run.stopped) fault_ = census_.fault_at_end();
  if (!fault_ && !run.stopped) fault_ = unmeasured();
  if (!measured_) {
    measured_ = std::move(meter_);
    measured_until_ = last_return_;
  }
  run.measures = measured_->measures(measured_until_);
  run.by_type = by_type();
  run.handled.assign(measured_->handled().begin(), measured_->handled().end());
  run.fault = fault_;
  run.fault_time = fault_ ? now_ : 0;
  run.digest = digest_;
  run.events = events_;
  return run;
}

void World::end_if_all_measured() {
  const bool is_measuring = is_warm_up_run() && warm_ == requesters_ && !measured_;
  if (!is_measuring || meter_.entries() < scenario_.workload.requests * acting_) return;
  measured_ = meter_;
  measured_until_ = now_;
}

// Everybody may ask kMostTurns times as often as it takes where all are served alike. If that is not enough, the
// algorithm leaves somebody out for as long as others care to ask.
std::optional<std::string> World::unmeasured() const {
  const Workload& workload = scenario_.workload;
  if (!is_warm_up_run() || measured_ || acting_ == 0) return {};
  for (NodeId process = 0; process < requesters_; ++process) {
    const std::uint64_t served = users_[process].served;
    const bool never_acts = must_wait(process) && outages_.is_down_for_ever(process);
    if (served >= workload.warm_up || never_acts) continue;
    return "p" + std::to_string(process) + " was served " + std::to_string(served) + " of its " +
           std::to_string(workload.warm_up) + " requests of the warm-up, and others " +
           std::to_string(most_requests()) + ": nothing was measured";
  }
  return std::to_string(meter_.entries()) + " requests were served after the warm-up, not " +
         std::to_string(workload.requests * acting_) + ": some ask so much more often than others";
}

std::uint64_t World::most_requests() const {
  const Workload& workload = scenario_.workload;
  return is_warm_up_run() ? kMostTurns * (workload.warm_up + workload.requests) : workload.requests;
}

bool World::is_over() const {
  return at_once_.empty() && queue_.size() == outages_to_come_ && held_count_ == 0;
}

void World::handle(const Event& event) {
  ++events_;
  switch (event.kind) {
    case Kind::delivery:
      return deliver(event.subject);
    case Kind::user:
      return act(event.subject);
    case Kind::arrival:
      return arrive(event.subject);
    case Kind::alarm:
      return ring(event.subject);
    case Kind::outage:
      return change_outage(event.subject);
  }
}

void World::note(std::uint64_t what) {
  digest_ = (std::rotl(digest_, 29) ^ std::bit_cast<std::uint64_t>(now_) ^ what) * kDigestPrime;
}

void World::note(const Event& event) {
  note((static_cast<std::uint64_t>(event.kind) << 32U) + event.subject);
}

void World::deliver(LetterId id) {
  const Letter& letter = letters_[id];
  if (outages_.are_any() && is_deaf(letter)) {
    if (outages_.is_down_for_ever(letter.to)) return letters_.give_back(id);
    held_[letter.to].push_back({Kind::delivery, id});
    ++held_count_;
    return;
  }
  const std::uint64_t channel = (std::uint64_t{letter.from} << 32U) + letter.to;
  note((channel * kDigestPrime) ^ XXH3_64bits(letter.text().data(), letter.text().size()));
  meter_.handled(letter.to);
  begin_step(letter.to, letter.depth);
  const bool is_understood = processes_[letter.to]->on(letter.from, letter.text(), *this);
  COTERIE_ASSERT(is_understood);
  letters_.give_back(id);
}

void World::ring(NodeId process) {
  Alarm& alarm = alarms_[process];
  if (alarm.at != now_) return;  // set again since, or answered
  alarm.at = -1;
  begin_step(process, alarm.depth);
  if (must_wait(process)) return outages_.is_down_for_ever(process) ? void() : set_alarm();
  note({Kind::alarm, process});
  processes_[process]->alarm(outages_.preferred_again(), *this);
  // If nobody ever comes back, who asks in vain would ask for ever.
  constexpr std::uint64_t kPatience = 100;
  if (outages_.are_changing() || census_.inside() > 0) return;
  if (++alarms_in_vain_ > kPatience * requesters_) {
    fault_ = "nobody can enter: " + std::to_string(alarms_in_vain_) + " alarms went off in vain";
  }
}

void World::change_outage(NodeId node) {
  --outages_to_come_;
  note({Kind::outage, node});
  outages_.change(node);
  queue_.push(now_ + outages_.next_change(node), {Kind::outage, node});
  ++outages_to_come_;
  if (outages_.is_down(node)) return;
  held_count_ -= held_[node].size();
  at_once_.insert(at_once_.end(), held_[node].begin(), held_[node].end());
  held_[node].clear();
}

void World::send(NodeId to, std::string_view message, const protocol::Label& label) {
  const bool is_local = wire_.is_local(current_, to);
  if (meter_.sent(label, is_local)) {
    if (label.type >= type_names_.size()) type_names_.resize(label.type + 1);
    type_names_[label.type] = protocol::message_name(*processes_[current_], message);
  }
  const LetterId id = letters_.take();
  Letter& letter = letters_[id];
  letter.from = current_;
  letter.to = to;
  letter.depth = depth_ + (is_local ? 0 : 1);
  letter.for_arbiter = label.for_arbiter;
  letter.write(message);
  if (is_local) {
    at_once_.push_back({Kind::delivery, id});
  } else {
    queue_.push(wire_.arrival(now_, current_, to), {Kind::delivery, id});
  }
}

void World::entered(protocol::Group chosen) {
  const protocol::Group group = heeds_groups_ ? chosen : census_.wanted(current_).front();
  const bool could_spare = census_.can_spare_one();
  const bool is_new = !census_.has_group(group) && group != last_group_;
  census_.enter(current_, group);
  judge();
  if (is_new) meter_.switched();
  last_group_ = group;
  if (room_since_ >= 0) meter_.synchronized(now_ - room_since_, depth_);
  room_since_ = -1;
  if (!could_spare && census_.can_spare_one() && census_.leaving() > 0) spare_since_ = now_;
  starts_inside_ ? has_come_back(current_) : was_served(current_);
}

void World::exited() {
  const bool had_room = census_.has_room();
  census_.leave(current_);
  judge();
  if (spare_since_ >= 0) meter_.synchronized(now_ - spare_since_, depth_);
  spare_since_ = -1;
  if (!had_room && census_.has_room() && census_.entering() > 0) room_since_ = now_;
  starts_inside_ ? was_served(current_) : has_come_back(current_);
}

void World::set_alarm() {
  alarms_[current_] = {now_ + scenario_.alarm.draw(alarm_source_), depth_};
  queue_.push(alarms_[current_].at, {Kind::alarm, current_});
}

void World::judge() {
  alarms_[current_].at = -1;
  alarms_in_vain_ = 0;
  meter_.inside(now_, census_.inside());
  if (!fault_) fault_ = census_.fault();
}

std::vector<TypeCount> World::by_type() const {
  std::vector<TypeCount> counts;
  for (std::size_t type = 0; type < measured_->by_type().size(); ++type) {
    const auto sent = static_cast<double>(measured_->by_type()[type]);
    if (sent == 0) continue;
    const auto entries = static_cast<double>(std::max<std::uint64_t>(measured_->entries(), 1));
    counts.push_back({type_names_[type], sent / entries});
  }
  return counts;
}

}  // namespace coterie::sim
