// What a client says to its member.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/kind.h"
#include "api/ticket.h"
#include "api/time.h"

namespace coterie::api {

using SessionId = std::uint64_t;  // given by the member's driver
using RequestId = std::uint64_t;  // given by the client, new for each of its requests

struct Wish {
  RequestId request = 0;
  std::string name;
  Kind kind;
  // Of a room: any one will do. Of a band: the one name by which the client goes.
  std::vector<std::string> groups;
  bool is_alone = false;  // instead: a group of its own, as a writer's
  // Not empty: the hold is to last, owned by this name, in a band that of its one group; answered by Lasts.
  std::string owner = {};
  Attempt attempt = {};  // of an owner's: new for each call, and for each member that is asked
  Number seen =
      0;  // of an owner's: the greatest token of its holds that its client knew as over when it called
  bool is_try = false;  // refused if it must wait
  Duration wait;        // at most; 0: for ever
  // Of a client that was with another member: its place in line there, if it waits, or what it has to show.
  Time place{};
  std::optional<Ticket> ticket;
  // Of the hold that comes of it. The member's driver draws it: nothing that a client sends gets here. None: no ticket of it
  // is good.
  Secret secret = {};
};

// The end of a lasting hold, or what is to be decided of one (member/settling.h).
struct Burial {
  enum class How : std::uint8_t {
    end,       // the hold with this token, or whatever the owner has
    withdraw,  // nothing is to come of the attempt; answered by Lasts if the hold was given, and others may rely on it
    deny,      // too few arbiters have the hold with this token: none may write it down any more
    confirm,   // a quorum has the hold with this token: others may rely on it; answered by Lasts
    find,      // whether the owner has a hold; answered by Refused: look_first, or unknown
  };
  RequestId request = 0;
  std::string name;
  Kind kind;
  std::string owner;
  Number token = 0;  // 0: whatever the owner has, and whatever kind of name it is (member/ending.h)
  bool is_forced = false;  // in a band: whoever minds
  Duration wait;           // in a band, to be let out: at most; 0: for ever
  How how = How::end;
  Attempt attempt = {};  // to be withdrawn
};

// So many may be inside from now on, or must: the numbers of the kind, for all who use the name, whatever they ask for.
struct Change {
  RequestId request = 0;
  std::string name;
  Kind was;  // by which it is known now; refused if it is not
  Kind kind;
  bool is_reform = false;  // whatever it is known as, it becomes that (member/becoming.h)
  bool forgets = false;    // instead: what was set
  // The version of the settings that it replaces, as Picture::version showed it: refused as a mismatch if another is in force,
  // so that a copy of the call that comes late undoes nothing. None: whatever is in force.
  std::optional<std::uint64_t> replaces = {};
};

// How a client leaves what it is in. Only in a band it may have to wait for that.
struct Leave {
  Duration wait = {};           // at most; 0: for ever
  bool is_try = false;          // refused if it must wait
  bool is_abandonment = false;  // out at once, whether or not it may leave: as by a crash
  bool is_quiet = false;        // of these: it is not answered
};

// The calls that name a request by its number alone.
struct KeepAlive {
  std::uint64_t beat = 0;
};
struct Release {
  RequestId request = 0;
  Leave how;
};
struct Stay {  // the client does not want to leave any more
  RequestId request = 0;
};
struct Confirm {  // the client has been inside all the while, by a hold that moved with it
  RequestId request = 0;
};
struct Show {  // what the cluster knows of a name
  RequestId request = 0;
  std::string name;
};
struct Survey {  // what the member knows of itself
  RequestId request = 0;
  std::string after = {};  // only names after this one
};
struct Close {};
using Call =
    std::variant<KeepAlive, Wish, Release, Stay, Confirm, Burial, Change, Show, Survey, Close>;

}  // namespace coterie::api
