#include "member/ending.h"

#include <algorithm>
#include <utility>

#include "member/member.h"

namespace coterie::member {

void Member::end_whatever(Claim& claim) {
  endings_.push_back({&claim, setting_.none()});
  for (const NodeId member : reachable()) ask_to_end(endings_.back(), member);
}

void Member::ask_to_end(const Ending& ending, NodeId member) {
  const Claim& claim = *ending.claim;
  ask(member, {claim.name, claim.kind, 0, Unpin{claim.owner, 0}});
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
  std::vector<Claim*> refused_ones;
  std::vector<Claim*> none;
  std::vector<Claim*> done;
  std::erase_if(endings_, [&](Ending& ending) {
    const Claim& claim = *ending.claim;
    if (claim.name != packet.name || claim.owner != unpinned.owner) return false;
    if (unpinned.is_refused) {
      refused_ones.push_back(ending.claim);
      return true;
    }
    // Who cannot be reached is asked again when it can.
    const auto tell = [&](NodeId member, Number token) {
      if (reaches(member)) ask(member, {packet.name, packet.kind, 0, Unpin{unpinned.owner, token}});
    };
    if (unpinned.number == 0) {
      ending.answered.insert(from);
      for (const auto& [token, by] : ending.ended) {
        if (!by.contains(from)) tell(from, token);
      }
    } else {
      const auto [known, is_new] = ending.ended.try_emplace(unpinned.number, setting_.none());
      if (is_new) {
        for (const NodeId member : ending.answered) tell(member, unpinned.number);
      }
      known->second.insert(from);
    }
    const quorum::Family& quorums = setting_.system().write();
    const bool is_done =
        quorums.contains_quorum(ending.answered) &&
        std::all_of(ending.ended.begin(), ending.ended.end(),
                    [&](const auto& end) { return quorums.contains_quorum(end.second); });
    if (is_done) (ending.ended.empty() ? none : done).push_back(ending.claim);
    return is_done;
  });
  for (Claim* const claim : refused_ones)
    refused(*claim, Refusal::look_first, "it may have to stay: say which is meant");
  for (Claim* const claim : none)
    refused(*claim, Refusal::unknown,
            claim->owner + " has no hold of " + claim->name + " that lasts");
  for (Claim* const claim : done) left(*claim);
}

// What it was asked before may be lost.
void Member::ask_again_to_end(NodeId peer) {
  for (Ending& ending : endings_) {
    ending.answered.erase(peer);
    ask_to_end(ending, peer);
  }
}

void Member::drop_ending(const Claim& claim) {
  std::erase_if(endings_, [&](const Ending& ending) { return ending.claim == &claim; });
}

}  // namespace coterie::member
