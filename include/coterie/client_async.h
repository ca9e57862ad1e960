// Asking a cluster without waiting, with any of Asio's completion tokens: a callback, use_future,
// use_awaitable, ...
//
//   auto hold = co_await coterie::async_mutex(client, "deploys", Patience::forever(), asio::use_awaitable);
//
// The completion has the signature void(Outcome<Hold>), and runs on the handler's own executor. Cancelling
// it by its cancellation slot ends the wait.
#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "coterie/client.h"

namespace coterie {

namespace detail {

// Starts what is told its end by a callback, and calls the handler where that wants to be called.
template <class Result, class Start, class Handler>
void start(const Start& begin, Handler handler) {
  auto executor = boost::asio::get_associated_executor(handler);
  auto slot = boost::asio::get_associated_cancellation_slot(handler);
  std::stop_source cancel;
  if (slot.is_connected())
    slot.assign(
        [cancel](boost::asio::cancellation_type /*type*/) mutable { cancel.request_stop(); });
  // Handlers need not be copied, but what is called later by another thread must be.
  auto shared = std::make_shared<Handler>(std::move(handler));
  auto done = [shared, work = boost::asio::make_work_guard(executor)](Outcome<Result> outcome) {
    boost::asio::post(work.get_executor(), [shared, outcome = std::move(outcome)]() mutable {
      Handler own = std::move(*shared);
      own(std::move(outcome));
    });
  };
  begin(std::move(done), cancel.get_token());
}

}  // namespace detail

// REQUIRES: the client lives until the completion.
template <class Token>
auto async_acquire(Client& client, Request request, Token&& token) {
  return boost::asio::async_initiate<Token, void(Outcome<Hold>)>(
      [&client](auto handler, Request asked) {
        detail::start<Hold>(
            [&](Client::Done done, const std::stop_token& cancel) {
              client.start(std::move(asked), std::move(done), cancel);
            },
            std::move(handler));
      },
      token, std::move(request));
}
template <class Token>
auto async_mutex(Client& client, std::string name, Patience patience, Token&& token) {
  return async_acquire(client, Request::mutex(std::move(name), patience),
                       std::forward<Token>(token));
}
template <class Token>
auto async_room(Client& client, std::string name, std::vector<std::string> groups,
                Patience patience, Token&& token) {
  return async_acquire(client, Request::room(std::move(name), std::move(groups), patience),
                       std::forward<Token>(token));
}
template <class Token>
auto async_read(Client& client, std::string name, Patience patience, Token&& token) {
  return async_acquire(client, Request::read(std::move(name), patience),
                       std::forward<Token>(token));
}
template <class Token>
auto async_write(Client& client, std::string name, Patience patience, Token&& token) {
  return async_acquire(client, Request::write(std::move(name), patience),
                       std::forward<Token>(token));
}

// Leaves, of a band when it may: see Hold::leave. The completion has the signature void(Outcome<void>).
// REQUIRES: the hold lives until the completion.
template <class Token>
auto async_leave(Hold& hold, Patience patience, Token&& token) {
  return boost::asio::async_initiate<Token, void(Outcome<void>)>(
      [&hold](auto handler, Patience asked) {
        detail::start<void>(
            [&](Hold::Left done, const std::stop_token& cancel) {
              hold.start_leaving(asked, std::move(done), cancel);
            },
            std::move(handler));
      },
      token, patience);
}

}  // namespace coterie
