#include "member/ending.h"

#include <algorithm>
#include <utility>

#include "member/member.h"

namespace coterie::member {

void Member::end_whatever(Claim& claim) {
  endings_.push_back({&claim, claim.name, claim.owner, setting_.none(), claim.kind});
  for (const NodeId member : reachable()) ask_to_end(endings_.back(), member);
}

void Member::ask_to_end(const Ending& ending, NodeId member) {
  ask(member, {ending.name, ending.kind, 0, Unpin{ending.owner, 0}});
}

void Member::on_unpin(NodeId from, const Packet<Ask>& packet, const Unpin& unpin) {
  if (unpin.number == 0) return on_unpin_whatever(from, packet, unpin.owner);
  if (puts_off(from, packet, unpin)) return;
  touch(packet.name, packet.kind).resource->on_unpin(from, packet.slot, unpin);
}

// Who has lost its disk cannot say yet what it had.
void Member::on_unpin_whatever(NodeId from, const Packet<Ask>& packet, const std::string& owner) {
  if (!is_sure_) {
    unanswered_.emplace_back(from, packet);
    return;
  }
  Place* const place = find(packet.name);
  const Kind kind = place != nullptr ? place->resource->kind() : packet.kind;
  const auto say = [&](const Unpinned& unpinned) {
    answer(from, {packet.name, kind, packet.slot, unpinned});
  };
  if (place != nullptr && place->resource->has_lasting_of(owner) &&
      place->resource->may_have_to_stay())
    return say({owner, 0, true});
  if (place != nullptr) {
    for (const Number token : place->resource->end_all(owner)) say({owner, token});
  }
  say({owner, 0});
}

void Member::go_on_with_endings(NodeId from, const Packet<Answer>& packet,
                                const Unpinned& unpinned) {
  std::vector<Ending> over;
  std::erase_if(endings_, [&](Ending& ending) {
    if (ending.name != packet.name || ending.owner != unpinned.owner) return false;
    if (!unpinned.is_refused) hear_of_end(ending, from, packet.kind, unpinned.number);
    const bool is_done = unpinned.is_refused || is_over(ending);
    if (is_done) over.push_back(std::move(ending));
    return is_done;
  });
  for (Ending& ending : over) {
    if (unpinned.is_refused) {
      refused(*ending.claim, Refusal::look_first, "it may have to stay: say which is meant");
    } else if (ending.ended.empty()) {
      refused(*ending.claim, Refusal::unknown,
              ending.owner + " has no hold of " + ending.name + " that lasts");
    } else {
      left(*ending.claim);
    }
    end_here(ending);
  }
}

void Member::hear_of_end(Ending& ending, NodeId from, const Kind& kind, Number token) {
  // Who cannot be reached is asked again when it can; we come last, if the others are enough.
  const auto tell = [&](NodeId member, Number ended) {
    const bool is_needed = member != config_.self || !are_others_enough();
    if (is_needed && reaches(member))
      ask(member, {ending.name, ending.kind, 0, Unpin{ending.owner, ended}});
  };
  if (token == 0) {
    ending.answered.insert(from);
    for (const auto& [ended, by] : ending.ended) {
      if (!by.contains(from)) tell(from, ended);
    }
    return;
  }
  ending.kind = kind;
  const auto [known, is_new] = ending.ended.try_emplace(token, setting_.none());
  if (is_new) {
    for (const NodeId member : ending.answered) tell(member, token);
  }
  known->second.insert(from);
}

bool Member::are_others_enough() const {
  NodeSet others = reachable() - suspects();
  others.erase(config_.self);
  return setting_.system().write().contains_quorum(others);
}

bool Member::is_over(const Ending& ending) const {
  const quorum::Family& quorums = setting_.system().write();
  return quorums.contains_quorum(ending.answered) &&
         std::all_of(ending.ended.begin(), ending.ended.end(),
                     [&](const auto& end) { return quorums.contains_quorum(end.second); });
}

// Whoever ends it tells all others: if these are enough, we come last.
bool Member::puts_off(NodeId from, const Packet<Ask>& packet, const Unpin& unpin) {
  const auto ending = std::find_if(endings_.begin(), endings_.end(), [&](const Ending& one) {
    return one.name == packet.name && one.owner == unpin.owner;
  });
  if (from == config_.self || ending == endings_.end() || !are_others_enough()) return false;
  ending->put_off.emplace_back(from, packet);
  return true;
}

void Member::end_here(Ending& ending) {
  for (const auto& [from, packet] : std::exchange(ending.put_off, {}))
    touch(packet.name, packet.kind)
        .resource->on_unpin(from, packet.slot, std::get<Unpin>(packet.body));
  for (const auto& [token, by] : ending.ended) {
    if (!by.contains(config_.self))
      ask(config_.self, {ending.name, ending.kind, 0, Unpin{ending.owner, token}});
  }
}

void Member::ask_again_to_end(NodeId peer) {
  for (Ending& ending : endings_) {
    ending.answered.erase(peer);
    ask_to_end(ending, peer);
  }
}

// The others may not be enough any more.
void Member::end_all_here() {
  for (Ending& ending : endings_) end_here(ending);
}

void Member::drop_ending(const Claim& claim) {
  std::erase_if(endings_, [&](Ending& ending) {
    if (ending.claim != &claim) return false;
    end_here(ending);
    return true;
  });
}

}  // namespace coterie::member
