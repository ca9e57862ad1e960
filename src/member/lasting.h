// Holds that outlive their client and their member: owned by a name, without a lease, on disk.
//
// Such a hold begins as another: its client is inside, by leases. Then each arbiter that it rests on writes down that the
// hold lasts, and answers; when a quorum has, the client is told, and the leases are given back. From then on these
// arbiters act as if somebody was inside who never leaves. They are also told that it was given: so one of them is enough to
// know that it was.
//
// An owner has at most one: an arbiter that has one of this owner, and has not heard of its end, writes no other down. Nor does
// an arbiter write down a hold that was asked for before the owner's last hold ended: it may be what a client has left behind
// at a member, or a call that arrives late, and nobody would know of it. So a call says which end its client knew of when it
// called (Wish::seen, Pin::ended), and an arbiter that knows of a later end refuses. An end is at a quorum before anybody is
// told of it, so that one of those asked knows it. A client that is still there looks, learns of the end, and asks again. An end
// is remembered for as long as a call from before it can be alive: a session until it arrives, and one while it waits.
//
// It ends by being buried: that it is over is written down at a quorum before anybody is told, and spreads to all others, so
// that one who was away does not bring it back. Who asks others to write it down may not have done so itself, and counts
// only when it has answered like them. Who knows that it is over outweighs all who do not. When all know
// it, and nothing that was said before can be under way, it is forgotten.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "coterie/node_set.h"
#include "member/api.h"
#include "member/wire.h"

namespace coterie::member {

struct Claim;

struct Lasting {
  enum class Stage : std::uint8_t {
    written,  // by this arbiter
    over,
    given,  // a quorum has written it down
    // This member lost its disk, and another member has it as written. Whether this member was one of the quorum that wrote
    // it down nobody knows: so it is in the way of others, is shown, and can be ended, but does not count as written.
    doubtful,
    // It is not written here: there is only a vote on it, below.
    absent,
  };
  std::string owner;
  Number token = 0;  // no other hold of this owner has the same; 0: over or voted on is the attempt
  std::string group;  // of a room
  Stage stage = Stage::written;
  Attempt attempt = {};
  // How this arbiter has voted on the token, or on the attempt (settling.h). Denied: nothing comes of it, so this arbiter
  // neither writes it down nor confirms it. Whether a quorum has agreed is not known here, so that a hold that is written down
  // stays in the way. Vouched: its owner may have been told that it holds, so this arbiter does not agree that nothing comes of it.
  bool is_denied = false;
  bool is_vouched = false;
  // In milliseconds since 1970, by the clock of the member that gave it, which may be wrong: for people only. 0: unknown.
  std::uint64_t given_at = 0;

  bool is_live() const { return stage != Stage::over && stage != Stage::absent; }
  bool is_over() const { return stage == Stage::over; }
  bool is_given() const { return stage == Stage::given; }
  bool is_doubtful() const { return stage == Stage::doubtful; }
  bool is_absent() const { return stage == Stage::absent; }
  COTERIE_FIELDS(owner, token, group, stage, attempt, is_denied, is_vouched, given_at)
};

// What a member must not forget of a name.
struct Keepsake {
  Kind kind;
  Terms terms;
  std::vector<Lasting> lastings;
  bool is_needed() const { return terms.is_armed || terms.version > 0 || !lastings.empty(); }
  COTERIE_FIELDS(kind, terms, lastings)
};

// The lasting holds of one name, as one member knows them.
class Lastings {
 public:
  struct Known {
    Lasting lasting;
    NodeSet told;  // over: who has written that down, by an answer whose lease is not over
    Instant since;
    Instant spread_at = Instant::never();  // over: others are told then
    bool is_noted = false;                 // given: that is not known to be on the disk
    bool is_due = false;                   // to be forgotten: within forget() only
  };

  explicit Lastings(std::size_t members) : members_(members) {}

  // Of a hold by its token; or, with the token 0, of an attempt.
  Known* find(const std::string& owner, Number token, const Attempt& attempt = {});
  // Of its holds, those that are not over.
  std::vector<Number> tokens_of(const std::string& owner) const;
  std::vector<Number> tokens_of(const std::string& owner, const Attempt& attempt) const;
  // The greatest of those that are over, or 0.
  Number ended_of(const std::string& owner) const;
  // Nothing comes of it, or will: it is over, or this arbiter has agreed that it will be.
  bool is_barred(const std::string& owner, Number token, const Attempt& attempt) const;
  bool is_denied(const std::string& owner, Number token, const Attempt& attempt) const;
  // This member lost its disk, and cannot know how it voted on it: so it votes no more.
  bool is_torn(const std::string& owner, Number token, const Attempt& attempt) const;
  // Another member's record says the opposite of what is known here: the one denies what the other has, or vouches for.
  bool contradicts(const Lasting& lasting) const;
  void tear(const Lasting& lasting);
  // That of this token, or of this attempt, which was given, or for which this arbiter vouches; null: none.
  const Lasting* find_given(const std::string& owner, Number token, const Attempt& attempt) const;
  const Lasting* find_vouched(const std::string& owner, Number token, const Attempt& attempt) const;
  Known& add(Lasting lasting, Instant now);
  // Nothing comes of the attempt: what this arbiter vouched for is over.
  void forget_vouching(const std::string& owner, const Attempt& attempt);
  // The peer's lease is over: it may have lost, with its disk, what it said that it had written down.
  void lapse(NodeId peer);
  // How long an end is remembered that everybody knows: the last of its owner's, which bars calls from before it; any other,
  // until no frame from before it is under way.
  struct Memory {
    Duration last;
    Duration other;
  };
  // Those that everybody knows to be over, for long enough, are gone: they are returned.
  std::vector<Lasting> forget(Instant now, const Memory& memory);
  Instant due(const Memory& memory) const;  // for forget(), or to spread
  std::vector<Known>& all() { return all_; }
  const std::vector<Known>& all() const { return all_; }
  bool empty() const { return all_.empty(); }
  std::vector<Lasting> lastings() const;
  // The claim names one whose end it waits for.
  void wait(Claim& claim) { waiting_.push_back(&claim); }
  void drop(const Claim& claim) { std::erase(waiting_, &claim); }
  bool has_waiting() const { return !waiting_.empty(); }
  // Those that wait for the end of this one: they do no more.
  std::vector<Claim*> take_waiting(const Lasting& lasting);

 private:
  template <class Is>
  const Lasting* find_about(const std::string& owner, Number token, const Attempt& attempt,
                            const Is& is) const;
  // Of each owner, the greatest token that everybody knows to be over.
  std::map<std::string_view, Number> last_ends() const;
  bool is_known_to_all(const Known& known) const { return known.told.size() == members_; }

  std::size_t members_;
  std::vector<Known> all_;
  std::vector<Claim*> waiting_;
};

}  // namespace coterie::member
