#include "member/member.h"

#include <algorithm>

#include "base/assert.h"
#include "member/sound.h"

// The library is used inline: its own header defines macros that old compilers want.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace coterie::member {

using protocol::Life;

namespace {

protocol::Setting setting_of(const Config& config) {
  protocol::Setting setting;
  setting.processes = config.names.size();
  setting.version.variants = {"keep"};
  setting.systems = {config.system};
  return setting;
}

}  // namespace

std::string fault_of(const Config& config) {
  const std::size_t members = config.names.size();
  if (config.system.n() != members)
    return "the quorum system is for " + std::to_string(config.system.n()) +
           " members; there are " + std::to_string(members);
  if (config.self >= members) return "this member is not one of those named";
  if (config.system.kind() != quorum::Kind::coterie || config.system.k() != 1)
    return "the quorum system must be an ordinary coterie, such as majority:n=5: any two quorums "
           "meet";
  constexpr std::int64_t kWorstDrift = 100'000;
  if (config.drift.ppm < 0 || config.drift.ppm > kWorstDrift)
    return "drift must be from 0 to 100000 millionths";
  if (config.heartbeat <= Duration{}) return "heartbeat must be more than 0";
  if (config.lease < config.heartbeat * 4) return "lease must be at least four times heartbeat";
  if (config.suspect_after < config.heartbeat * 2 || config.suspect_after > config.lease)
    return "suspect_after must be at least twice heartbeat and at most lease";
  if (config.session <= Duration{}) return "session must be more than 0";
  if (config.keep < Duration{}) return "keep must not be less than 0";
  if (config.batch == 0) return "batch must be at least 1";
  return "";
}

Member::Member(Config config, const Start& start, Instant now, Outlet& out)
    : config_(std::move(config)),
      setting_(setting_of(config_)),
      timing_{config_.lease, config_.drift.at_least(config_.lease), config_.heartbeat,
              config_.suspect_after},
      incarnation_(start.incarnation),
      out_(out),
      now_(now),
      questions_(setting_.processes),
      reports_(setting_.processes),
      born_(now),
      lent_(std::max(timing_.lent, Duration{static_cast<std::int64_t>(start.saved.lent_ns)})),
      told_(setting_.none()),
      unsure_(setting_.none()),
      asked_after_(setting_.processes),
      learned_until_(setting_.processes),
      birth_(start.birth),
      former_{start.saved.incarnation, start.durable},
      remembered_at_(now) {
  COTERIE_ASSERT(incarnation_ > 0);
  Ear& ear = *this;
  for (NodeId peer = 0; peer < setting_.processes; ++peer) {
    const Seen seen = peer < start.saved.peers.size() ? start.saved.peers[peer] : Seen{};
    remembered_.push_back(seen);
    auto link = std::make_unique<Link>(peer, incarnation_, timing_, now, ear, tally_, seen);
    links_.push_back(peer == config_.self ? nullptr : std::move(link));
  }
  is_silent_ = start.birth != Birth::cluster;
  silent_until_ = now + lent_;
  is_sure_ = start.birth != Birth::amnesia;
  if (start.birth == Birth::restart) floor_ = start.ceiling + kUnknown;
  use(floor_ + 1);
  for (const auto& [name, bytes] : start.keepsakes) {
    Keepsake keepsake;
    Reader reader(bytes);
    unpack(reader, keepsake);
    COTERIE_ASSERT(reader.good() && reader.at_end());
    restore(name, keepsake, false);
  }
  finish();
}

Member::~Member() = default;

void Member::begin(Instant now) {
  COTERIE_ASSERT(now >= now_);
  now_ = now;
  for (const auto& link : links_) {
    if (link) link->stop_believing(now_);
  }
  for (const auto& link : links_) {
    if (link) link->advance(now_);
  }
}

void Member::finish() {
  remember_peers();
  do {
    deliver_to_itself();
    go_on_with_reforms();
    adopt_vouched();
  } while (turn_places() || !own_asks_.empty() || !own_answers_.empty());
  end_reforms();
  stop_if_empty();
  settle_places();
  flush();
}

namespace {

// By who is asked, before it answers.
bool is_written_down(const Ask& body) {
  const auto* const commit = std::get_if<Commit>(&body);
  return std::holds_alternative<Pin>(body) || std::holds_alternative<Unpin>(body) ||
         std::holds_alternative<Settle>(body) || std::holds_alternative<Agree>(body) ||
         (commit != nullptr && !commit->owner.empty());
}

}  // namespace

