// One operation of a client that takes several questions to members, one after another, until it can say how it came out:
// to hold for an owner (hold_call.h), to end such a hold (end_call.h), to change the settings of a name (change_call.h).
// No sockets, clock or thread: a driver passes on what the operation asks for, and gives it the answers and the time.
#pragma once

#include "api/calls.h"
#include "api/picture.h"
#include "api/time.h"
#include "coterie/client.h"

namespace coterie::session {

class Operation {
 public:
  virtual ~Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  // What the operation asks for. Each is answered once, by the function of the operation that is named beside it, and not
  // from within.
  class Driver {
   public:
    virtual ~Driver() = default;
    virtual void ask(const api::Wish& wish) = 0;  // asked(), within the patience of the caller
    virtual void end(
        const api::Burial& burial) = 0;  // settled(), within the patience of the caller
    virtual void settle(
        const api::Burial& burial) = 0;  // settled(), within a time that members need
    virtual void change(const api::Change& change) = 0;  // settled(), however long it takes
    virtual void give_up() = 0;               // ask, end or change: it is answered as before
    virtual void look() = 0;                  // seen()
    virtual api::Attempt draw_attempt() = 0;  // 128 random bits
    virtual void done(Outcome<LastingHold> outcome) = 0;  // the last that is heard of the operation

   protected:
    Driver() = default;
    Driver(const Driver&) = default;
    Driver& operator=(const Driver&) = default;
  };

  virtual void start(api::Instant now) = 0;
  // It lasts, or is refused. Reason::unheard: nobody has said how it came out.
  virtual void asked(const Outcome<LastingHold>& /*outcome*/, api::Instant /*now*/) {}
  virtual void seen(const Outcome<api::Picture>& outcome, api::Instant now) = 0;
  virtual void settled(const Outcome<LastingHold>& outcome, api::Instant now) = 0;
  virtual void cancel(api::Instant now) = 0;
  virtual void tick(api::Instant /*now*/) {}
  virtual api::Instant next_tick() const { return api::Instant::never(); }

 protected:
  Operation() = default;
};

}  // namespace coterie::session
