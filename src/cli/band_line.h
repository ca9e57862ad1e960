// Tells why a participant of a band waits to leave, or to enter: on a terminal in a line that is written over, elsewhere
// once for each reason.
#pragma once

#include <string>

#include "cli/hold_events.h"
#include "cli/hold_options.h"
#include "cli/terminal.h"
#include "coterie/client.h"

namespace coterie::cli {

class BandLine {
 public:
  // REQUIRES: these outlive it.
  BandLine(const HoldOptions& options, Client& client, HoldEvents& events)
      : options_(options), client_(client), events_(events) {}

  // Asks the members. Says nothing in the first moment: most waits are short.
  void tell();

 private:
  std::string why(const Status& status);

  const HoldOptions& options_;
  Client& client_;
  HoldEvents& events_;
  StatusLine line_;
  std::string told_;
};

}  // namespace coterie::cli
