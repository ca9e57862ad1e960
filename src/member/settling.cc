#include "member/settling.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/member.h"

namespace coterie::member {

// REQUIRES: the resource knows the claim no more; and it asks for a hold, not for the end of one, whose owner relies on it.
void Member::withdraw(Claim& claim, Refusal why, const std::string& text) {
  COTERIE_ASSERT(!claim.is_burying);
  claim.is_inside = false;
  claim.is_leaving = false;
  claim.gives_up = Instant::never();
  if (!claim.is_errand) ++sessions_.at(claim.session).errands;
  claim.is_errand = true;
  // By its token, which no other request has: what else its client asks for is its client's to withdraw.
  settle(claim, {.how = Settle::How::withdraw, .owner = claim.owner, .number = claim.token}, why,
         text);
}

void Member::settle(Claim& claim, Settle settle, Refusal why, const std::string& text) {
  // One that its client has asked for before, and does not wait for any more.
  std::erase_if(settlings_, [&](const Settling& one) {
    return one.claim == nullptr && one.name == claim.name && one.settle.owner == settle.owner &&
           one.settle.number == settle.number && one.settle.attempt == settle.attempt;
  });
  last_ending_ = last_ending_ % (kMostSlots - 1) + 1;
  const NodeSet none = setting_.none();
  const bool is_withdrawal = settle.how == Settle::How::withdraw;
  settlings_.push_back({last_ending_, &claim, claim.name, claim.kind, std::move(settle),
                        is_withdrawal, false, 0, Attempt{}, none, none, none, none, why, text});
  for (const NodeId member : reachable()) ask_to_settle(settlings_.back(), member);
}

void Member::ask_to_settle(const Settling& settling, NodeId member) {
  ask(member, {settling.name, settling.kind, settling.slot, settling.settle});
}

void Member::ask_again_to_settle(NodeId peer) {
  for (const Settling& settling : settlings_) ask_to_settle(settling, peer);
}

// A member that has lost its disk cannot say yet what it had.
void Member::on_settle(NodeId from, const Packet<Ask>& packet, const Settle& settle) {
  if (!is_sure_) {
    unanswered_.emplace_back(from, packet);
    return;
  }
  const bool is_vote = settle.how != Settle::How::end && settle.how != Settle::How::find;
  const bool is_possible =
      (is_vote && (settle.number != 0 || !settle.attempt.is_none())) ||
      (settle.how == Settle::How::end && settle.is_inquiry && settle.number != 0);
  if (!is_possible) return tally_.count(Happened::impossible);
  // A member that knows nothing of the name says so, and need not remember that it was asked.
  const bool votes = !settle.is_inquiry && (settle.how != Settle::How::confirm || settle.is_given);
  if (find(packet.name) == nullptr && !votes) {
    const auto verdict = settle.is_inquiry ? Settled::Verdict::agreed : Settled::Verdict::unable;
    return answer(from, {packet.name, packet.kind, packet.slot, Settled{settle, verdict, 0, {}}});
  }
  Resource& resource = *touch(packet.name, packet.kind).resource;
  answer(from, {packet.name, packet.kind, packet.slot, resource.settle(settle)});
}

void Member::on_settled(NodeId from, const Packet<Answer>& packet, const Settled& settled) {
  const auto settling = std::find_if(
      settlings_.begin(), settlings_.end(),
      [&](const Settling& one) { return one.slot == packet.slot && one.name == packet.name; });
  // An answer to an inquiry may come after a quorum has answered it.
  if (settling == settlings_.end() || settled.settle.is_inquiry != settling->settle.is_inquiry)
    return tally_.count(Happened::answer_to_nobody);
  settling->answered.insert(from);
  switch (settled.verdict) {
    case Settled::Verdict::agreed:
      settling->agreed.insert(from);
      break;
    case Settled::Verdict::confirmed:
      settling->confirmed.insert(from);
      break;
    case Settled::Verdict::denied:
      settling->denied.insert(from);
      break;
    case Settled::Verdict::unable:
      break;
  }
  const bool names_it = settled.verdict == Settled::Verdict::confirmed ||
                        settling->settle.how == Settle::How::confirm;
  if (names_it && settled.number != 0 && settling->claim != nullptr) {
    settling->claim->token = settled.number;
    // An arbiter that vouches for what it does not have does not know the group.
    if (!settled.group.empty()) settling->claim->group = settled.group;
  }
  if (!settling->settle.is_inquiry) return decide_settlings();
  if (settled.verdict == Settled::Verdict::confirmed) {
    settling->given = settled.number;
    settling->given_attempt = settled.settle.attempt;
  }
  if (setting_.system().write().contains_quorum(settling->answered)) put_to_the_vote(*settling);
}

void Member::put_to_the_vote(Settling& settling) {
  if (settling.settle.how == Settle::How::end) return end_if_known(settling);
  const bool is_begun = settling.is_withdrawal && settling.denied.size() > 0;
  if (settling.given != 0 && !is_begun)
    settling.settle = {.how = Settle::How::confirm,
                       .owner = settling.settle.owner,
                       .number = settling.given,
                       .attempt = settling.given_attempt,
                       .is_given = true};
  settling.settle.is_inquiry = false;
  for (NodeSet* const votes :
       {&settling.agreed, &settling.confirmed, &settling.denied, &settling.answered})
    votes->clear();
  for (const NodeId member : reachable()) ask_to_settle(settling, member);
}

// A hold that no member of a quorum has heard of was never given: there is nothing to write down.
void Member::end_if_known(Settling& settling) {
  Claim* const claim = settling.claim;
  const bool is_known = settling.given != 0;
  const bool is_forced = settling.is_forced;
  settlings_.erase(settlings_.begin() + (&settling - settlings_.data()));
  if (claim == nullptr) return;
  if (is_known) return end_known(*claim, is_forced);
  refused(*claim, Refusal::unknown, claim->owner + " has no such hold of " + claim->name);
}

void Member::decide_settlings() {
  std::vector<Settling> decided;
  std::erase_if(settlings_, [&](Settling& settling) {
    if (!is_decided(settling)) return false;
    decided.push_back(std::move(settling));
    return true;
  });
  for (Settling& settling : decided) conclude(settling);
}

bool Member::is_decided(const Settling& settling) const {
  if (settling.settle.is_inquiry) return false;
  const quorum::Family& quorums = setting_.system().write();
  if (quorums.contains_quorum(settling.agreed) || quorums.contains_quorum(settling.confirmed) ||
      quorums.contains_quorum(settling.denied))
    return true;
  // Its client waits for the one or the other; somebody else looks again.
  return !settling.is_withdrawal && (reachable() - suspects()).is_subset_of(settling.answered);
}

void Member::conclude(Settling& settling) {
  const quorum::Family& quorums = setting_.system().write();
  const bool is_agreed = quorums.contains_quorum(settling.agreed);
  const bool is_confirming = settling.settle.how == Settle::How::confirm;
  const bool is_held =
      is_confirming ? is_agreed : !is_agreed && quorums.contains_quorum(settling.confirmed);
  const bool is_over = is_confirming ? quorums.contains_quorum(settling.denied) : is_agreed;
  if (is_over) {
    const Unpin unpin{settling.settle.owner, settling.settle.number, false,
                      settling.settle.attempt};
    for (const NodeId member : reachable()) ask(member, {settling.name, settling.kind, 0, unpin});
  }
  if (is_held && is_confirming) {
    const Pin given{settling.settle.owner, settling.settle.number, {}, true, {}, 0};
    for (const NodeId member : reachable()) ask(member, {settling.name, settling.kind, 0, given});
  }
  if (settling.claim == nullptr) return;
  Claim& claim = *settling.claim;
  if (is_held) {
    lasts(claim);
  } else if (claim.is_burying && is_over && (settling.is_withdrawal || !is_confirming)) {
    left(claim);
  } else {
    refused(claim, settling.why, settling.text);
  }
}

void Member::doubt_settled(NodeId peer) {
  for (Settling& settling : settlings_) {
    settling.agreed.erase(peer);
    settling.confirmed.erase(peer);
    settling.denied.erase(peer);
    settling.answered.erase(peer);
  }
}

bool Member::is_settling(const Claim& claim) const {
  return std::any_of(settlings_.begin(), settlings_.end(),
                     [&](const Settling& settling) { return settling.claim == &claim; });
}

// What is being withdrawn goes on being so: arbiters may have it written down, and nobody else would clear that away.
void Member::drop_settling(const Claim& claim) {
  std::erase_if(settlings_, [&](Settling& settling) {
    if (settling.claim != &claim) return false;
    settling.claim = nullptr;
    return settling.settle.how != Settle::How::withdraw;
  });
}

}  // namespace coterie::member
