// The steps of the model of calls (calls.h), as its labels name them.
#pragma once

#include "check/calls.h"

namespace coterie::check {

enum class CallsStep : Byte {
  call,
  arrive,
  enter,
  pin,
  give,
  tell,
  hear_refusal,
  in_the_way,
  withdraw,
  decide,
  inquire,
  settle,
  settled,
  late,
  left,
  over,
  given,
  release_arrives,
  released,
  look,
  look_goes_on,
  rival_takes,
  rival_releases,
  learn,
  forget,
  move,
  give_up,
  kill,
  lapse,
  lose_disk,
  stop,
};

// In a label of what is asked of an attempt.
constexpr std::size_t kBitsOfAttempt = 2;
static_assert(kAttempts <= 1U << kBitsOfAttempt);

}  // namespace coterie::check
