// The rules of calls.h, each a function that changes one state.
#pragma once

#include "check/calls.h"

namespace coterie::check {

constexpr Byte kMajority = 2;
constexpr Byte bit(std::size_t index) { return static_cast<Byte>(1U << index); }
constexpr bool has(Byte set, std::size_t index) { return (set & bit(index)) != 0; }

class CallsRules {
 public:
  using Mode = CallsCopy::Mode;

  CallsRules(CallsState& state, CallsMutant mutant, std::size_t capacity)
      : s(state), mutant_(mutant), capacity_(capacity) {}

  // An arbiter that has not lost its disk, or has heard the others since, and has not stopped.
  bool is_up(std::size_t a) const { return !has(s.dead, a) && s.arbiters[a].unheard == 0; }
  static bool is_live(Stage stage) {
    return stage == Stage::written || stage == Stage::given || stage == Stage::doubtful;
  }
  static Byte vote_of(std::size_t x, std::size_t m) { return bit(x * kMembers + m); }
  bool rests_on(std::size_t a, std::size_t x, std::size_t m) const {
    return (s.arbiters[a].votes & vote_of(x, m)) != 0;
  }
  // 1 + the first attempt of the owner that is live there.
  Byte live_at(std::size_t a) const;
  // Whether one more may enter with the votes of this quorum.
  bool has_room(Byte quorum) const;
  // The client that waits for the call at this member, if any.
  CallsClient* client_of(std::size_t x, std::size_t m);
  std::size_t arbiters_over(std::size_t x) const;

  // The client's side.
  void call_hold(CallsClient& client, std::size_t x);
  void call_release(CallsClient& client);
  void move(CallsClient& client);
  void tell_granted(CallsClient& client, std::size_t x, Byte token);
  void tell_refused(CallsClient& client, std::size_t x);
  void tell_doubt(CallsClient& client, std::size_t x);

  // A hold call at its member.
  void arrive(std::size_t x, std::size_t m);
  void enter(std::size_t x, std::size_t m, Byte quorum);
  bool can_give(std::size_t x, std::size_t m) const;
  void give(std::size_t x, std::size_t m);
  void hear_refusal(std::size_t x, std::size_t m);
  void drop(std::size_t x, std::size_t m);
  void start_ending(std::size_t x, std::size_t m);

  // Whether END has come to a decision.
  enum class Decision : Byte { none, ended, given, confirm, doubt };
  Decision decision(const Ending& ending) const;
  static Byte token_of(const Ending& ending);
  void decide(std::size_t x, std::size_t m);
  bool is_confirmed(std::size_t x) const;
  void confirm(std::size_t x, std::size_t m);

  // Messages at an arbiter.
  void on_pin(std::size_t x, std::size_t m, std::size_t a);
  void on_end(Ending& ending, std::size_t x, std::size_t a);
  bool can_hear_over(std::size_t a, std::size_t x) const;
  void on_over(std::size_t a, std::size_t x);
  bool can_hear_given(std::size_t a, std::size_t x) const;
  void on_given(std::size_t a, std::size_t x);

  // A release at its member.
  void arrive_release(std::size_t x, std::size_t m);
  bool is_released(const CallsClient& client) const;
  void tell_released(CallsClient& client);

  // A look.
  void on_look(CallsClient& client, std::size_t a);
  bool look_step(CallsClient& client);
  void resolve(CallsClient& client);
  void confirm_look(CallsClient& client);

  // Rivals.
  void rival_takes(std::size_t rival, Byte quorum);
  void rival_releases(std::size_t rival);

  // Faults, and forgetting.
  void lapse(std::size_t a, std::size_t x, std::size_t m);
  void lose_disk(std::size_t a);
  void learn(std::size_t a, std::size_t b);
  bool can_forget(std::size_t x) const;
  void forget(std::size_t x);

  // Makes states equal that differ in nothing that matters.
  void tidy();

 private:
  void drop_vote(std::size_t a, std::size_t x, std::size_t m) {
    s.arbiters[a].votes &= static_cast<Byte>(~vote_of(x, m));
  }
  bool is(CallsMutant mutant) const { return mutant_ == mutant; }
  void spoil(CallsFault fault) {
    if (s.fault == CallsFault::none) s.fault = fault;
  }
  void note_given(std::size_t x, Byte token);
  void judge_exclusion();
  bool is_copy_alive(std::size_t x) const;

  CallsState& s;
  CallsMutant mutant_;
  std::size_t capacity_;
};

}  // namespace coterie::check
