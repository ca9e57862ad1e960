// What a Hold shares with its client: the client's thread writes it, any thread reads it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "session/session.h"

namespace coterie::client {

using session::Grant;
using session::Instant;
using session::Ticket;

class Keeper;
class Loan;

struct Held {
  // With a loan: it was taken, and lasts as long as that.
  Held(Ticket number, const Request& request, const Grant& grant, std::weak_ptr<Keeper> whose,
       std::shared_ptr<Loan> taken = nullptr);

  const Ticket ticket;
  const std::string name;
  const std::string group;
  const bool may_have_to_stay;  // it is of a band
  const std::uint64_t token;
  const std::weak_ptr<Keeper> keeper;
  const std::shared_ptr<Loan> loan;
  std::atomic<std::int64_t> until_ns;  // of belief, on the steady clock; see until()
  std::atomic<bool> is_over = false;   // released, or not to be believed any more
  std::stop_source lost;

  Instant until() const;
  // Whether nobody else needs to know that it is over.
  bool give_back();

  // The first loss counts. Who wants to know is told apart from it, when the client is ready for callbacks.
  void lose(const std::string& reason);
  void tell();
  std::optional<std::string> why_lost() const;
  void on_lost(std::function<void(const std::string&)> callback);

 private:
  mutable std::mutex mutex_;  // of these two
  std::optional<std::string> why_;
  std::function<void(const std::string&)> callback_;
};

}  // namespace coterie::client