// We are one of those that are asked to write something down: the others hear of it first, and all write at once.
void Member::deliver_to_itself() {
  while (!own_asks_.empty() || !own_answers_.empty()) {
    if (!own_asks_.empty()) {
      const Packet<Ask> packet = std::move(own_asks_.front());
      own_asks_.pop_front();
      if (is_written_down(packet.body)) flush();
      on_ask(config_.self, packet);
    } else {
      const Packet<Answer> packet = std::move(own_answers_.front());
      own_answers_.pop_front();
      on_answer(config_.self, packet);
    }
  }
}

namespace {

// As many as a frame carries well.
std::vector<Report> next_reports(std::vector<Report>& all) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
  std::size_t bytes = 0;
  const auto end = std::find_if(all.begin(), all.end(), [&](const Report& report) {
    const bool is_too_much = bytes > kMostBytes;
    bytes += report.view.size();
    return is_too_much;
  });
  std::vector<Report> next(std::make_move_iterator(all.begin()), std::make_move_iterator(end));
  all.erase(all.begin(), end);
  return next;
}

}  // namespace

void Member::flush() {
  for (NodeId peer = 0; peer < links_.size(); ++peer) {
    if (!links_[peer]) continue;
    Link& link = *links_[peer];
    while (link.has_to_send() || !questions_[peer].empty() || !reports_[peer].empty() ||
           is_stopped_) {
      Frame frame;
      link.fill(frame, now_);
      frame.durable = out_.durable_number();
      frame.clock = clock_.now;
      frame.ceiling = is_sure_ ? ceiling_ : 0;
      frame.is_silent = is_silent_;
      frame.asks_others = asks_others();
      if (frame.asks_others) frame.asks_after = learned_until_[peer];
      frame.questions = std::exchange(questions_[peer], {});
      frame.reports = next_reports(reports_[peer]);
      frame.is_farewell = is_stopped_ && !link.has_to_send();
      const bool is_beat = frame.asking.beat != 0;  // it may be much: not with every word
      if (is_sure_ && is_beat && unsure_.contains(peer)) {
        add_keepsakes(peer, frame);
        frame.lent_ns = static_cast<std::uint64_t>(lent_.ns);
      }
      out_.send(peer, frame);
      if (frame.is_farewell) break;
    }
  }
}

void Member::receive(NodeId from, const Frame& frame, Instant now) {
  if (is_done()) return;
  if (from >= links_.size() || !links_[from] || !is_sound(frame))
    return tally_.count(Happened::impossible);
  outdated_ = outdated_by(from, frame);
  if (outdated_) return tally_.count(Happened::outdated);
  begin(now);
  protocol::follow(clock_, {frame.clock, from});
  if (frame.ceiling <= kMostBelieved) highest_ = std::max(highest_, frame.ceiling);
  // One that was sent before this life began may be from before tokens that a former life took part in.
  if (frame.to == incarnation_) learn(from, frame);
  links_[from]->receive(frame, now);
  // Only the peer's present life may ask: what it is told must be from after its silence.
  if (link(from).life_of(frame.from) == Life::present)
    frame.asks_others ? unsure_.insert(from) : unsure_.erase(from);
  asked_after_[from] = frame.asks_after;
  answer_questions(from, frame);
  finish();
}

void Member::connected(NodeId peer, Instant now) {
  if (is_done()) return;
  begin(now);
  links_[peer]->connected(now);
  finish();
}

void Member::disconnected(NodeId peer, Instant now) {
  if (is_done()) return;
  begin(now);
  links_[peer]->disconnected();
  finish();
}

void Member::tick(Instant now) {
  if (is_done()) return;
  begin(now);
  tick_silence();
  tick_sessions();
  tick_places();
  tick_showings();
  tick_surveys();
  finish();
}

Instant Member::next_tick() const {
  if (is_done()) return Instant::never();
  Instant next = Instant::never();
  for (const auto& link : links_) {
    if (link) next = std::min(next, link->next());
  }
  if (is_silent_ && silent_until_ > now_) next = std::min(next, silent_until_);
  if (!session_ends_.empty()) next = std::min(next, session_ends_.top().first);
  if (!wakes_.empty()) next = std::min(next, wakes_.top().first);
  if (!surveys_.empty()) next = std::min(next, surveys_.begin()->second.until);
  if (!showings_.empty()) next = std::min(next, show_again_);
  return next;
}

// Everything that a former life may have lent is over, and its numbers are known.
void Member::tick_silence() {
  if (!is_silent_ || !is_sure_ || now_ < silent_until_) return;
  is_silent_ = false;
  tally_.count(Happened::silence_ended);
  if (lent_ != timing_.lent) {  // what was given for longer is over
    lent_ = timing_.lent;
    save();
  }
  each_resource([&](Resource& resource) {
    resource.end_silence();
    resource.on_trust(config_.self);
  });
}

