#include "history/sample.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace coterie::history {
namespace {

struct Guest {
  std::string who;  // an owner, or the client of a leased hold
  bool is_lasting = false;
  std::string group;
  std::uint64_t token = 0;
};

// What a client is doing.
struct Doing {
  std::size_t call = 0;
  bool has_effect = false;
  bool is_inside = false;
};

class Sampler {
 public:
  explicit Sampler(const Sampled& sampled)
      : sampled_(sampled), random_(sampled.seed), limit_(sampled.limit), doing_(sampled.clients) {
    for (std::size_t i = 0; i < sampled.clients; ++i) names_.push_back("c" + std::to_string(i));
  }

  std::vector<Call> run() {
    while (calls_.size() < sampled_.calls || is_busy()) {
      now_ += 1 + static_cast<Time>(draw(4));
      const std::size_t client = draw(doing_.size());
      if (!doing_[client]) {
        if (calls_.size() < sampled_.calls) begin(client);
        continue;
      }
      go_on(client);
    }
    Call look = new_call("end");
    look.act = Act::look;
    look.answer = Answer::done;
    for (const Guest& guest : inside_)
      if (guest.is_lasting) look.seen.emplace_back(guest.who, guest.token);
    look.answered = ++now_;
    calls_.push_back(look);
    return std::move(calls_);
  }

 private:
  std::size_t draw(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }
  bool happens(double probability) { return std::bernoulli_distribution(probability)(random_); }
  bool is_busy() const {
    return std::any_of(doing_.begin(), doing_.end(), [](const auto& doing) { return doing; });
  }

  Call new_call(const std::string& client) {
    Call call;
    call.client = client;
    call.number = calls_.size();
    call.name = "name";
    call.kind = sampled_.kind;
    call.limit = sampled_.limit;
    call.called = ++now_;
    return call;
  }

  void begin(std::size_t client) {
    Call call = new_call(names_[client]);
    const std::size_t what = draw(sampled_.changes ? 10 : 9);
    call.act = what < 3 ? Act::enter : what < 6 ? Act::hold : what < 9 ? Act::release : Act::set;
    if (call.act == Act::set) call.limit = static_cast<std::uint32_t>(1 + draw(3));
    if (call.act == Act::hold || call.act == Act::release)
      call.owner = "o" + std::to_string(draw(sampled_.owners));
    else if (sampled_.kind == Kind::band)
      call.owner = call.client;
    if (sampled_.kind == Kind::room && (call.act == Act::enter || call.act == Act::hold)) {
      call.is_exclusive = sampled_.limit == 1 && happens(0.2);
      if (!call.is_exclusive) call.group = "g" + std::to_string(draw(3));
    }
    doing_[client] = Doing{calls_.size()};
    calls_.push_back(call);
  }

  std::string group_of(const Call& call) const {
    if (call.kind == Kind::room && !call.is_exclusive) return call.group;
    return call.act == Act::enter ? call.client : "owner " + call.owner;
  }

  Guest* find(const std::string& owner) {
    for (Guest& guest : inside_)
      if (guest.is_lasting && guest.who == owner) return &guest;
    return nullptr;
  }

  bool is_free(const std::string& group) const {
    std::set<std::string> groups = {group};
    for (const Guest& guest : inside_) groups.insert(guest.group);
    return groups.size() <= limit_;
  }

  void go_on(std::size_t client) {
    Doing& doing = *doing_[client];
    Call& call = calls_[doing.call];
    if (doing.is_inside) return leave(client, call);
    if (!doing.has_effect && !take_effect(call)) {
      if (!happens(0.2)) return;
      call.answer = Answer::refused;
      call.answered = now_;
      doing_[client].reset();
      return;
    }
    doing.has_effect = true;
    if (call.act != Act::enter && happens(sampled_.dying)) return die(client, call);
    if (happens(0.5)) return;  // the answer is on its way
    call.answered = now_;
    doing.is_inside = call.act == Act::enter;
    if (!doing.is_inside) doing_[client].reset();
  }

  bool take_effect(Call& call) {
    switch (call.act) {
      case Act::enter:
      case Act::hold:
        return enter(call);
      case Act::release:
        call.answer = find(call.owner) == nullptr ? Answer::absent : Answer::done;
        std::erase_if(inside_, [&](const Guest& guest) {
          return guest.is_lasting && guest.who == call.owner;
        });
        return true;
      case Act::set:
        limit_ = call.limit;
        call.answer = Answer::done;
        return true;
      case Act::look:
        break;
    }
    return true;
  }

  bool enter(Call& call) {
    const bool is_lasting = call.act == Act::hold;
    if (const Guest* const had = is_lasting ? find(call.owner) : nullptr) {
      // It holds already; in another group it would be refused.
      if (had->group != group_of(call)) return false;
      call.token = had->token;
    } else {
      if (!is_free(group_of(call))) return false;
      call.token = ++token_;
      inside_.push_back(
          {is_lasting ? call.owner : call.client, is_lasting, group_of(call), call.token});
    }
    call.answer = Answer::granted;
    return true;
  }

  void leave(std::size_t client, Call& call) {
    if (happens(0.3)) return;
    call.until = now_;
    call.leave_called = now_;
    call.left = ++now_;
    std::erase_if(
        inside_, [&](const Guest& guest) { return !guest.is_lasting && guest.who == call.client; });
    doing_[client].reset();
  }

  void die(std::size_t client, Call& call) {
    call.answer = happens(0.5) ? Answer::none : Answer::unsure;
    call.answered = now_;
    call.token = 0;
    names_[client] += "'";
    doing_[client].reset();
  }

  const Sampled& sampled_;
  std::mt19937_64 random_;
  std::uint32_t limit_;
  std::vector<std::optional<Doing>> doing_;
  std::vector<std::string> names_;
  std::vector<Call> calls_;
  std::vector<Guest> inside_;
  std::uint64_t token_ = 0;
  Time now_ = 0;
};

}  // namespace

std::vector<Call> sample(const Sampled& sampled) { return Sampler(sampled).run(); }

std::vector<Sampled> sampled_kinds() {
  return {{.kind = Kind::mutex},
          {.kind = Kind::semaphore, .limit = 2},
          {.kind = Kind::room},
          {.kind = Kind::room, .limit = 2},
          {.kind = Kind::band, .limit = 2}};
}

}  // namespace coterie::history
