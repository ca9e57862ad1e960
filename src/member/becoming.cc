// Names that become something else: see becoming.h.
#include "member/becoming.h"

#include <algorithm>
#include <set>
#include <utility>

#include "member/member.h"

namespace coterie::member {

namespace {

constexpr std::size_t kMostAsks = 65'536;  // that wait: memory is for all

// In front of a name, on disk: what is known of it is that nothing is. No client can name such a name.
constexpr char kNothing = '\x01';

// Of a request for something new, that is not for one who is inside.
std::optional<Time> tag_of_newcomer(const Ask& body) {
  const auto is_new = [](const auto& request) {
    return request.priority.rank == protocol::Rank::waiting;
  };
  if (const auto* const request = std::get_if<Request>(&body); request && is_new(*request))
    return request->tag;
  const auto* const poll = std::get_if<Poll>(&body);
  if (poll && is_new(*poll) && poll->way == protocol::census::Way::in) return poll->tag;
  return std::nullopt;
}

}  // namespace

std::string text_of_version(std::uint64_t named, std::uint64_t known) {
  return "it was set since: version " + std::to_string(known) +
         " is in force, and the change was to replace version " + std::to_string(named);
}

// No two members ever use the same: one may have died with what it alone had written down.
std::uint64_t Member::next_version(const std::string& name, std::uint64_t last) const {
  const std::size_t members = setting_.processes;
  return (std::max(last, version_of(name)) / members + 1) * members + config_.self;
}

std::uint64_t Member::version_of(const std::string& name) const {
  std::uint64_t version = 0;
  if (const auto known = forgotten_.find(name); known != forgotten_.end()) version = known->second;
  if (const auto place = places_.find(name); place != places_.end()) {
    version = std::max(version, place->second.resource->terms().version);
    if (place->second.next) version = std::max(version, place->second.next->terms.version);
  }
  return version;
}

bool Member::is_set(const std::string& name, std::uint64_t version) const {
  const auto place = places_.find(name);
  const bool is_turning = place != places_.end() && place->second.next;
  return !is_turning && version_of(name) >= version;
}

void Member::on_agree(NodeId from, const Packet<Ask>& packet, const Terms& terms) {
  const bool is_question = terms.version == 0;
  // Who has lost its disk cannot say what was set last.
  if (is_question && !is_sure_) {
    unanswered_.emplace_back(from, packet);
    return;
  }
  if (!is_question) {
    Kind kind = packet.kind;
    if (!is_forgotten(terms)) kind = {kind.type, terms.min, terms.max};
    if (!fault_of(kind).empty()) return tally_.count(Happened::impossible);
    hear(packet.name, kind, terms);
    if (Place* const place = find(packet.name); place != nullptr && place->next) {
      place->next->told_by.insert(from);
      return;
    }
  }
  answer(from, {packet.name, packet.kind, packet.slot, Agreed{version_of(packet.name)}});
}

// What somebody says that holds for a name.
void Member::hear(const std::string& name, const Kind& kind, const Terms& terms) {
  Place* const place = find(name);
  const std::uint64_t known = version_of(name);
  const bool is_new = terms.version > known;
  const bool goes_on = place != nullptr && !is_forgotten(terms) && place->resource->is_like(kind);
  const auto forgotten = forgotten_.find(name);
  const bool is_void = forgotten != forgotten_.end() && terms.version < forgotten->second;
  if (goes_on && !is_void && (is_new || !place->next)) {
    place->resource->agree(terms);  // also what is old may be that the floor is armed
    if (place->next) {
      for (const NodeId from : stop_becoming(name, *place))
        answer(from, {name, kind, 0, Agreed{terms.version}});
    }
  } else if (!is_new) {
    return;
  } else if (place == nullptr ? is_forgotten(terms) : has_nothing_of(*place, terms)) {
    forget(name, terms.version);
  } else if (place != nullptr) {
    become(name, *place, kind, terms);
  } else {
    touch(name, kind).resource->agree(terms);
  }
  if (is_new) tell_all(name);
}

// It is in use, but by nothing that was set.
bool Member::has_nothing_of(const Place& place, const Terms& forgotten) {
  const Terms terms = place.resource->terms();
  return is_forgotten(forgotten) && !place.next && terms.version == 0 && !terms.is_armed;
}

void Member::become(const std::string& name, Place& place, const Kind& kind, const Terms& terms) {
  NodeSet told_by = place.next ? stop_becoming(name, place) : setting_.none();
  becoming_.insert(name);
  tally_.count(Happened::reformed);
  place.next = Becoming{kind, terms, std::move(told_by)};
  place.resource->recall();
  place.resource->wind_up(text_of_change(name, place), terms);
}

std::string Member::text_of_change(const std::string& name, const Place& place) {
  const Becoming& next = *place.next;
  const std::string what =
      is_forgotten(next.terms) ? "will be nothing in particular" : "becomes " + text_of(next.kind);
  return '"' + name + "\" is " + text_of(place.resource->kind()) + " and " + what +
         " when all have left";
}

// Something else has become of it: who asked for what it was to be must ask again. Who is still to be answered is returned.
NodeSet Member::stop_becoming(const std::string& name, Place& place) {
  Becoming next = *std::exchange(place.next, std::nullopt);
  becoming_.erase(name);
  const Kind known = place.resource->kind();
  for (const auto& [from, packet] : next.asks) {
    if (const auto tag = tag_of_newcomer(packet.body))
      answer(from, {name, packet.kind, packet.slot, Mismatch{*tag, known}});
  }
  return std::move(next.told_by);
}

// Whether the packet is not for what the name still is.
bool Member::waits(NodeId from, Place& place, const Packet<Ask>& packet) {
  if (!place.next) return false;
  // What it has asked for before goes on; it may also ask for less.
  if (place.resource->is_like(packet.kind) && place.resource->has_entry(from, packet.slot))
    return false;
  Becoming& next = *place.next;
  const std::optional<Time> newcomer = tag_of_newcomer(packet.body);
  const bool is_for_next = is_forgotten(next.terms) || are_alike(next.kind, packet.kind);
  const auto is_same = [&](const auto& other) {
    return other.first == from && other.second.slot == packet.slot &&
           are_alike(other.second.kind, packet.kind);
  };
  const bool follows = std::any_of(next.asks.begin(), next.asks.end(), is_same);
  if (follows || (newcomer && is_for_next && next.asks.size() < kMostAsks)) {
    next.asks.emplace_back(from, packet);
    return true;
  }
  if (!newcomer) return false;
  tally_.count(Happened::request_mismatched);
  const Kind known = is_for_next ? place.resource->kind() : next.kind;
  answer(from, {packet.name, packet.kind, packet.slot, Mismatch{*newcomer, known}});
  return true;
}

void Member::drop_waiting(NodeId peer) {
  for (const std::string& name : becoming_)
    std::erase_if(places_.at(name).next->asks,
                  [peer](const auto& ask) { return ask.first == peer; });
}

// What waited for it may begin something, or end it.
bool Member::turn_places() {
  bool has_turned = false;
  for (const std::string& name : std::set(becoming_)) {
    Place* const place = find(name);
    if (place == nullptr || !place->next) continue;
    place->resource->give_back();
    if (!config_.parts.may_turn(*place->resource)) continue;
    turn(name, *place);
    has_turned = true;
  }
  return has_turned;
}

void Member::turn(const std::string& name, Place& place) {
  tally_.count(Happened::turned);
  const Becoming next = *std::exchange(place.next, std::nullopt);
  becoming_.erase(name);
  if (is_forgotten(next.terms)) {
    replace(name, place, place.resource->kind(), {});
    forget(name, next.terms.version);
  } else {
    replace(name, place, next.kind, next.terms);
  }
  for (const NodeId from : next.told_by)
    answer(from, {name, next.kind, 0, Agreed{next.terms.version}});
  for (const auto& [from, packet] : next.asks) on_ask(from, packet);
}

// What is over goes on being so.
void Member::replace(const std::string& name, Place& place, const Kind& kind, const Terms& terms) {
  floor_ = std::max(floor_, place.resource->number());
  use(floor_);
  Keepsake keepsake{kind, terms, place.resource->keepsake().lastings};
  place.resource = new_resource(name, kind);
  if (!keepsake.is_needed()) return keep(name, {});
  place.resource->restore(keepsake, false);
}

// Nobody uses it, and nothing was set: what it was last is no reason for it not to be something else.
bool Member::give_way(const std::string& name, Place& place, const Kind& kind) {
  const Terms terms = place.resource->terms();
  if (place.next || terms.version > 0 || terms.is_armed || !place.resource->is_clear())
    return false;
  replace(name, place, kind, {});
  return true;
}

void Member::forget(const std::string& name, std::uint64_t version) {
  forgotten_[name] = version;
  keep(kNothing + name, {{}, {version, 0, kForgotten, false}, {}});
}

void Member::tell_of(const std::string& name, NodeId peer) {
  const auto place = places_.find(name);
  const auto known = forgotten_.find(name);
  const auto tell = [&](const Kind& kind, const Terms& terms) {
    ask(peer, {name, kind, 0, Agree{terms}});
  };
  if (place != places_.end() && place->second.next)
    return tell(place->second.next->kind, place->second.next->terms);
  if (place != places_.end() && place->second.resource->terms().version > 0)
    return tell(place->second.resource->kind(), place->second.resource->terms());
  if (known != forgotten_.end()) tell({}, {known->second, 0, kForgotten, false});
}

void Member::tell_all(const std::string& name) {
  for (const NodeId peer : reachable()) {
    if (peer != config_.self) tell_of(name, peer);
  }
}

// All that was ever set, and each who wants to set something and does not know yet what was last.
void Member::tell_of_all(NodeId peer) {
  for (const auto& [name, place] : places_) tell_of(name, peer);
  for (const auto& [name, version] : forgotten_) {
    if (!places_.contains(name)) tell_of(name, peer);
  }
  for (const Reform& reform : reforms_) {
    if (reform.terms.version == 0) ask(peer, {reform.name, reform.kind, 0, Agree{}});
  }
}

void Member::reform(Claim& claim, bool forgets) {
  Reform reform{&claim,         claim.name, forgets ? Kind{} : claim.kind,
                forgets,        {},         version_of(claim.name),
                setting_.none()};
  for (const NodeId peer : reachable()) {
    if (peer != config_.self) ask(peer, {reform.name, reform.kind, 0, Agree{}});
  }
  reforms_.push_back(std::move(reform));
}

void Member::on_agreed(NodeId from, const std::string& name, const Agreed& agreed) {
  for (Reform& reform : reforms_) {
    if (reform.name != name || agreed.version < reform.terms.version) continue;
    reform.told.insert(from);
    reform.last = std::max(reform.last, agreed.version);
  }
  if (Place* const place = find(name)) place->resource->on_agreed(from, agreed);
}

// First what was set last, as a quorum knows it; then what is to be.
void Member::go_on_with_reforms() {
  const quorum::Family& quorums = setting_.system().write();
  std::vector<std::pair<Claim*, std::uint64_t>> late;
  for (Reform& reform : reforms_) {
    if (reform.terms.version > 0) continue;
    if (is_sure_) reform.told.insert(config_.self);
    if (!quorums.contains_quorum(reform.told)) continue;
    reform.last = std::max(reform.last, version_of(reform.name));
    if (const auto replaces = reform.claim->replaces; replaces && *replaces != reform.last) {
      late.emplace_back(reform.claim, reform.last);
      continue;
    }
    reform.terms = {next_version(reform.name, reform.last), reform.kind.min,
                    reform.forgets ? kForgotten : reform.kind.max, false};
    reform.told.clear();
    hear(reform.name, reform.kind, reform.terms);
  }
  for (const auto& [claim, version] : late) {
    drop_reform(*claim);
    refused(*claim, Refusal::mismatch, text_of_version(*claim->replaces, version));
  }
}

// All that can be reached have turned, so that nobody is refused who asks for the new now.
void Member::end_reforms() {
  std::vector<Claim*> done;
  std::erase_if(reforms_, [&](Reform& reform) {
    if (reform.terms.version == 0) return false;
    if (is_set(reform.name, reform.terms.version)) reform.told.insert(config_.self);
    const bool is_enough = reform.forgets
                               ? reform.told.size() == setting_.processes
                               : setting_.system().write().contains_quorum(reform.told) &&
                                     (reachable() - suspects()).is_subset_of(reform.told);
    if (is_enough) done.push_back(reform.claim);
    return is_enough;
  });
  for (Claim* const claim : done) left(*claim);
}

void Member::drop_reform(const Claim& claim) {
  std::erase_if(reforms_, [&](const Reform& reform) { return reform.claim == &claim; });
}

void Member::add_forgotten(NamedKeepsakes& all) const {
  for (const auto& [name, version] : forgotten_)
    all.emplace_back(kNothing + name, Keepsake{{}, {version, 0, kForgotten, false}, {}});
}

// A member that lost its disk may hear first of what a name has become at members without a hold by what it was, or a client may
// have asked for it as something else; then it hears of such a hold. It may have had that hold before, and must not vote for the
// other kind as long as the hold lasts: so the name is what it was, and becomes the other kind again when it may.
bool Member::go_back(const std::string& name, Place& place, const Keepsake& keepsake) {
  const auto is_live = [](const Lasting& lasting) { return lasting.is_live(); };
  const auto has_live = [&](const std::vector<Lasting>& all) {
    return std::any_of(all.begin(), all.end(), is_live);
  };
  if (!has_live(keepsake.lastings) || has_live(place.resource->keepsake().lastings)) return false;
  const Kind kind = place.next ? place.next->kind : place.resource->kind();
  const Terms terms = place.next ? place.next->terms : place.resource->terms();
  if (place.next) stop_becoming(name, place);
  place.resource->wind_up("it is in use as " + text_of(keepsake.kind), terms);
  if (!place.resource->is_clear()) return false;
  replace(name, place, keepsake.kind, keepsake.terms);
  place.resource->restore(keepsake, true);
  if (terms.version > 0) hear(name, kind, terms);
  return true;
}

// From disk, or of one who has not lost its own.
void Member::restore(const std::string& name, const Keepsake& keepsake, bool is_hearsay) {
  if (!name.empty() && name.front() == kNothing) {
    const std::string bare = name.substr(1);
    if (keepsake.terms.version > version_of(bare)) hear(bare, {}, keepsake.terms);
    return;
  }
  refuse_asking_again(name, keepsake);
  Place& place = touch(name, keepsake.kind);
  if (place.resource->is_like(keepsake.kind)) return place.resource->restore(keepsake, is_hearsay);
  if (is_hearsay && go_back(name, place, keepsake)) return;
  // Asked for as something else, in our ignorance, or it was that before: what is over is over.
  for (const Lasting& lasting : keepsake.lastings) {
    if (lasting.is_over() && lasting.token != 0)
      place.resource->bury(lasting.owner, lasting.token, nullptr);
  }
  hear(name, keepsake.kind, keepsake.terms);
}

}  // namespace coterie::member
