#include "check/space.h"

#include <xxhash.h>

#include <utility>

#include "base/assertion_watch.h"
#include "check/catcher.h"

namespace coterie::check {
namespace {

using protocol::Groups;
using spec::Place;

Fingerprint hash_of(std::string_view bytes, std::uint64_t salt) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), salt);
}

// Salts keep processes, messages and channels of equal contents apart.
constexpr std::uint64_t kLocalSalt = 1ULL << 32U;
constexpr std::uint64_t kMessageSalt = 2ULL << 32U;
constexpr std::uint64_t kChannelSalt = 3ULL << 32U;
constexpr std::size_t kMostSentInAStep = 10'000;
constexpr std::size_t kKindsOfFaults = 12;  // of Input::Kind, each once per peer

}  // namespace

Space::Space(const Config& config)
    : config_(config), processes_(config.setting.processes), has_faults_(config.faults.any()) {
  position_.assign(processes_ * processes_, kNoChannel);
  incoming_.resize(processes_);
  for (NodeId to = 0; to < processes_; ++to) {
    for (NodeId from = 0; from < processes_; ++from) {
      if (from == to && config_.immediate_to_self) continue;
      const auto position = static_cast<std::uint32_t>(channels_.size());
      position_[from * processes_ + to] = position;
      incoming_[to].push_back(position);
      channels_.push_back({from, to});
    }
  }
  contents_.add({});  // kEmpty, on every channel
  channel_briefs_.add({0, 0, kEmpty});
  for (NodeId process = 0; process < processes_; ++process) {
    machines_.push_back(config_.choice.make()(config_.setting, process));
    Local local;
    local.process = process;
    const bool starts_inside =
        config_.setting.inside.universe() != 0 && config_.setting.inside.contains(process);
    local.place = starts_inside ? Place::inside : Place::outside;
    const auto& asks = config_.requesters;
    local.left = std::find(asks.begin(), asks.end(), process) != asks.end() ? config_.requests : 0;
    Writer state;
    machines_.back()->save(state);
    local.bytes = state.take();
    local.at_rest = machines_.back()->at_rest();
    initial_.push_back(add_local(std::move(local)));
  }
  initial_.resize(width(), kEmpty);
}

// An input costs an operation when it asks; who is inside when all operations are done may stay there, if
// the rule lets it, but one who came in by an operation can always leave.
void Space::list_inputs(Local& local) const {
  if (!local.broken.empty() || local.trouble.is_down) return;
  const auto with_quorums = [&](Input input) {
    if (config_.quorums.empty()) {
      local.inputs.push_back(std::move(input));
      return;
    }
    for (const NodeSet& quorum : config_.quorums) {
      input.demand.prefer = quorum;
      local.inputs.push_back(input);
    }
  };
  const bool is_counting_operations = config_.setting.inside.universe() != 0;
  if (local.place == Place::outside && local.left > 0) {
    const std::vector<Groups>& demands = config_.demands[local.process];
    for (std::size_t at = 0; at < demands.size(); ++at) {
      if (config_.demands_in_turn && at != config_.requests - local.left) continue;
      with_quorums({Input::Kind::enter, {.groups = demands[at], .prefer = {}}});
    }
  } else if (local.place == Place::inside && (!is_counting_operations || local.left > 0)) {
    local.inputs.push_back({Input::Kind::exit, {}});
  }
  if (local.alarm) with_quorums({Input::Kind::alarm, {}});
}

// What nobody asks for.
void Space::forget(History& history) const {
  if (!config_.losses) history.has_lost = false;
  if (!config_.judges_leaves()) history.is_missing = history.has_fallen = false;
  if (config_.tokens != protocol::Tokens::none) return;
  history.token = 0;
  history.tokens.clear();
  history.has_repeated = false;
}

