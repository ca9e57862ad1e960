#include "member/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "member/api.h"
#include "quorum/visible.h"

namespace coterie::member {

namespace {

// The waiters in the order in which arbiters prefer them, with what is known of each.
struct Waiting {
  Priority priority;
  Picture::Waiter waiter;
};

std::string seconds(Milliseconds ms) {
  return fmt::format("{:.1f} s", static_cast<double>(ms) / 1e3);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

// Members that hold shares here, but answer no question: dead or cut off.
std::vector<std::pair<NodeId, Milliseconds>> unheard_holders(std::span<const View> views,
                                                             const std::vector<NodeId>& dark) {
  std::vector<std::pair<NodeId, Milliseconds>> holders;
  for (const View& view : views) {
    for (const EntryView& entry : view.entries) {
      const bool is_dark = std::find(dark.begin(), dark.end(), entry.member) != dark.end();
      if (!entry.has_share || (!is_dark && !entry.is_former)) continue;
      const auto known = std::find_if(holders.begin(), holders.end(),
                                      [&](const auto& h) { return h.first == entry.member; });
      if (known == holders.end()) {
        holders.emplace_back(entry.member, entry.lease_left);
      } else {
        known->second = std::max(known->second, entry.lease_left);
      }
    }
  }
  return holders;
}

class Words {
 public:
  Words(const Picture& picture, std::span<const View> views, const quorum::System& system,
        std::span<const std::string> names)
      : picture_(picture), views_(views), system_(system), names_(names) {}

  std::string why(const Picture::Waiter& waiter, std::size_t place) const {
    if (std::string lack = lack_of_quorum(waiter.member); !lack.empty()) return lack;
    std::string reason = reason_of_holders(waiter, place == 0);
    if (place > 0) {
      const std::string line = fmt::format("{} before it in line", place);
      return reason.empty() ? line : line + "; " + reason;
    }
    if (reason.empty()) return "next: it is being let in";
    return reason.find("next when") == std::string::npos ? "next: " + reason : reason;
  }

  // One who wants to leave.
  std::string why_it_stays(const Picture::Holder& holder) const {
    if (std::string lack = lack_of_quorum(holder.member); !lack.empty()) return lack;
    const std::size_t inside = picture_.holders.size();
    if (inside <= picture_.kind->min)
      return fmt::format("{} inside, of whom at least {} must stay; next when one more enters",
                         inside, picture_.kind->min);
    if (std::string unheard = reason_of_unheard(); !unheard.empty()) return unheard;
    for (const NodeId member : holder.awaits) {
      if (std::find(picture_.dark.begin(), picture_.dark.end(), member) != picture_.dark.end())
        return fmt::format(
            "{}, which does not answer, may have told others that it is inside: "
            "until they have forgotten that",
            names_[member]);
    }
    return "it is being let out";
  }

 private:
  // The member cannot ask enough others.
  std::string lack_of_quorum(NodeId member) const {
    const auto view = std::find_if(views_.begin(), views_.end(),
                                   [&](const View& v) { return v.member == member; });
    NodeSet awake(system_.n());
    Milliseconds silent_for = 0;
    for (const NodeId peer : view->reachable) {
      const auto of_peer = std::find_if(views_.begin(), views_.end(),
                                        [&](const View& v) { return v.member == peer; });
      if (of_peer != views_.end() && of_peer->silent_for > 0) {
        silent_for = std::max(silent_for, of_peer->silent_for);
      } else {
        awake.insert(peer);
      }
    }
    if (system_.write().contains_quorum(awake)) return "";
    if (silent_for > 0)
      return fmt::format("members that restarted grant nothing for {} more", seconds(silent_for));
    return fmt::format("{} reaches only {} of {} members: no quorum", names_[member],
                       view->reachable.size(), system_.n());
  }

  std::string reason_of_holders(const Picture::Waiter& waiter, bool is_next) const {
    if (picture_.holders.empty()) return reason_of_unheard();
    if (is_counted(*picture_.kind)) return reason_of_count(waiter, is_next);
    if (picture_.kind->type == Type::room) {
      const std::string& group = picture_.holders.front().group;
      if (group == kShownAlone) return fmt::format("a writer is inside ({})", listed(holders()));
      return fmt::format("group {} is inside ({}){}", group, listed(holders()),
                         is_friend(waiter, group) ? ", and another group waits before it" : "");
    }
    return fmt::format("{} holds it", listed(holders()));
  }

  // By the names that they go by, or those of their clients.
  std::vector<std::string> holders() const {
    std::vector<std::string> holders;
    holders.reserve(picture_.holders.size());
    for (const Picture::Holder& holder : picture_.holders)
      holders.push_back(picture_.kind->type == Type::band && !holder.group.empty() ? holder.group
                                                                                   : holder.client);
    return holders;
  }

  static bool is_friend(const Picture::Waiter& waiter, const std::string& group) {
    return group != kShownAlone &&
           std::find(waiter.groups.begin(), waiter.groups.end(), group) != waiter.groups.end();
  }

  std::string reason_of_count(const Picture::Waiter& waiter, bool is_next) const {
    std::vector<std::string> inside = holders();
    const bool has_groups = picture_.kind->type == Type::room;
    if (has_groups) {
      inside.clear();
      for (const Picture::Holder& holder : picture_.holders) inside.push_back(holder.group);
      std::sort(inside.begin(), inside.end());
      inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    }
    // Who waits for what the name was before has none.
    const bool has_name = picture_.kind->type == Type::band && !waiter.groups.empty();
    if (has_name && is_friend(waiter, waiter.groups.front()) &&
        std::find(inside.begin(), inside.end(), waiter.groups.front()) != inside.end())
      return fmt::format("{} is inside already", waiter.groups.front());
    const auto own = std::find_if(inside.begin(), inside.end(), [&](const std::string& group) {
      return has_groups && is_friend(waiter, group);
    });
    if (own != inside.end() && !is_next)
      return fmt::format("group {} is inside, and another group waits before it", *own);
    if (inside.size() < picture_.kind->max) return reason_of_unheard();
    const std::size_t surplus = inside.size() - picture_.kind->max;  // since the number is smaller
    const char* const groups = has_groups ? " groups" : "";
    if (!is_next)
      return fmt::format("{} of {}{} inside: {}", inside.size(), picture_.kind->max, groups,
                         listed(inside));
    if (surplus > 0)
      return fmt::format("{}{} inside, more than the {} that may be now; next when {} of {} leave",
                         inside.size(), groups, picture_.kind->max, surplus + 1, listed(inside));
    return fmt::format("{} of {}{} inside; next when {}{} leaves", inside.size(),
                       picture_.kind->max, groups, inside.size() > 1 ? "one of " : "",
                       listed(inside));
  }

  std::string reason_of_unheard() const {
    for (const auto& [member, left] : unheard_holders(views_, picture_.dark)) {
      return fmt::format("clients of {}, which does not answer, may hold it for {} more",
                         names_[member], seconds(left));
    }
    return "";
  }

  const Picture& picture_;
  std::span<const View> views_;
  const quorum::System& system_;
  std::span<const std::string> names_;
};

// Each once, unless somebody knows that it is over.
void add_lastings(Picture& picture, std::span<const View> views, const quorum::System& system) {
  struct Known {
    LastingView seen;
    NodeSet at;        // who has it written down
    NodeSet doubtful;  // who may have had, and has lost its disk
    NodeId leaves_by = 0;
  };
  std::map<std::pair<std::string, Number>, Known> all;
  for (const View& view : views) {
    for (const LastingView& seen : view.lastings) {
      auto& [known, at, doubtful, leaves_by] =
          all.try_emplace({seen.lasting.owner, seen.lasting.token},
                          Known{seen, NodeSet(system.n()), NodeSet(system.n())})
              .first->second;
      if (seen.lasting.is_over() || (seen.lasting.is_given() && !known.lasting.is_over()))
        known.lasting.stage = seen.lasting.stage;
      known.since = std::max(known.since, seen.since);
      known.lasting.given_at = std::max(known.lasting.given_at, seen.lasting.given_at);
      if (seen.is_leaving) known.is_leaving = true;
      if (seen.is_leaving) leaves_by = view.member;
      if (seen.is_here) (seen.lasting.is_doubtful() ? doubtful : at).insert(view.member);
    }
  }
  // Of these, one at least has heard of the end of whatever is over.
  NodeSet witnesses(system.n());
  for (const View& view : views) {
    if (view.silent_for == 0) witnesses.insert(view.member);
  }
  const quorum::Family& quorums = system.write();
  for (const auto& [key, value] : all) {
    const auto& [seen, at, doubtful, leaves_by] = value;
    if (seen.lasting.is_over() && key.second != 0) {
      // In the order of their tokens: the last is the greatest.
      if (picture.ended.empty() || picture.ended.back().first != key.first)
        picture.ended.emplace_back(key);
      picture.ended.back().second = key.second;
    }
    if (seen.lasting.is_over() || (at.empty() && doubtful.empty())) continue;
    NodeSet possible = at | doubtful;
    for (const NodeId member : picture.dark) possible.insert(member);
    Picture::Holder holder;
    holder.client = seen.lasting.owner;
    // In a band it has none; but it may be in a room that becomes one.
    const bool is_in_band = picture.kind->type == Type::band && seen.lasting.group.empty();
    holder.group = is_in_band ? seen.lasting.owner : seen.lasting.group;
    holder.token = seen.lasting.token;
    holder.since = seen.since;
    holder.given_at = seen.lasting.given_at;
    holder.is_lasting = true;
    holder.member = leaves_by;
    holder.is_leaving = seen.is_leaving;
    const bool is_sure = quorums.contains_quorum(at) ||
                         (seen.lasting.is_given() && quorums.contains_quorum(witnesses));
    const bool is_possible = seen.lasting.is_given() || quorums.contains_quorum(possible);
    holder.certainty = is_sure       ? Picture::Certainty::sure
                       : is_possible ? Picture::Certainty::doubtful
                                     : Picture::Certainty::partial;
    picture.holders.push_back(std::move(holder));
  }
}

}  // namespace

bool is_possible(const View& view, std::size_t members) {
  const auto are_texts = [](const std::vector<std::string>& groups) {
    return std::all_of(groups.begin(), groups.end(),
                       [](const std::string& group) { return quorum::is_text(group); });
  };
  const auto is_member = [&](NodeId member) { return member < members; };
  const auto are_members = [&](const std::vector<NodeId>& ids) {
    return std::all_of(ids.begin(), ids.end(), is_member);
  };
  const bool is_idle = view.claims.empty() && view.entries.empty() && view.lastings.empty();
  if (view.kind ? !fault_of(*view.kind).empty() : !is_idle) return false;
  if (view.was && (!view.kind || !fault_of(*view.was).empty())) return false;
  return is_member(view.member) && are_members(view.reachable) &&
         std::all_of(view.lastings.begin(), view.lastings.end(),
                     [](const LastingView& seen) {
                       return seen.lasting.stage <= Lasting::Stage::doubtful &&
                              quorum::is_text(seen.lasting.owner) &&
                              quorum::is_text(seen.lasting.group);
                     }) &&
         std::all_of(view.claims.begin(), view.claims.end(),
                     [&](const ClaimView& claim) {
                       return quorum::is_text(claim.client) && are_texts(claim.groups) &&
                              are_members(claim.awaits);
                     }) &&
         std::all_of(view.entries.begin(), view.entries.end(), [&](const EntryView& entry) {
           return is_member(entry.member) && are_texts(entry.groups);
         });
}

namespace {

// Something else, not only in numbers.
template <class Seen>
bool becomes(const Seen& seen) {
  return seen.was && seen.kind && !are_alike(*seen.was, *seen.kind);
}

// Whether those inside are as many as the numbers say. In a room these are groups, and each writer is one.
bool fits(const Picture& picture) {
  std::size_t count = 0;
  std::set<std::string> groups;
  for (const Picture::Holder& holder : picture.holders) {
    const bool shares_a_group = picture.kind->type == Type::room && holder.group != kShownAlone;
    if (!shares_a_group || groups.insert(holder.group).second) ++count;
  }
  return count >= picture.kind->min && count <= picture.kind->max;
}

}  // namespace

Picture together(const std::string& name, std::span<const View> views, const quorum::System& system,
                 std::span<const std::string> names) {
  Picture picture;
  picture.name = name;
  std::uint64_t version = 0;
  std::vector<Waiting> waiting;
  for (NodeId member = 0; member < system.n(); ++member) {
    const auto view =
        std::find_if(views.begin(), views.end(), [&](const View& v) { return v.member == member; });
    if (view == views.end()) {
      picture.dark.push_back(member);
      continue;
    }
    if (view->kind && (!picture.kind || view->version > version)) {
      picture.kind = view->kind;
      picture.was = view->was;
      version = view->version;
    }
    // Others may have turned already.
    if (view->version == version && becomes(*view)) picture.was = view->was;
    for (const ClaimView& claim : view->claims) {
      if (claim.is_inside) {
        picture.holders.push_back({claim.client,
                                   member,
                                   claim.groups.empty() ? std::string() : claim.groups.front(),
                                   claim.token,
                                   claim.since,
                                   claim.good_for,
                                   claim.is_leaving,
                                   claim.awaits,
                                   {}});
      } else {
        waiting.push_back({claim.priority, {claim.client, member, claim.groups, claim.since, {}}});
      }
    }
  }
  std::stable_sort(waiting.begin(), waiting.end(),
                   [](const Waiting& a, const Waiting& b) { return a.priority < b.priority; });
  add_lastings(picture, views, system);
  picture.is_set = version > 0;
  for (const View& view : views) picture.version = std::max(picture.version, view.settings);
  if (picture.kind && (becomes(picture) ? picture.holders.empty() : fits(picture)))
    picture.was.reset();
  for (Picture::Holder& holder : picture.holders) {
    if (holder.is_leaving) holder.why = Words(picture, views, system, names).why_it_stays(holder);
  }
  for (std::size_t place = 0; place < waiting.size(); ++place) {
    Picture::Waiter waiter = std::move(waiting[place].waiter);
    waiter.why = Words(picture, views, system, names).why(waiter, place);
    picture.waiters.push_back(std::move(waiter));
  }
  return picture;
}

}  // namespace coterie::member
