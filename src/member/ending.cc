#include "member/ending.h"

#include <algorithm>
#include <utility>

#include "member/member.h"

namespace coterie::member {

namespace {
constexpr std::size_t kMostGiven = 256;  // the end of an older one may take a look more
}  // namespace

void Given::add(const std::string& name, const std::string& owner, Number token) {
  if (holds_.size() == kMostGiven) holds_.pop_back();
  holds_.push_front({name, owner, token});
}

Number Given::token_of(const std::string& name, const std::string& owner) const {
  const auto found = std::find_if(holds_.begin(), holds_.end(), [&](const Hold& hold) {
    return hold.name == name && hold.owner == owner;
  });
  return found == holds_.end() ? 0 : found->token;
}

void Member::end_whatever(Claim& claim, bool ends) {
  last_ending_ = last_ending_ % (kMostSlots - 1) + 1;
  const Place* const place = find(claim.name);
  Number known = 0;
  if (ends && place != nullptr && !place->resource->may_have_to_stay()) {
    for (const Number token : place->resource->lastings_of(claim.owner))
      known = std::max(known, token);
  }
  if (ends && known == 0) known = given_.token_of(claim.name, claim.owner);
  endings_.push_back(
      {last_ending_, &claim, claim.name, claim.owner, known, claim.kind, setting_.none()});
  for (const NodeId member : reachable()) ask_to_end(endings_.back(), member, known, true);
}

void Member::ask_to_end(const Ending& ending, NodeId member, Number token, bool is_question) {
  ask(member, {ending.name, ending.kind, ending.slot, Unpin{ending.owner, token, is_question}});
}

// Who has lost its disk cannot say yet what it had.
void Member::on_end_question(NodeId from, const Packet<Ask>& packet, const Unpin& question) {
  const std::string& owner = question.owner;
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
    const std::vector<Number> tokens = place->resource->lastings_of(owner);
    if (std::find(tokens.begin(), tokens.end(), question.number) != tokens.end())
      refuse_asking(packet.name, owner);
    if (place->resource->end_here(owner, question.number)) say({owner, question.number});
    for (const Number token : place->resource->lastings_of(owner))
      say({.owner = owner, .number = token, .is_named = true});
  }
  say({owner, 0});
}

void Member::go_on_with_endings(NodeId from, const Packet<Answer>& packet,
                                const Unpinned& unpinned) {
  const bool must_be_named = unpinned.is_refused || unpinned.is_named;
  std::vector<Ending> over;
  std::erase_if(endings_, [&](Ending& ending) {
    if (ending.slot != packet.slot || ending.name != packet.name) return false;
    if (unpinned.number == 0) {
      ending.answered.insert(from);
    } else {
      ending.kind = packet.kind;
      ending.ends.try_emplace(unpinned.number, Ending::End{setting_.none(), setting_.none()})
          .first->second.written.insert(from);
    }
    const bool is_done = must_be_named || is_over(ending);
    is_done ? over.push_back(std::move(ending)) : ask_those_without(ending);
    return is_done;
  });
  for (const Ending& ending : over) {
    if (must_be_named) {
      refused(*ending.claim, Refusal::look_first,
              "this member cannot tell which is meant: name it");
    } else if (ending.ends.empty()) {
      refused(*ending.claim, Refusal::unknown,
              ending.owner + " has no hold of " + ending.name + " that lasts");
    } else {
      left(*ending.claim);
    }
  }
}

bool Member::is_over(const Ending& ending) const {
  const quorum::Family& quorums = setting_.system().write();
  return quorums.contains_quorum(ending.answered) &&
         std::all_of(ending.ends.begin(), ending.ends.end(),
                     [&](const auto& end) { return quorums.contains_quorum(end.second.written); });
}

// When all have answered that can.
void Member::ask_those_without(Ending& ending) {
  const NodeSet present = reachable();
  if (!(present - suspects()).is_subset_of(ending.answered)) return;
  for (auto& [token, end] : ending.ends) {
    for (const NodeId member : present - end.written - end.asked) {
      end.asked.insert(member);
      ask_to_end(ending, member, token, false);
    }
  }
}

void Member::ask_those_without() {
  for (Ending& ending : endings_) ask_those_without(ending);
}

void Member::ask_again_to_end(NodeId peer) {
  for (Ending& ending : endings_) {
    ending.answered.erase(peer);
    for (auto& [token, end] : ending.ends) end.asked.erase(peer);
    ask_to_end(ending, peer, ending.known, true);
  }
}

// A hold of the owner ends, or an attempt of its. A request for the same owner that waits here may be what a client has left
// behind, and nobody would know of what it is granted. A client that is still there looks, finds that its owner holds nothing,
// and asks again. What is asked for from now on was asked for after that end (see lasting.h).
void Member::refuse_asking(const std::string& name, const std::string& owner,
                           const Attempt& attempt) {
  std::vector<std::pair<SessionId, RequestId>> asking;
  for (const auto& [id, session] : sessions_) {
    const auto request = session.names.find(name);
    if (request == session.names.end()) continue;
    const Claim& claim = *session.claims.at(request->second);
    const bool is_meant = attempt.is_none() || claim.attempt == attempt;
    if (claim.owner == owner && !claim.is_burying && !claim.is_errand && is_meant)
      asking.emplace_back(id, request->second);
  }
  std::sort(asking.begin(), asking.end());
  for (const auto& [id, request] : asking) {
    Claim& claim = *sessions_.at(id).claims.at(request);
    const bool is_begun = claim.is_inside;
    if (claim.bundle != nullptr || claim.seat != nullptr) find(name)->resource->drop(claim);
    const std::string text = "a hold of " + owner + " ended while this was asked";
    is_begun ? withdraw(claim, Refusal::look_first, text)
             : refused(claim, Refusal::look_first, text);
  }
}

void Member::refuse_asking_again(const std::string& name, const Keepsake& keepsake) {
  const Place* const place = find(name);
  for (const Lasting& lasting : keepsake.lastings) {
    const bool is_news = lasting.is_over() && place != nullptr &&
                         !place->resource->knows_end(lasting.owner, lasting.token, lasting.attempt);
    if (is_news)
      refuse_asking(name, lasting.owner, lasting.token == 0 ? lasting.attempt : Attempt{});
  }
}

void Member::doubt_answers(NodeId peer) {
  for (Ending& ending : endings_) {
    ending.answered.erase(peer);
    for (auto& [token, end] : ending.ends) end.written.erase(peer);
  }
  for (Reform& reform : reforms_) reform.told.erase(peer);
}

void Member::drop_ending(const Claim& claim) {
  std::erase_if(endings_, [&](const Ending& ending) { return ending.claim == &claim; });
}

}  // namespace coterie::member