Id Space::add_local(Local local) {
  forget(local.history);
  Writer key;
  pack(key, std::tie(local.process, local.place, local.group, local.wanted, local.left, local.alarm,
                     local.broken));
  if (has_faults_) pack(key, local.trouble);
  if (config_.judges_past()) pack(key, local.history);
  key.raw(local.bytes);
  const auto [entry, is_new] = local_ids_.emplace(key.bytes(), static_cast<Id>(locals_.size()));
  if (!is_new) return entry->second;
  local.hash = hash_of(key.bytes(), kLocalSalt + local.process);
  list_inputs(local);
  bytes_ += 2 * key.bytes().size() + sizeof(Local) + local.inputs.size() * sizeof(Input);
  has_alarms_ = has_alarms_ || local.alarm;
  const auto is_alarm = [](const Input& input) { return input.kind == Input::Kind::alarm; };
  const auto alarms = std::count_if(local.inputs.begin(), local.inputs.end(), is_alarm);
  const auto inputs = static_cast<std::uint16_t>(local.inputs.size());
  Peers unheard;
  for (NodeId peer = 0; has_faults_ && peer < processes_; ++peer) {
    if (local.trouble.is_deaf_to(peer)) unheard.insert(peer);
  }
  local_briefs_.add({local.hash, unheard, inputs, static_cast<std::uint16_t>(inputs - alarms),
                     local.place, local.alarm, local.at_rest, !local.broken.empty()});
  if (has_faults_) list_faults(local);
  return locals_.add(std::move(local));
}

Id Space::add_message(std::uint32_t channel, Bytes bytes) {
  Writer key;
  key.number(channel);
  key.raw(bytes);
  const auto [entry, is_new] = message_ids_.emplace(key.bytes(), static_cast<Id>(messages_.size()));
  if (!is_new) return entry->second;
  const Fingerprint hash = hash_of(bytes, kMessageSalt + channel);
  bytes_ += 2 * key.bytes().size() + sizeof(Message);
  return messages_.add({std::move(bytes), hash, channel});
}

Id Space::add_channel(std::uint32_t position, std::vector<Id> messages) {
  if (messages.empty()) return kEmpty;
  const std::string key(reinterpret_cast<const char*>(messages.data()),
                        messages.size() * sizeof(Id));
  if (const auto found = channel_ids_.find(key); found != channel_ids_.end()) return found->second;
  Channel channel;
  std::string hashes;
  for (const Id message : messages) {
    const Fingerprint hash = messages_[message].hash;
    hashes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  }
  channel.hash = hash_of(hashes, kChannelSalt + position);
  const std::size_t choices = config_.fifo ? 1 : messages.size();
  for (std::size_t taken = 0; taken < choices; ++taken) {
    std::vector<Id> rest = messages;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(taken));
    channel.without.push_back(add_channel(position, std::move(rest)));
  }
  bytes_ += 2 * key.size() + sizeof(Channel) + 32;
  longest_ = std::max(longest_, messages.size());
  channel.messages = std::move(messages);
  channel_briefs_.add({channel.hash, channel.messages.front(), channel.without.front()});
  const Id id = contents_.add(std::move(channel));
  channel_ids_.emplace(key, id);
  return id;
}

Id Space::push(Id channel, Id message) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t key = std::uint64_t{channel} << 32U | message;
  if (const auto found = push_ids_.find(key); found != push_ids_.end()) return found->second;
  std::vector<Id> messages = contents_[channel].messages;
  messages.push_back(message);
  const Id id = add_channel(messages_[message].channel, std::move(messages));
  push_ids_.emplace(key, id);
  return id;
}

const Space::Step& Space::step(Id local, std::uint32_t input) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t key = std::uint64_t{local} << 32U | input;
  if (const auto found = step_ids_.find(key); found != step_ids_.end())
    return steps_[found->second];
  Step step;
  step.next = add_local(take(locals_[local], input, step));
  bytes_ += sizeof(Step) + 2 * sizeof(key);
  const Id id = steps_.add(std::move(step));
  step_ids_.emplace(key, id);
  return steps_[id];
}

Space::Local Space::take(const Local& before, std::uint32_t input, Step& step) {
  Local after = before;
  after.inputs.clear();
  if (!before.broken.empty()) return after;
  try {
    const AssertionWatch watch;
    feed(before, input, after, step);
  } catch (const AssertionFailure& failure) {
    after = before;
    after.inputs.clear();
    after.broken = failure.what;
    step.sent.clear();
  }
  return after;
}

void Space::feed_own(const Input& own, protocol::Process& machine, Local& after, Catcher& catcher) {
  switch (own.kind) {
    case Input::Kind::enter:
      after.place = Place::entering;
      after.wanted = own.demand.groups;
      --after.left;
      return machine.enter(own.demand, catcher);
    case Input::Kind::exit:
      after.place = Place::leaving;
      if (config_.setting.inside.universe() != 0) --after.left;
      return machine.exit(catcher);
    case Input::Kind::alarm:
      after.alarm = false;
      return machine.alarm(own.demand.prefer, catcher);
    default:
      return feed_fault(own, machine, after, catcher);
  }
}

