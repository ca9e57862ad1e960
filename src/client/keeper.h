// Who keeps a client's holds: an Engine, with a member elsewhere, or a Resident of a member in this process.
#pragma once

#include <proto/coterie.pb.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "coterie/client.h"
#include "member/api.h"
#include "session/ended_holds.h"
#include "session/session.h"

namespace coterie::client {

using session::Duration;
using session::Grant;
using session::Instant;
using session::Ticket;

struct Held;

// What waits for an answer, and what ends the wait.
using Cancel = std::unique_ptr<std::stop_callback<std::function<void()>>>;
struct Waiter {
  Request request;
  Client::Done done;
  Cancel cancel;
};
// What is done for an owner: it holds, or holds no more.
struct Errand {
  using Done = std::function<void(Outcome<LastingHold>)>;
  std::string owner;
  Done done;
  Cancel cancel;
};
struct Leaver {
  Hold::Left done;
  bool is_cancelled = false;
  Cancel cancel;
};

// Any thread may call these; what they call back comes on the keeper's own.
class Keeper {
 public:
  using Answer = std::function<void(Outcome<wire::Event>)>;

  virtual ~Keeper() = default;
  // What can be had at once, on the caller's thread, without a word to anybody. None: acquire it.
  virtual std::optional<Hold> take(const Request& /*request*/) { return std::nullopt; }
  virtual void acquire(Request request, Client::Done done, const std::stop_token& cancel) = 0;
  // Leaves; of a band, when it may.
  virtual void release(Ticket ticket, const Patience& patience, Hold::Left done,
                       const std::stop_token& cancel) = 0;
  // Is out, whether or not it may leave; nobody waits for an answer.
  virtual void abandon(Ticket ticket) = 0;
  // For an owner: the wish names it, the burial too.
  virtual void hold_for(member::Wish wish, const Patience& patience, Errand::Done done,
                        const std::stop_token& cancel) = 0;
  virtual void bury(member::Burial burial, const Patience& patience, Errand::Done done,
                    const std::stop_token& cancel) = 0;
  // The numbers of the kind are to hold for the name.
  virtual void change(member::Change change, Errand::Done done, const std::stop_token& cancel) = 0;
  // A hold of this owner is over, and members have said so.
  void add_end(const std::string& name, const std::string& owner, std::uint64_t token) {
    const std::scoped_lock lock(ends_mutex_);
    ends_.add(name, owner, token);
  }
  std::uint64_t last_end(const std::string& name, const std::string& owner) {
    const std::scoped_lock lock(ends_mutex_);
    return ends_.token_of(name, owner);
  }
  // Somebody wants to know when this hold, which was taken, is lost.
  virtual void watch(const std::shared_ptr<Held>& /*held*/) {}
  virtual void show(std::string name, Answer answer) = 0;
  // With the names after this one.
  virtual void survey(std::string after, Answer answer) = 0;
  virtual std::string member() const = 0;
  virtual const std::string& label() const = 0;
  virtual bool is_own_thread() const = 0;
  // Leaves everything.
  virtual void stop() = 0;

 protected:
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

 private:
  std::mutex ends_mutex_;
  session::EndedHolds ends_;
};

std::string usual_label();  // user@host:pid
member::Wish wish_of(const Request& request);
Duration wait_of(const Patience& patience);  // from now; 0: for ever
inline constexpr const char* kClosed = "the client was closed";
// What one who is not let out is told.
Refusal refusal_of(const Leaver& leaver, const Refusal& refusal);

}  // namespace coterie::client
