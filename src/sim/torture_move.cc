// A client that comes to another member with what it holds, and with its places in line.
#include <algorithm>

#include "sim/torture_client.h"

namespace coterie::sim::torture {

using member::Duration;
using member::Instant;
using Phase = Errand::Phase;

bool Client::stays_in_line(const Errand& errand) const {
  return plan_.habits.shows_tickets && errand.wish.place != Time{};
}

void Client::go_on(Instant now) {
  for (Errand& errand : errands_) {
    if (errand.is_inside() && plan_.habits.shows_tickets) show_ticket(errand, now);
    if (errand.phase != Phase::waiting) continue;
    errand.session = session_;
    errand.request = ++last_request_;
    errand.wish.request = errand.request;
    out_.call(errand.wish);
  }
}

void Client::show_ticket(Errand& errand, Instant now) {
  if (errand.until <= now) return;
  errand.shown = ++last_request_;
  member::Wish wish = errand.wish;
  wish.request = errand.shown;
  wish.is_try = false;
  wish.wait = std::min(errand.until - now, patience(plan_));
  const bool has_group = errand.kind.type == member::Type::room;
  wish.ticket = {errand.origin, has_group ? errand.group : std::string(), errand.token};
  out_.call(wish);
}

// It takes this only while it believes in what it had: then nobody came between. To let it go while it believes would be to
// say that it is out.
void Client::on_moved(std::size_t index, const member::Granted& granted, Instant now) {
  Errand& errand = errands_[index];
  if (now >= errand.until) {
    out_.call(Leave{errand.shown, {}});
    errand.shown = 0;
    return;
  }
  const Instant until = believed(granted.good, now);
  if (until <= now) return;
  errand.session = session_;
  errand.request = errand.shown;
  errand.shown = 0;
  errand.origin = granted.origin;
  errand.until = std::max(errand.until, until);
  out_.moves(index);
  if (errand.kind.type == member::Type::band) out_.call(Stay{errand.request});
  if (errand.phase == Phase::parting) out_.call(Leave{errand.request, {}});
}

std::size_t Client::find_moving(member::RequestId request) const {
  const auto moving = std::find_if(errands_.begin(), errands_.end(), [&](const Errand& errand) {
    return errand.shown != 0 && errand.shown == request;
  });
  return static_cast<std::size_t>(moving - errands_.begin());
}

}  // namespace coterie::sim::torture
