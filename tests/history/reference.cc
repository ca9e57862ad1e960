#include "history/reference.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>

namespace coterie::history {
namespace {

struct Entry {
  const Call* call;
  std::string owner;  // of a lasting hold
  std::string group;
  std::optional<std::uint64_t> token;
  std::uint64_t above;
};

struct Lock {
  std::vector<Entry> inside;
  std::uint32_t limit = 1;
  std::set<std::string> untold;  // owners whose last hold has ended, and nobody was told
  std::vector<std::pair<std::string, std::uint64_t>> used;  // group and token of every entry
};

// What may happen once: a call takes effect, or a leased hold ends.
struct Happening {
  const Call* call;
  bool is_end;
  Time from;
  Time to;
  bool is_needed;
};

class Trial {
 public:
  explicit Trial(const std::vector<Call>& calls) : calls_(calls) {
    for (const Call& call : calls) {
      if (call.answer == Answer::refused && call.act != Act::hold) continue;
      if (call.answer == Answer::refused) {
        all_.push_back({&call, false, call.called, call.answered, false});
        continue;
      }
      if (call.act == Act::enter) {
        if (call.answer != Answer::granted || call.until == kNever || call.until <= call.answered)
          continue;
        all_.push_back({&call, false, call.called, call.answered, true});
        all_.push_back({&call, true, call.until, kNever, false});
      } else if (is_definite(call.answer)) {
        all_.push_back({&call, false, call.called, call.answered, true});
      } else {
        all_.push_back({&call, false, call.called, deadline(call), false});
      }
    }
    Time first = kNever;
    for (const Call& call : calls) {
      if ((call.act != Act::enter && call.act != Act::hold) || call.called >= first) continue;
      first = call.called;
      kind_ = call.kind;
      start_.limit = kind_ == Kind::mutex ? 1 : call.limit;
    }
    is_ordered_ = kind_ == Kind::mutex || (kind_ == Kind::room && start_.limit == 1);
    for (const Call& call : calls) is_ordered_ = is_ordered_ && call.act != Act::set;
    has_happened_.assign(all_.size(), false);
  }

  bool run() { return go_on(start_, std::numeric_limits<Time>::min()); }

 private:
  Time deadline(const Call& call) const {
    Time end = kNever;
    for (const Call& later : calls_) {
      if (later.act == Act::enter || later.act == Act::look || !is_definite(later.answer)) continue;
      if (later.called < call.answered || (later.act == Act::set) != (call.act == Act::set))
        continue;
      const bool is_same =
          call.act == Act::set ? later.client == call.client : later.owner == call.owner;
      if (is_same) end = std::min(end, later.answered);
    }
    return end;
  }

  // What came of a call that was refused must be over when it is.
  static bool is_refused(const Entry& entry) { return entry.call->answer == Answer::refused; }

  bool go_on(const Lock& lock, Time now) {
    bool is_complete = true;
    Time end = kNever;
    for (const Entry& entry : lock.inside) {
      if (!is_refused(entry)) continue;
      is_complete = false;
      end = std::min(end, entry.call->answered);
    }
    for (std::size_t i = 0; i < all_.size(); ++i)
      is_complete = is_complete && (has_happened_[i] || !all_[i].is_needed);
    if (is_complete) return true;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (has_happened_[i] || std::max(now, all_[i].from) > std::min(end, all_[i].to)) continue;
      has_happened_[i] = true;
      std::optional<Lock> after = effect(lock, all_[i]);
      if (after && go_on_beside(*after, i, std::max(now, all_[i].from), 0)) return true;
      has_happened_[i] = false;
    }
    return false;
  }

  // After a release, others of the same owner that are open may say that they did it.
  bool go_on_beside(const Lock& lock, std::size_t done, Time now, std::size_t from) {
    if (go_on(lock, now)) return true;
    const Happening& did = all_[done];
    if (did.is_end || did.call->act != Act::release || did.call->answer == Answer::absent)
      return false;
    for (std::size_t i = from; i < all_.size(); ++i) {
      const Happening& other = all_[i];
      if (has_happened_[i] || other.call->act != Act::release ||
          other.call->answer != Answer::done || other.call->owner != did.call->owner ||
          other.from > now || other.to < now)
        continue;
      has_happened_[i] = true;
      Lock told = lock;
      told.untold.erase(did.call->owner);
      if (go_on_beside(told, done, now, i + 1)) return true;
      has_happened_[i] = false;
    }
    return false;
  }

