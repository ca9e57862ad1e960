#include "net/codec_packet.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "net/codec.h"

namespace coterie::net {

namespace {

using member::Answer;
using member::Ask;
using protocol::Life;
using protocol::Rank;
using protocol::census::Way;

constexpr int kMostRecorded = 65'536;

std::uint64_t count_of(Time time) { return static_cast<std::uint64_t>(time); }

template <class Strings>
std::optional<std::vector<std::string>> decode_groups(const Strings& groups) {
  if (groups.size() > Limits::kGroups) return std::nullopt;
  if (!std::all_of(groups.begin(), groups.end(), is_name)) return std::nullopt;
  return std::vector<std::string>(groups.begin(), groups.end());
}

void encode_body(const member::Request& body, wire::Packet& to) {
  wire::Request& request = *to.mutable_request();
  request.set_tag(count_of(body.tag));
  request.set_is_holding(body.priority.rank == Rank::holding);
  request.set_time(count_of(body.priority.stamp.time));
  request.set_process(body.priority.stamp.process);
  for (const std::string& group : body.groups) request.add_groups(group);
  request.set_is_try(body.is_try);
  if (!body.beside.is_none()) net::encode(body.beside, *request.mutable_beside());
}
void encode_body(const member::Disown& body, wire::Packet& to) {
  net::encode(body.origin, *to.mutable_disown()->mutable_origin());
  to.mutable_disown()->set_number(body.number);
  net::encode(body.secret, *to.mutable_disown()->mutable_secret());
}
void encode_key(const member::Key& key, wire::Key& to) {
  net::encode(key.secret, *to.mutable_secret());
  to.set_token(key.token);
}
member::Key key_of(const wire::Key& from) { return {net::decode(from.secret()), from.token()}; }
void encode_body(const member::Keys& body, wire::Packet& to) {
  wire::Keys& keys = *to.mutable_keys();
  for (const member::Key& key : body.keys) encode_key(key, *keys.add_keys());
}
void encode_body(const member::Vouch& body, wire::Packet& to) {
  net::encode(body.origin, *to.mutable_vouch()->mutable_origin());
  encode_key(body.key, *to.mutable_vouch()->mutable_key());
  to.mutable_vouch()->set_group(body.group);
}
void encode_body(const member::Vouched& body, wire::Packet& to) {
  to.mutable_vouched()->set_is_known(body.is_known);
}
void encode_body(const member::Yield& body, wire::Packet& to) {
  to.mutable_yield()->set_tag(count_of(body.tag));
  to.mutable_yield()->set_number(body.number);
}
void encode_body(const member::Release& body, wire::Packet& to) {
  to.mutable_release()->set_tag(count_of(body.tag));
  to.mutable_release()->set_number(body.number);
}
void encode_body(const member::Lock& body, wire::Packet& to) {
  wire::Lock& lock = *to.mutable_lock();
  lock.set_tag(count_of(body.tag));
  lock.set_group(body.group);
  lock.set_number(body.number);
  lock.set_is_wanted(body.is_wanted);
}
void encode_body(const member::Inquire& body, wire::Packet& to) {
  to.mutable_inquire()->set_tag(count_of(body.tag));
}
void encode_body(const member::Wanted& body, wire::Packet& to) {
  to.mutable_wanted()->set_tag(count_of(body.tag));
}
void encode_body(const member::Queued& body, wire::Packet& to) {
  to.mutable_queued()->set_tag(count_of(body.tag));
  to.mutable_queued()->set_has_vote(body.has_vote);
  to.mutable_queued()->set_is_silent(body.is_silent);
}
void encode_body(const member::Probe& body, wire::Packet& to) {
  to.mutable_probe()->set_id(body.id);
  to.mutable_probe()->set_tag(count_of(body.tag));
}
void encode_body(const member::Probed& body, wire::Packet& to) {
  to.mutable_probed()->set_id(body.id);
  to.mutable_probed()->set_tag(count_of(body.tag));
}
void encode_body(const member::Poll& body, wire::Packet& to) {
  wire::Poll& poll = *to.mutable_poll();
  poll.set_tag(count_of(body.tag));
  poll.set_is_holding(body.priority.rank == Rank::holding);
  poll.set_time(count_of(body.priority.stamp.time));
  poll.set_process(body.priority.stamp.process);
  poll.set_is_to_leave(body.way == Way::out);
  poll.set_is_try(body.is_try);
  if (!body.beside.is_none()) net::encode(body.beside, *poll.mutable_beside());
}
void encode_body(const member::Commit& body, wire::Packet& to) {
  wire::Commit& commit = *to.mutable_commit();
  commit.set_tag(count_of(body.tag));
  commit.set_number(body.number);
  commit.set_group(body.group);
  commit.set_arms(body.arms);
  commit.set_is_shown(body.is_shown);
  commit.set_owner(body.owner);
}
void encode_body(const member::Withdraw& body, wire::Packet& to) {
  to.mutable_withdraw()->set_tag(count_of(body.tag));
}
void encode_body(const member::Record& body, wire::Packet& to) {
  to.mutable_record()->set_group(body.group);
}
void encode_body(const member::Erase& body, wire::Packet& to) {
  to.mutable_erase()->set_number(body.number);
}
void encode_terms(const member::Terms& terms, wire::Terms& to) {
  to.set_version(terms.version);
  to.set_min(terms.min);
  to.set_max(terms.max);
  to.set_is_armed(terms.is_armed);
}
member::Terms terms_of(const wire::Terms& terms) {
  return {terms.version(), terms.min(), terms.max(), terms.is_armed()};
}
void encode_body(const member::Agree& body, wire::Packet& to) {
  encode_terms(body.terms, *to.mutable_agree());
}
void encode_body(const member::Agreed& body, wire::Packet& to) {
  to.mutable_agreed()->set_version(body.version);
}
template <class Body>
void encode_count(const Body& body, wire::Count& to) {
  to.set_tag(count_of(body.tag));
  for (const member::Recorded& record : body.census) {
    wire::Count::Recorded& made = *to.add_census();
    made.set_id(record.id);
    made.set_is_former(record.life == Life::former);
    made.set_group(record.group);
    made.set_owner(record.owner);
    made.set_number(record.number);
    made.set_is_over(record.is_over);
    made.set_is_shown(record.is_shown);
  }
  encode_terms(body.terms, *to.mutable_terms());
}
void encode_body(const member::Grant& body, wire::Packet& to) {
  encode_count(body, *to.mutable_grant());
  to.mutable_grant()->set_number(body.number);
}
void encode_body(const member::Update& body, wire::Packet& to) {
  encode_count(body, *to.mutable_update());
}
void encode_body(const member::Preempt& body, wire::Packet& to) {
  to.mutable_preempt()->set_tag(count_of(body.tag));
}
void encode_settle(const member::Settle& settle, wire::Settle& to) {
  to.set_how(static_cast<std::uint32_t>(settle.how));
  to.set_owner(settle.owner);
  to.set_number(settle.number);
  if (!settle.attempt.is_none()) net::encode(settle.attempt, *to.mutable_attempt());
  to.set_is_inquiry(settle.is_inquiry);
  to.set_is_given(settle.is_given);
}
void encode_body(const member::Settle& body, wire::Packet& to) {
  encode_settle(body, *to.mutable_settle());
}
void encode_body(const member::Settled& body, wire::Packet& to) {
  wire::Settled& settled = *to.mutable_settled();
  encode_settle(body.settle, *settled.mutable_settle());
  settled.set_verdict(static_cast<std::uint32_t>(body.verdict));
  settled.set_number(body.number);
  settled.set_group(body.group);
}
template <class Body>
void encode_pin(const Body& body, wire::Pin& to) {
  to.set_owner(body.owner);
  to.set_number(body.number);
}
void encode_body(const member::Pin& body, wire::Packet& to) {
  encode_pin(body, *to.mutable_pin());
  to.mutable_pin()->set_group(body.group);
  to.mutable_pin()->set_is_given(body.is_given);
  if (!body.attempt.is_none()) net::encode(body.attempt, *to.mutable_pin()->mutable_attempt());
  to.mutable_pin()->set_ended(body.ended);
  to.mutable_pin()->set_given_at(body.given_at);
}
void encode_body(const member::Unpin& body, wire::Packet& to) {
  encode_pin(body, *to.mutable_unpin());
  to.mutable_unpin()->set_is_question(body.is_question);
  if (!body.attempt.is_none()) net::encode(body.attempt, *to.mutable_unpin()->mutable_attempt());
}
void encode_body(const member::Pinned& body, wire::Packet& to) {
  encode_pin(body, *to.mutable_pinned());
  to.mutable_pinned()->set_is_refused(body.is_refused);
  to.mutable_pinned()->set_is_full(body.is_full);
}
void encode_body(const member::Unpinned& body, wire::Packet& to) {
  encode_pin(body, *to.mutable_unpinned());
  to.mutable_unpinned()->set_is_refused(body.is_refused);
  to.mutable_unpinned()->set_is_named(body.is_named);
  if (!body.attempt.is_none()) net::encode(body.attempt, *to.mutable_unpinned()->mutable_attempt());
}
void encode_body(const member::Mismatch& body, wire::Packet& to) {
  to.mutable_mismatch()->set_tag(count_of(body.tag));
  net::encode(body.known, *to.mutable_mismatch()->mutable_known());
}

using Verdict = member::Settled::Verdict;

std::optional<member::Settle> settle_of(const wire::Settle& from) {
  const auto how = how_of(from.how());
  if (!how || !is_name(from.owner())) return std::nullopt;
  return member::Settle{
      *how,           from.owner(), from.number(), net::decode(from.attempt()), from.is_inquiry(),
      from.is_given()};
}

template <class Asked>
member::Priority priority_of(const Asked& from) {
  return {from.is_holding() ? Rank::holding : Rank::waiting, {Time{from.time()}, from.process()}};
}

template <class Body>
bool decode_count(const wire::Count& from, Body& body) {
  if (from.census_size() > kMostRecorded) return false;
  for (const wire::Count::Recorded& record : from.census()) {
    if (!is_name(record.group()) || !is_name(record.owner())) return false;
    body.census.push_back({record.id(), record.is_former() ? Life::former : Life::present,
                           record.group(), record.owner(), record.number(), record.is_over(),
                           record.is_shown()});
  }
  body.terms = terms_of(from.terms());
  return true;
}

}  // namespace

bool is_name(const std::string& text) { return text.size() <= Limits::kName; }

void encode(const member::Kind& kind, wire::Kind& to) {
  to.set_type(static_cast<wire::Type>(kind.type));
  to.set_min(kind.min);
  to.set_max(kind.max == 1 ? 0 : kind.max);
}

std::optional<member::Kind> decode(const wire::Kind& kind) {
  if (!wire::Type_IsValid(kind.type())) return std::nullopt;
  return member::Kind{static_cast<member::Type>(kind.type()), kind.min(),
                      kind.max() == 0 ? 1 : kind.max()};
}

void encode(const member::Origin& origin, wire::Origin& to) {
  to.set_member(origin.member);
  to.set_incarnation(origin.incarnation);
  to.set_slot(origin.slot);
  to.set_since(count_of(origin.since));
}

void encode(const member::Secret& secret, wire::Secret& to) {
  to.set_high(secret.high);
  to.set_low(secret.low);
}

member::Secret decode(const wire::Secret& from) { return {from.high(), from.low()}; }

void encode(const member::Attempt& attempt, wire::Attempt& to) {
  to.set_high(attempt.high);
  to.set_low(attempt.low);
}

member::Attempt decode(const wire::Attempt& from) { return {from.high(), from.low()}; }

std::optional<member::Burial::How> how_of(std::uint32_t number) {
  if (number > static_cast<std::uint32_t>(member::Burial::How::find)) return std::nullopt;
  return static_cast<member::Burial::How>(number);
}

member::Origin decode(const wire::Origin& from) {
  return {from.member(), from.incarnation(), from.slot(), Time{from.since()}};
}

void encode(const Ask& body, wire::Packet& to) {
  std::visit([&](const auto& what) { encode_body(what, to); }, body);
}

void encode(const Answer& body, wire::Packet& to) {
  std::visit([&](const auto& what) { encode_body(what, to); }, body);
}

bool decode_body(const wire::Packet& from, Ask& body) {
  switch (from.body_case()) {
    case wire::Packet::kRequest: {
      const wire::Request& request = from.request();
      auto groups = decode_groups(request.groups());
      if (!groups) return false;
      body = member::Request{Time{request.tag()}, priority_of(request), std::move(*groups),
                             request.is_try(), decode(request.beside())};
      return true;
    }
    case wire::Packet::kYield:
      body = member::Yield{Time{from.yield().tag()}, from.yield().number()};
      return true;
    case wire::Packet::kRelease:
      body = member::Release{Time{from.release().tag()}, from.release().number()};
      return true;
    case wire::Packet::kPoll:
      body = member::Poll{
          Time{from.poll().tag()},
          priority_of(from.poll()),
          from.poll().is_to_leave() ? Way::out : Way::in,
          from.poll().is_try(),
          decode(from.poll().beside()),
      };
      return true;
    case wire::Packet::kCommit:
      body = member::Commit{Time{from.commit().tag()}, from.commit().number(),
                            from.commit().group(),     from.commit().arms(),
                            from.commit().is_shown(),  from.commit().owner()};
      return is_name(from.commit().group()) && is_name(from.commit().owner());
    case wire::Packet::kPin:
      body = member::Pin{from.pin().owner(),    from.pin().number(),          from.pin().group(),
                         from.pin().is_given(), decode(from.pin().attempt()), from.pin().ended(),
                         from.pin().given_at()};
      return is_name(from.pin().owner()) && is_name(from.pin().group());
    case wire::Packet::kAgree:
      body = member::Agree{terms_of(from.agree())};
      return true;
    case wire::Packet::kUnpin:
      body = member::Unpin{from.unpin().owner(), from.unpin().number(), from.unpin().is_question(),
                           decode(from.unpin().attempt())};
      return is_name(from.unpin().owner());
    case wire::Packet::kWithdraw:
      body = member::Withdraw{Time{from.withdraw().tag()}};
      return true;
    case wire::Packet::kRecord:
      body = member::Record{from.record().group()};
      return is_name(from.record().group());
    case wire::Packet::kErase:
      body = member::Erase{from.erase().number()};
      return true;
    case wire::Packet::kDisown:
      body = member::Disown{decode(from.disown().origin()), from.disown().number(),
                            decode(from.disown().secret())};
      return true;
    case wire::Packet::kKeys: {
      if (from.keys().keys_size() > kMostRecorded) return false;
      member::Keys keys;
      for (const wire::Key& key : from.keys().keys()) keys.keys.push_back(key_of(key));
      body = std::move(keys);
      return true;
    }
    case wire::Packet::kSettle: {
      const auto settle = settle_of(from.settle());
      if (!settle) return false;
      body = *settle;
      return true;
    }
    case wire::Packet::kProbed:
      body = member::Probed{from.probed().id(), Time{from.probed().tag()}};
      return true;
    case wire::Packet::kVouch:
      body = member::Vouch{decode(from.vouch().origin()), key_of(from.vouch().key()),
                           from.vouch().group()};
      return is_name(from.vouch().group());
    default:
      return false;
  }
}

bool decode_body(const wire::Packet& from, Answer& body) {
  switch (from.body_case()) {
    case wire::Packet::kLock:
      if (!is_name(from.lock().group())) return false;
      body = member::Lock{Time{from.lock().tag()}, from.lock().group(), from.lock().number(),
                          from.lock().is_wanted()};
      return true;
    case wire::Packet::kInquire:
      body = member::Inquire{Time{from.inquire().tag()}};
      return true;
    case wire::Packet::kWanted:
      body = member::Wanted{Time{from.wanted().tag()}};
      return true;
    case wire::Packet::kQueued:
      body = member::Queued{Time{from.queued().tag()}, from.queued().has_vote(),
                            from.queued().is_silent()};
      return true;
    case wire::Packet::kGrant:
      body = member::Grant{Time{from.grant().tag()}, from.grant().number(), {}, {}};
      return decode_count(from.grant(), std::get<member::Grant>(body));
    case wire::Packet::kUpdate:
      body = member::Update{Time{from.update().tag()}, {}, {}};
      return decode_count(from.update(), std::get<member::Update>(body));
    case wire::Packet::kAgreed:
      body = member::Agreed{from.agreed().version()};
      return true;
    case wire::Packet::kPinned:
      body = member::Pinned{from.pinned().owner(), from.pinned().number(),
                            from.pinned().is_refused(), from.pinned().is_full()};
      return is_name(from.pinned().owner());
    case wire::Packet::kUnpinned:
      body = member::Unpinned{from.unpinned().owner(), from.unpinned().number(),
                              from.unpinned().is_refused(), from.unpinned().is_named(),
                              decode(from.unpinned().attempt())};
      return is_name(from.unpinned().owner());
    case wire::Packet::kSettled: {
      const wire::Settled& settled = from.settled();
      const auto settle = settle_of(settled.settle());
      if (!settle || settled.verdict() > static_cast<std::uint32_t>(Verdict::unable)) return false;
      body = member::Settled{*settle, static_cast<Verdict>(settled.verdict()), settled.number(),
                             settled.group()};
      return is_name(settled.group());
    }
    case wire::Packet::kVouched:
      body = member::Vouched{from.vouched().is_known()};
      return true;
    case wire::Packet::kProbe:
      body = member::Probe{from.probe().id(), Time{from.probe().tag()}};
      return true;
    case wire::Packet::kPreempt:
      body = member::Preempt{Time{from.preempt().tag()}};
      return true;
    case wire::Packet::kMismatch: {
      const auto known = net::decode(from.mismatch().known());
      if (!known) return false;
      body = member::Mismatch{Time{from.mismatch().tag()}, *known};
      return true;
    }
    default:
      return false;
  }
}

}  // namespace coterie::net