void Space::feed(const Local& before, std::uint32_t input, Local& after, Step& step) {
  protocol::Process& machine = *machines_[before.process];
  const bool is_own = (input & kOwn) != 0;
  const NodeId from = is_own ? before.process : channels_[messages_[input].channel].from;
  COTERIE_ASSERT(is_own || !before.trouble.is_deaf_to(from));
  const Input::Kind kind = is_own ? before.inputs[input & ~kOwn].kind : Input::Kind::enter;
  const bool is_of_the_dead = kind == Input::Kind::restart || kind == Input::Kind::ghost_lapse;
  if (!is_of_the_dead) {
    Reader state(before.bytes);
    machine.load(state);
    COTERIE_ASSERT(state.good() && state.at_end());
  }
  if (kind == Input::Kind::crash) return crash(machine, before, after);
  if (kind == Input::Kind::ghost_lapse)
    return feed_ghost(before.inputs[input & ~kOwn].peer, machine, after);

  Catcher catcher(after);
  if (is_own) {
    feed_own(before.inputs[input & ~kOwn], machine, after, catcher);
  } else {
    COTERIE_ASSERT(machine.on(from, messages_[input].bytes, catcher));
  }
  for (std::size_t next = 0; next < catcher.sent.size(); ++next) {
    const bool talks_to_itself_for_ever = next > kMostSentInAStep;
    COTERIE_ASSERT(!talks_to_itself_for_ever);
    auto [to, bytes] = catcher.sent[next];
    COTERIE_ASSERT(to < processes_);
    if (after.trouble.lapsed.contains(to)) continue;
    if (to == before.process && config_.immediate_to_self) {
      COTERIE_ASSERT(machine.on(before.process, bytes, catcher));
    } else {
      const std::uint32_t channel = position_[before.process * processes_ + to];
      step.sent.push_back({add_message(channel, std::move(bytes)),
                           static_cast<std::uint32_t>(processes_) + channel});
    }
  }
  const bool was_lost = after.history.is_missing && !before.history.is_missing;
  if (was_lost && is_told_forget()) after.trouble.fading = Peers::first(processes_);
  Writer writer;
  machine.save(writer);
  after.bytes = writer.take();
  after.at_rest = machine.at_rest();
}

std::string Space::describe(Id message) const {
  const Message& sent = messages_[message];
  return machines_[channels_[sent.channel].from]->describe_message(sent.bytes);
}

std::string Space::describe_local(Id local) {
  const std::scoped_lock lock(mutex_);
  protocol::Process& machine = *machines_[locals_[local].process];
  Reader state(locals_[local].bytes);
  machine.load(state);
  std::string text;
  machine.describe(text);
  return text;
}

Fingerprint Space::fingerprint(std::span<const Id> state) const {
  Fingerprint sum = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    sum += i < processes_ ? locals_[state[i]].hash : contents_[state[i]].hash;
  }
  return sum;
}

void Space::look(std::span<const Id> state, std::vector<spec::Person>& people) const {
  people.resize(processes_);
  for (std::size_t process = 0; process < processes_; ++process) {
    const Local& local = locals_[state[process]];
    people[process] = {local.place, local.group, {local.wanted.data(), local.wanted.size()}};
  }
  for (std::size_t process = 0; has_faults_ && process < processes_; ++process) {
    const auto& ghost = locals_[state[process]].trouble.ghost;
    if (ghost) people.push_back({Place::inside, ghost->group, {}, static_cast<NodeId>(process)});
  }
}

std::size_t Space::most_events() const {
  std::size_t demands = 1;
  for (const auto& choices : config_.demands) demands = std::max(demands, choices.size());
  const std::size_t quorums = std::max<std::size_t>(1, config_.quorums.size());
  std::size_t own = (demands + 1) * quorums;
  if (has_faults_) own += kKindsOfFaults + processes_ * (kKindsOfFaults + config_.faults.restarts);
  const std::size_t per_channel = config_.fifo ? 1 : longest_;
  return processes_ * own + channels_.size() * per_channel;
}

}  // namespace coterie::check
