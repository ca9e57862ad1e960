// Whose data a folder holds: of which cluster, of which member, written under which configuration. It is made once, when the
// cluster is born, and compared at every start and in every hello: a folder of another cluster, a copy of another member's, or
// one that was written under other quorums would let two conflicting clients in.
//
// A cluster is born when ALL of its members have said that their folders are empty, and what each has drawn by chance (its
// seed). The identity follows from the seeds, so that whoever knows all of them finds the same, and nothing can have been
// granted before. A member that was slow hears of it from another, and finds its own seed among those that it was made of.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/fields.h"
#include "net/settings.h"

namespace coterie::net {

struct Identity {
  using Seeds = std::map<std::string, std::string>;  // of all members, by name

  std::string cluster;        // 32 hexadecimal digits
  std::string member;         // whose folder it is
  std::string configuration;  // see guarded()
  Seeds seeds;                // that the cluster's identity was made of
  // The member was there when its cluster was born, and has made no promise before what it saved first.
  bool is_founder = false;
  COTERIE_FIELDS(cluster, member, configuration, seeds, is_founder)
};

// What must not change under a folder: the members' names and the quorum system, a line for each.
std::string guarded(const Settings& settings);

std::string cluster_of(const Identity::Seeds& seeds);
bool is_seed(const std::string& text);  // 32 hexadecimal digits, as an identity has

// Why the folder must not be used with these settings, and what to do; empty if it may.
std::string fault_of_folder(const Identity& found, const Settings& settings);
// Why two members with folders of these clusters must not talk, for both their logs.
std::string difference_of_clusters(const std::string& one, const std::string& its,
                                   const std::string& other, const std::string& theirs);

}  // namespace coterie::net
