// How the members of a new cluster agree that it is new: without a word of an operator, and without a mistake that costs a
// lock.
//
// A member whose folder is empty draws a number by chance, its seed, and writes it down. It says the seed to the others, and
// with it the seeds that it has heard of them, which are on its disk before it says so. It never takes back what it has heard: a
// member that says another seed than before has lost its disk in between. The cluster is founded, for a member that sees it,
// when ALL members say the same seeds of all.
//
// Claim: if a member has seen that seeds S are founded, no other seeds are founded as long as one disk is not lost. Proof:
// all members said S, so each had S on its disk. A member that still has its disk says S and nothing else, so no other seeds
// are said by all. Therefore:
// - A member that lost its disk beside members that have theirs founds nothing, however many lost theirs: those which have
//   been born say so (identity.h), and those which have not say S.
// - A member that is absent says nothing, and nothing is founded without it.
// - A crash in the middle changes nothing: what was said was on disk before.
//
// If ALL disks are lost, nobody knows that there was a cluster, and the next one is new. Holds by leases may still be believed
// then, so members that nobody told that the cluster is new (--new-cluster) are silent for a lease.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "net/identity.h"

namespace coterie::net {

class Founding {
 public:
  using Seeds = Identity::Seeds;
  // What a member says of itself as long as it does not know its cluster. Without a seed: it may have had data.
  struct Word {
    std::string seed;
    Seeds known;  // of all members that it has heard, its own among them
  };

  Founding() = default;
  Founding(std::string self, std::vector<std::string> members)
      : self_(std::move(self)), members_(std::move(members)) {}

  // As it was on disk.
  void resume(std::string seed, Seeds known);
  bool has_seed() const { return !seed_.empty(); }
  const std::string& seed() const { return seed_; }
  const Seeds& known() const { return known_; }
  Word word() const { return {seed_, known_}; }
  // Another cluster lives: this member takes no part in a new one.
  void give_up();

  // Whether it knows more now, which must be on disk before word() is said again.
  bool hear(const std::string& member, const Word& word);
  // The seeds of all, if all say the same. REQUIRES: known() is on disk
  std::optional<Seeds> founded() const;
  // Why nothing is founded yet, and what to do.
  std::string why() const;

 private:
  // It says another seed than before.
  bool has_lost_its_disk(const std::string& member) const;

  std::string self_;
  std::vector<std::string> members_;
  std::string seed_;
  Seeds known_;
  std::map<std::string, Word> words_;  // of the others: the last
};

}  // namespace coterie::net
