// Holds that outlive their client and their member: owned by a name, without a lease, on disk.
//
// Such a hold begins as another: its client is inside, by leases. Then each arbiter that it rests on writes down that the
// hold lasts, and answers; when a quorum has, the client is told, and the leases are given back. From then on these
// arbiters act as if somebody was inside who never leaves. They are also told that it was given: so one of them is enough to
// know that it was.
//
// An owner has at most one: an arbiter that has one of this owner, and has not heard of its end, writes no other down.
//
// It ends by being buried: that it is over is written down at a quorum before anybody is told, and spreads to all others, so
// that one who was away does not bring it back. Who asks others to write it down may not have done so itself, and counts
// only when it has answered like them. Who knows that it is over outweighs all who do not. When all know
// it, and nothing that was said before can be under way, it is forgotten.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "coterie/node_set.h"
#include "member/time.h"
#include "member/wire.h"

namespace coterie::member {

struct Claim;

struct Lasting {
  enum class Stage : std::uint8_t {
    written,  // by this arbiter
    over,
    given,  // a quorum has written it down
  };
  std::string owner;
  Number token = 0;   // no other hold of this owner has the same
  std::string group;  // of a room
  Stage stage = Stage::written;

  bool is_over() const { return stage == Stage::over; }
  bool is_given() const { return stage == Stage::given; }
  COTERIE_FIELDS(owner, token, group, stage)
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
    NodeSet told;  // over: who knows that it is
    Instant since;
    Instant spread_at = Instant::never();  // over: others are told then
  };

  explicit Lastings(std::size_t members) : members_(members) {}

  Known* find(const std::string& owner, Number token);
  // Of its holds, those that are not over.
  std::vector<Number> tokens_of(const std::string& owner) const;
  Known& add(Lasting lasting, Instant now);
  // Those that everybody knows to be over, for long enough, are gone: they are returned.
  std::vector<Lasting> forget(Instant now, Duration after);
  Instant due(Duration after) const;  // for forget(), or to spread
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
  bool is_known_to_all(const Known& known) const { return known.told.size() == members_; }

  std::size_t members_;
  std::vector<Known> all_;
  std::vector<Claim*> waiting_;
};

}  // namespace coterie::member
