// Algorithms of the papers, as they are, on sockets: what a run of one is, and what it tells.
//
// Each process is one of the operating system's, on the connections and the framing of live members
// (channel.h); a witness sees who is inside, and judges by the rule. The algorithms assume that nobody fails,
// and so does this.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/catalogue.h"

namespace coterie::net {

struct ClassicPlan {
  protocol::Choice choice;
  protocol::Setting setting;
  std::size_t requesters = 1;                  // the first so many ask
  std::uint64_t requests = 10;                 // of each
  std::uint32_t groups = 1;                    // each request draws one of so many, or
  std::vector<protocol::Groups> demands = {};  // what each process always asks for
  // Drawn between zero and twice this: how long one stays inside, and outside between two requests. Of floors
  // and bands, whose processes are inside when nobody does anything, the reverse.
  std::chrono::nanoseconds inside{0};
  std::chrono::nanoseconds apart{0};
  std::uint64_t seed = 1;
  std::uint64_t secret = 0;  // known to the processes of this run only

  bool starts_inside() const {
    const auto problem = choice.problem();
    return problem == protocol::Problem::floor || problem == protocol::Problem::band;
  }
};

struct ClassicReport {
  struct Type {
    std::string name;
    std::uint64_t sent = 0;  // those to oneself included
  };
  std::uint64_t entries =
      0;  // requests served: of floors and bands, an exit and the entry after it
  std::map<std::uint32_t, Type> types = {};
  std::uint64_t sent = 0;  // all of them
  std::uint64_t to_oneself = 0;
  std::uint64_t received = 0;
  std::size_t most_inside = 0;  // at once, as the witness saw it
  std::chrono::nanoseconds time{0};
  std::optional<std::string> fault = {};  // what should not have been, for people
  bool is_complete = false;               // every request was served, and all is quiet

  std::uint64_t remote() const { return sent - to_oneself; }
};

}  // namespace coterie::net
