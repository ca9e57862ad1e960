// Mutual exclusion by a token that is asked for everywhere: n messages, or none for who has it already.
//
// Suzuki and Kasami, "A distributed mutual exclusion algorithm", ACM TOCS 3(4), 1985.
// A yardstick: no quorums. The request numbers of a process are the times of its own clock, which nobody
// else advances: RN and LN of the paper are `requested_` and `Token::served`.
// Assumes: reliable channels; FIFO is not needed. Site 0 has the token at first.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "protocol/peer.h"

namespace coterie::protocol::suzuki_kasami {

using Request = Stamped<"REQUEST">;  // to all others: I want the token

struct Token {  // whoever has it may be inside
  static constexpr std::string_view kName = "PRIVILEGE";
  std::vector<NodeId> queue;  // who has it next, first come first served
  std::vector<Time> served;   // per process: its last request that was served
  COTERIE_FIELDS(queue, served)
};
using Message = std::variant<Request, Token>;

class Site : public Part<Message> {
 public:
  explicit Site(const Context<Message>& context);

  void enter(const Demand& demand);
  void exit();
  virtual void on(NodeId from, const Request& message);
  virtual void on(NodeId from, const Token& message);
  bool at_rest() const { return phase_ == Phase::idle && !(token_ && !token_->queue.empty()); }

  COTERIE_FIELDS(phase_, requested_, token_)

 protected:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  // REQUIRES: the token is here.
  void pass_on(NodeId process);
  virtual bool is_queued(NodeId process) const;

  Phase phase_ = Phase::idle;
  std::vector<Time> requested_;  // per process: its last request that came here
  std::optional<Token> token_;

 private:
  bool is_unserved(NodeId process) const { return requested_[process] > token_->served[process]; }
};

}  // namespace coterie::protocol::suzuki_kasami
