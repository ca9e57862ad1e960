// Waiting for what is told by a callback.
#pragma once

#include <future>
#include <memory>
#include <utility>

#include "coterie/client.h"

namespace coterie::client {

// Starts something, and waits for its end.
template <class Value, class Start>
Outcome<Value> await(const Start& start) {
  auto promise = std::make_shared<std::promise<Outcome<Value>>>();
  auto future = promise->get_future();
  start([promise](Outcome<Value> outcome) { promise->set_value(std::move(outcome)); });
  return future.get();
}

}  // namespace coterie::client