  std::string group_of(const Call& call) const {
    if (kind_ == Kind::room && !call.is_exclusive) return "room " + call.group;
    if (kind_ == Kind::band) return "as " + call.owner;
    return "only " + call.client + " " + std::to_string(call.number);
  }

  bool is_free(const Lock& lock, const std::string& group) const {
    std::set<std::string> groups = {group};
    for (const Entry& entry : lock.inside) {
      if (kind_ == Kind::band && entry.group == group) return false;
      groups.insert(entry.group);
    }
    return groups.size() <= lock.limit;
  }

  std::uint64_t bound(const Lock& lock, const std::string& group) const {
    std::uint64_t greatest = 0;
    for (const auto& [other, token] : lock.used)
      if (is_ordered_ && other != group) greatest = std::max(greatest, token);
    return greatest;
  }

  std::optional<Lock> enter(Lock lock, const Call& call) const {
    const std::string group = group_of(call);
    if (!is_free(lock, group)) return {};
    Entry entry{&call, call.act == Act::hold ? call.owner : "", group, {}, bound(lock, group)};
    if (call.answer == Answer::granted) {
      if (is_ordered_ && call.token <= entry.above) return {};
      entry.token = call.token;
      lock.used.emplace_back(group, call.token);
    }
    lock.untold.erase(entry.owner);
    lock.inside.push_back(entry);
    return lock;
  }

  static std::size_t find(const Lock& lock, const std::string& owner) {
    std::size_t at = 0;
    while (at < lock.inside.size() && lock.inside[at].owner != owner) ++at;
    return at;
  }

  static bool learn(Lock& lock, std::size_t at, std::uint64_t token) {
    Entry& entry = lock.inside[at];
    if (entry.token) return *entry.token == token;
    if (token <= entry.above) return false;
    entry.token = token;
    lock.used.emplace_back(entry.group, token);
    return true;
  }

  std::optional<Lock> effect(Lock lock, const Happening& what) const {
    const Call& call = *what.call;
    if (what.is_end) {
      const auto gone = std::erase_if(lock.inside, [&](const Entry& e) { return e.call == &call; });
      return gone > 0 ? std::optional(lock) : std::nullopt;
    }
    const std::size_t at =
        call.owner.empty() || call.act == Act::enter ? lock.inside.size() : find(lock, call.owner);
    const bool has_hold = at < lock.inside.size();
    switch (call.act) {
      case Act::enter:
        return enter(std::move(lock), call);
      case Act::hold:
        if (!has_hold) return enter(std::move(lock), call);
        if (call.answer == Answer::refused) return {};
        if (call.answer == Answer::granted && !learn(lock, at, call.token)) return {};
        return lock;
      case Act::release:
        if (call.answer == Answer::absent) return has_hold ? std::nullopt : std::optional(lock);
        if (!has_hold) {
          const bool is_told = call.answer == Answer::done && lock.untold.erase(call.owner) > 0;
          return is_told ? std::optional(lock) : std::nullopt;
        }
        if (!is_definite(call.answer)) lock.untold.insert(call.owner);
        lock.inside.erase(lock.inside.begin() + static_cast<std::ptrdiff_t>(at));
        return lock;
      case Act::set:
        lock.limit = call.limit;
        return lock;
      case Act::look:
        break;
    }
    std::size_t lasting = 0;
    for (const Entry& entry : lock.inside) lasting += entry.owner.empty() ? 0U : 1U;
    if (lasting != call.seen.size()) return {};
    for (const auto& [owner, token] : call.seen) {
      const std::size_t place = find(lock, owner);
      if (place == lock.inside.size() || !learn(lock, place, token)) return {};
    }
    return lock;
  }

  const std::vector<Call>& calls_;
  Kind kind_ = Kind::mutex;
  bool is_ordered_ = false;
  Lock start_;
  std::vector<Happening> all_;
  std::vector<bool> has_happened_;
};

}  // namespace

bool is_explained_by_trying(const std::vector<Call>& calls) { return Trial(calls).run(); }

}  // namespace coterie::history