Member::Place* Member::find(const std::string& name) {
  const auto place = places_.find(name);
  if (place == places_.end()) return nullptr;
  if (!std::exchange(place->second.is_touched, true)) touched_.push_back(name);
  return &place->second;
}

// REQUIRES: the name is not in use as another kind.
Member::Place& Member::touch(const std::string& name, Kind kind) {
  if (Place* const known = find(name)) return *known;
  places_[name].resource = new_resource(name, kind);
  return *find(name);
}

std::unique_ptr<Resource> Member::new_resource(const std::string& name, const Kind& kind) {
  Host& host = *this;
  const auto first =
      static_cast<NodeId>(XXH3_64bits(name.data(), name.size()) % setting_.processes);
  return make_resource(name, kind, first, host);
}

void Member::each_resource(const std::function<void(Resource&)>& does) {
  for (auto& [name, place] : places_) {
    if (!std::exchange(place.is_touched, true)) touched_.push_back(name);
    does(*place.resource);
  }
}

void Member::settle_places() {
  for (const std::string& name : touched_) {
    const auto found = places_.find(name);
    if (found == places_.end()) continue;
    Place& place = found->second;
    place.is_touched = false;
    if (place.resource->is_idle()) {
      floor_ = std::max(floor_, place.resource->number());
      tally_.count(Happened::forgotten);
      places_.erase(found);
    } else if (const Instant due = place.resource->due(); due < place.wake) {
      place.wake = due;
      wakes_.emplace(due, name);
    }
  }
  touched_.clear();
  // Names come and go much faster than what would have been due: nobody wakes for those that are gone.
  while (!wakes_.empty() && is_stale(wakes_.top())) wakes_.pop();
}

bool Member::is_stale(const std::pair<Instant, std::string>& wake) const {
  const auto place = places_.find(wake.second);
  return place == places_.end() || place->second.wake != wake.first;
}

// Some at a time: what is still due then is so at the next tick, and others come between.
void Member::tick_places() {
  constexpr std::size_t kMostAtOnce = 512;
  for (std::size_t i = 0; i < kMostAtOnce && !wakes_.empty() && wakes_.top().first <= now_; ++i) {
    const auto [at, name] = wakes_.top();
    wakes_.pop();
    Place* const place = find(name);
    if (place == nullptr || place->wake > now_) continue;
    place->wake = Instant::never();
    place->resource->tick();
  }
}

namespace {

// Of one who asks for something; nothing if it is about something that it has.
std::optional<Time> tag_of_request(const Ask& body) {
  if (const auto* const request = std::get_if<Request>(&body)) return request->tag;
  if (const auto* const poll = std::get_if<Poll>(&body)) return poll->tag;
  return std::nullopt;
}

Number number_in(const Ask& body) {
  return std::visit(
      []<class Body>(const Body& what) -> Number {
        if constexpr (requires { what.number; }) return what.number;
        return 0;
      },
      body);
}

}  // namespace

void Member::on_ask(NodeId from, const Packet<Ask>& packet) {
  if (!fault_of(packet.kind).empty()) return tally_.count(Happened::impossible);
  if (const auto* const vouch = std::get_if<Vouch>(&packet.body))
    return on_vouch(from, packet, *vouch);
  if (const auto* const agree = std::get_if<Agree>(&packet.body))
    return on_agree(from, packet, agree->terms);
  if (const auto* const settle = std::get_if<Settle>(&packet.body))
    return on_settle(from, packet, *settle);
  if (const auto* const probed = std::get_if<Probed>(&packet.body)) {
    if (Place* const known = find(packet.name)) known->resource->on_probed(from, *probed);
    return;
  }
  if (const auto* const unpin = std::get_if<Unpin>(&packet.body)) {
    const bool names_it = unpin->number != 0 || !unpin->attempt.is_none();
    if (!names_it || unpin->is_question) return on_end_question(from, packet, *unpin);
    const Place& place = touch(packet.name, packet.kind);
    if (!place.resource->knows_end(unpin->owner, unpin->number, unpin->attempt))
      refuse_asking(packet.name, unpin->owner, unpin->attempt);
    return find(packet.name)->resource->on_unpin(from, packet.slot, *unpin);
  }
  if (const auto* const commit = std::get_if<Commit>(&packet.body);
      commit && !commit->owner.empty())
    refuse_asking(packet.name, commit->owner);
  const std::optional<Time> request = tag_of_request(packet.body);
  Place* const known = find(packet.name);
  if (known != nullptr && waits(from, *known, packet)) return;
  const bool is_ours = known != nullptr && known->resource->is_like(packet.kind) &&
                       (!request || known->resource->serves(packet.kind));
  const bool gives_way =
      known != nullptr && !is_ours && request && give_way(packet.name, *known, packet.kind);
  if (known != nullptr && !is_ours && !gives_way) {
    if (!request) return;  // of one whom we never served
    tally_.count(Happened::request_mismatched);
    const Kind kind = known->resource->kind();
    known->resource->give_back();
    return answer(from, {packet.name, packet.kind, packet.slot, Mismatch{*request, kind}});
  }
  if (known != nullptr || request)
    return touch(packet.name, packet.kind).resource->on_ask(from, packet);
  // The last word on what we have forgotten: its token counts.
  floor_ = std::max(floor_, number_in(packet.body));
  tally_.count(std::holds_alternative<Yield>(packet.body) ? Happened::yielded_stale
                                                          : Happened::released_stale);
  use(floor_);
}

