// The rules of calls.h, each a function that changes one state.
#pragma once

#include "check/calls.h"

namespace coterie::check {

constexpr Byte kMajority = 2;
constexpr Byte bit(std::size_t index) { return static_cast<Byte>(1U << index); }
constexpr bool has(Byte set, std::size_t index) { return (set & bit(index)) != 0; }
constexpr void remove(Byte& set, std::size_t index) { set &= static_cast<Byte>(~bit(index)); }

class CallsRules {
 public:
  using Mode = CallsCopy::Mode;
  using How = Settling::How;
  using Answer = Settling::Answer;

  CallsRules(CallsState& state, CallsMutant mutant, std::size_t capacity)
      : s(state), mutant_(mutant), capacity_(capacity) {}

  // An arbiter that has not lost its disk, or has heard the others since, and has not stopped.
  bool is_up(std::size_t a) const { return !has(s.dead, a) && s.arbiters[a].unheard == 0; }
  static bool is_live(Stage stage) {
    return stage == Stage::written || stage == Stage::given || stage == Stage::doubtful;
  }
  bool rests_on(std::size_t a, std::size_t x) const { return has(s.arbiters[a].votes, x); }
  // It has lost its disk, and others told it both that nothing comes of the attempt and that it holds.
  bool is_torn(std::size_t a, std::size_t x) const;
  // 1 + the first attempt of the owner that is live there.
  Byte live_at(std::size_t a) const;
  bool are_up(Byte arbiters) const;
  // Whether one more may enter with the votes of this quorum.
  bool has_room(Byte quorum) const;
  // The client that waits for the answer of the attempt's member, if any.
  CallsClient* client_of(std::size_t x);
  // Whether nobody may ever know: an arbiter stopped, or one has lost its disk and knows less than it did.
  bool may_stay_in_doubt() const;

  // The client's side.
  std::size_t next_attempt(const CallsClient& client) const;
  void call_hold(CallsClient& client);
  void call_release(CallsClient& client);
  void move(CallsClient& client);
  void kill(CallsClient& client);
  void tell_granted(CallsClient& client, std::size_t x);
  void tell_refused(CallsClient& client, std::size_t x);
  void tell_doubt(CallsClient& client, std::size_t x);

  // A hold call at its member.
  void arrive(std::size_t x);
  void enter(std::size_t x, Byte quorum);
  bool can_give(std::size_t x) const;
  void give(std::size_t x);
  void tell(std::size_t x);
  void hear_refusal(std::size_t x);
  void drop(std::size_t x);
  // What waits is refused at once; what may be written somewhere is withdrawn first.
  void give_up(std::size_t x);

  // Settling: who asks, and what the answers decide (calls_settling.cc).
  enum class Decision : Byte { none, over, granted, undecided };
  Decision decision(const Settling& settling) const;
  Settling asked(How how, bool is_inquiry) const;
  // Nobody waits for the answers any more, but what is on its way arrives.
  void abandon(Settling& settling, std::size_t x);
  void inquire(CallsClient& client, Byte quorum);
  void decide(std::size_t x);
  void settle(CallsClient& client, bool asks_anew);
  void resolve(CallsClient& client);
  bool can_go_on_without_client(std::size_t x) const;
  void go_on_without_client(std::size_t x) { s.said_over |= bit(x); }

  // Messages at an arbiter.
  void on_pin(std::size_t x, std::size_t a);
  Answer on_settle(How how, std::size_t x, std::size_t a);
  bool can_hear_over(std::size_t a, std::size_t x) const;
  void on_over(std::size_t a, std::size_t x);
  bool can_hear_given(std::size_t a, std::size_t x) const;
  void on_given(std::size_t a, std::size_t x) { s.arbiters[a].stage[x] = Stage::given; }

  // A release at its member.
  void arrive_release(std::size_t x, std::size_t m);
  bool is_released(const CallsClient& client) const;
  void tell_released(CallsClient& client);

  // A look.
  void on_look(CallsClient& client, std::size_t a);
  bool look_step(CallsClient& client, bool is_rash);

  // Rivals.
  void rival_takes(std::size_t rival, Byte quorum);
  void rival_releases(std::size_t rival);

  // Faults, and forgetting.
  void lapse(std::size_t a, std::size_t x);
  void lose_disk(std::size_t a);
  void learn(std::size_t a, std::size_t b);
  bool can_forget(std::size_t x) const;
  void forget(std::size_t x);

  // Makes states equal that differ in nothing that matters.
  void tidy();

 private:
  void drop_vote(std::size_t a, std::size_t x) { remove(s.arbiters[a].votes, x); }
  bool is(CallsMutant mutant) const { return mutant_ == mutant; }
  void spoil(CallsFault fault) {
    if (s.fault == CallsFault::none) s.fault = fault;
  }
  void judge_exclusion();
  Answer withdraw(std::size_t x, std::size_t a);
  Answer deny(std::size_t x, std::size_t a);
  Answer confirm(bool is_given, std::size_t x, std::size_t a);
  Answer agree_to_nothing(std::size_t x, std::size_t a);
  bool is_asked_again(Decision decided, std::size_t x) const;
  bool is_copy_alive(std::size_t x) const;
  bool has_no_effect(How how, std::size_t x, std::size_t a) const;

  CallsState& s;
  CallsMutant mutant_;
  std::size_t capacity_;
};

}  // namespace coterie::check
