#include "session/reason.h"

namespace coterie::session {

Reason reason_of(api::Refusal why) {
  switch (why) {
    case api::Refusal::held_already:
      return Reason::held_already;
    case api::Refusal::mismatch:
      return Reason::mismatch;
    case api::Refusal::would_wait:
      return Reason::would_wait;
    case api::Refusal::must_stay:
      return Reason::must_stay;
    case api::Refusal::look_first:
      return Reason::look_first;
    case api::Refusal::timed_out:
      return Reason::timed_out;
    case api::Refusal::cancelled:
    case api::Refusal::stopping:
      return Reason::cancelled;
    case api::Refusal::unknown:
    case api::Refusal::invalid:
      break;
  }
  return Reason::invalid;  // also what a later version says
}

}  // namespace coterie::session
