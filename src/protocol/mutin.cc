#include "protocol/mutin.h"

#include "protocol/band.h"
#include "protocol/catalogue.h"
#include "protocol/entries.h"
#include "protocol/printed/mutin.h"

namespace coterie::protocol {
namespace mutin {

Component mx_of(const Setting& setting) {
  Component mx = component(setting, 0, "maekawa", 1);
  mx.setting.max = 1;
  mx.setting.inside = mx.setting.none();
  return mx;
}

Requester::Requester(const Context<Message>& context)
    : Part(context),
      seen_(setting().none()),
      acks_(setting().none()),
      mx_(mx_of(setting()), self(), context.out) {}

void Requester::enter(const Demand&) {
  COTERIE_ASSERT(phase_ == Phase::settled);
  send(setting().home(self()), Release{});
  entered(0);
}

void Requester::exit() {
  COTERIE_ASSERT(phase_ == Phase::settled);
  phase_ = Phase::excluding;
  react(mx_.enter({}));
}

void Requester::react(Mutex::Answer answer) {
  if (answer != Mutex::Answer::entered) return;
  COTERIE_ASSERT(phase_ == Phase::excluding);
  phase_ = Phase::counting;
  send(setting().home(self()), Query{});
}

void Requester::on(NodeId, const Response& message) {
  if (phase_ != Phase::counting) return;  // we have seen enough
  seen_ |= message.inside;
  if (seen_.size() > setting().min) acquire();
}

void Requester::acquire() {
  phase_ = Phase::leaving;
  seen_.clear();
  send(setting().home(self()), Acquire{});
}

void Requester::on(NodeId from, const Ack&) {
  COTERIE_ASSERT(phase_ == Phase::leaving);
  acks_.insert(from);
  if (setting().home(self()).is_subset_of(acks_)) leave();
}

void Requester::leave() {
  phase_ = Phase::settled;
  acks_.clear();
  const Mutex::Answer answer = mx_.exit();
  COTERIE_ASSERT(answer == Mutex::Answer::exited);
  exited();
}

std::string Requester::describe_message(const Message& message) const {
  const Mx* inner = std::get_if<Mx>(&message);
  return inner != nullptr ? mx_.describe_message(*inner) : dumped(message);
}

Arbiter::Arbiter(const Context<Message>& context) : Part(context), inside_(setting().none()) {
  for (const NodeId process : setting().inside) {
    if (setting().home(process).contains(self())) inside_.insert(process);
  }
}

void Arbiter::on(NodeId from, const Query&) {
  again_ = from;
  send(from, Response{inside_});
}

void Arbiter::on(NodeId from, const Acquire&) {
  inside_.erase(from);
  again_.reset();
  send(from, Ack{});
}

void Arbiter::on(NodeId from, const Release&) {
  inside_.insert(from);
  if (again_) respond_again();
}

void Arbiter::respond_again() { send(*again_, Response{inside_}); }

}  // namespace mutin

Entry mutin_entry() {
  using namespace mutin;
  return {
      .name = "mutin",
      .problem = Problem::floor,
      .title = "Kamei and Kakugawa 2019, MUTIN(l)",
      .mutants = {{"response2-once",
                   "of the Releases that come while one counts, it is told the first only",
                   make_process<Node<Requester, printed::RespondsAgainOnce>>},
                  {"no-ack", "leaves the mutual exclusion before all arbiters know that it is out",
                   make_process<Node<printed::AwaitsNoAck, Arbiter>>}},
      .make = make_process<Node<Requester, Arbiter>>,
      .starts_inside = true,
      .parts = 1,
      .refuse = [](const Setting& setting) -> std::string {
        if (std::string fault = refuse_unless_coterie(setting); !fault.empty()) return fault;
        if (std::string fault = refuse_band(setting, setting.min, setting.processes);
            !fault.empty()) {
          return fault;
        }
        const Component mx = mx_of(setting);
        if (mx.choice.problem() != Problem::mutex && mx.choice.problem() != Problem::semaphore) {
          return mx.choice.text() + " is no mutual exclusion: mutin is made of one";
        }
        return refuse(mx);
      },
  };
}

}  // namespace coterie::protocol