void Member::on_answer(NodeId from, const Packet<Answer>& packet) {
  if (const auto* const vouched = std::get_if<Vouched>(&packet.body))
    return on_vouched(packet, *vouched);
  if (const auto* const agreed = std::get_if<Agreed>(&packet.body))
    return on_agreed(from, packet.name, *agreed);
  if (const auto* const settled = std::get_if<Settled>(&packet.body))
    return on_settled(from, packet, *settled);
  if (const auto* const probe = std::get_if<Probe>(&packet.body)) {
    tally_.count(Happened::probed);
    if (!reaches(from)) return;  // nor does it count on anything of ours
    return ask(from, {packet.name, packet.kind, packet.slot, Probed{probe->id, probe->tag}});
  }
  Place* const known = find(packet.name);
  if (const auto* const unpinned = std::get_if<Unpinned>(&packet.body)) {
    if (known != nullptr && !unpinned->is_named) known->resource->on_unpinned(from, *unpinned);
    return go_on_with_endings(from, packet, *unpinned);
  }
  if (known == nullptr || !known->resource->is_like(packet.kind))
    return tally_.count(Happened::answer_to_nobody);
  known->resource->on_answer(from, packet);
}

void Member::on_up(NodeId peer) {
  tell_of_all(peer);
  ask_again_to_end(peer);
  ask_again_to_settle(peer);
  each_resource([&](Resource& resource) { resource.on_up(peer); });
}
void Member::on_suspect(NodeId peer) {
  ask_those_without();
  decide_settlings();
  each_resource([&](Resource& resource) { resource.on_suspect(peer); });
}
void Member::on_trust(NodeId peer) {
  each_resource([&](Resource& resource) { resource.on_trust(peer); });
}
void Member::on_lapse(NodeId peer) {
  doubt_answers(peer);
  doubt_settled(peer);
  ask_those_without();
  decide_settlings();
  each_resource([&](Resource& resource) {
    resource.doubt_ends(peer);
    resource.on_lapse(peer);
  });
}
void Member::on_reborn(NodeId peer) {
  drop_waiting(peer);
  each_resource([&](Resource& resource) { resource.on_reborn(peer); });
}
void Member::on_expire(NodeId peer, Life life) {
  if (life == Life::present) drop_waiting(peer);
  each_resource([&](Resource& resource) { resource.on_expire(peer, life); });
}

NodeSet Member::reachable() const {
  NodeSet reachable = setting_.none();
  for (NodeId peer = 0; peer < links_.size(); ++peer) {
    if (reaches(peer)) reachable.insert(peer);
  }
  return reachable;
}

NodeSet Member::suspects() const {
  NodeSet suspects = setting_.none();
  for (NodeId peer = 0; peer < links_.size(); ++peer) {
    if (links_[peer] && links_[peer]->is_doubted()) suspects.insert(peer);
  }
  if (is_silent_) suspects.insert(config_.self);  // others are asked rather
  return suspects;
}

std::size_t Member::backlog() const {
  std::size_t most = 0;
  for (const auto& link : links_) {
    if (link && link->is_up() && !link->is_doubted()) most = std::max(most, link->backlog());
  }
  return most;
}

void Member::ask(NodeId arbiter, Packet<Ask> packet) {
  if (!is_sound(packet)) return tally_.count(Happened::impossible);
  if (arbiter == config_.self) return own_asks_.push_back(std::move(packet));
  links_[arbiter]->ask(std::move(packet));
}

void Member::answer(NodeId requester, Packet<Answer> packet) {
  if (!is_sound(packet)) return tally_.count(Happened::impossible);
  if (requester == config_.self) return own_answers_.push_back(std::move(packet));
  links_[requester]->answer(std::move(packet));
}

}  // namespace coterie::member
