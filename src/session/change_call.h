// One call that changes the settings of a name (`coterie set`).
//
// A change names the version of the settings that it replaces, so that a copy of it that arrives late undoes nothing that was
// set since. The call therefore looks first. If a member refuses the version that the look showed, something was set in
// between, perhaps by a copy of this change at another member: so the call looks again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "session/operation.h"

namespace coterie::session {

class ChangeCall : public Operation {
 public:
  // What is to be changed, given what is in force.
  using ChangeOf = std::function<api::Change(const api::Picture& picture)>;
  // REQUIRES: the driver outlives the call.
  ChangeCall(std::string name, ChangeOf change_of, Driver& driver);

  void start(api::Instant now) override;
  void seen(const Outcome<api::Picture>& outcome, api::Instant now) override;
  void settled(const Outcome<LastingHold>& outcome, api::Instant now) override;
  void cancel(api::Instant now) override;
  // What is in force, when the call has succeeded.
  const api::Kind& kind() const { return change_.kind; }

 protected:  // for mutants (mutants/change_call.h), which get the virtual one wrong
  virtual std::optional<std::uint64_t> replaced(const api::Picture& picture) const;

 private:
  // The version and the kind that a look showed.
  using Seen = std::pair<std::uint64_t, api::Kind>;

  void finish(Outcome<LastingHold> outcome);

  std::string name_;
  ChangeOf change_of_;
  Driver& driver_;
  api::Change change_;          // the last that was asked for
  Seen seen_;                   // by the last look
  std::optional<Seen> before_;  // by the look before that
  bool is_changing_ = false;    // members were asked
  bool is_cancelled_ = false;
};

// Settings for a name of this type. A limit that is not given stays as it is.
ChangeCall::ChangeOf change_limits(api::Type type, std::optional<std::uint32_t> min,
                                   std::optional<std::uint32_t> max);

}  // namespace coterie::session
