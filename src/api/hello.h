// What a client and its member say to each other first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/calls.h"
#include "api/events.h"
#include "api/time.h"

namespace coterie::api {

struct Hello {             // client → member
  std::string label;       // for people
  std::uint64_t beat = 0;  // the number of this keep-alive: a hello is one too
  SessionId session = 0;   // to resume, if the member still knows it; 0: a new one
};

struct Welcome {  // member → client
  SessionId session = 0;
  Duration length;  // the member ends a session that is silent for so long
  Drift drift;
  std::string member;
  bool is_resumed = false;
  // Of a resumed session: all that the member knows of it. Events may have been lost with the former connection, and a
  // client must not go on believing in a hold that is lost.
  std::vector<Granted> inside = {};
  std::vector<RequestId> waiting = {};
};

}  // namespace coterie::api
