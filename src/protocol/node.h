// From an algorithm to a process.
//
// An algorithm is two classes, a requester and an arbiter, each a Part: it handles the messages for which
// it has an `on`, and speaks by send(), entered(), exited() and set_alarm(). A Node is one of each, with
// the clock that they share. Erased<Node> is that node behind the door of process.h.
//
// A mutant overrides a handler of a part, so handlers are virtual.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "base/dump.h"
#include "base/pack.h"
#include "protocol/process.h"
#include "protocol/types.h"

namespace coterie::protocol {

template <class Message>
class Outbox {
 public:
  virtual ~Outbox() = default;
  // One of the alternatives of Message, to one or to many.
  template <class To, class Content>
  void send(const To& to, const Content& content) {
    writer_.clear();
    writer_.number(kIndexIn<Message, Content>);
    pack(writer_, content);
    post(to, label_of<Message>(content));
  }
  virtual void entered(Group group) = 0;
  virtual void exited() = 0;
  virtual void set_alarm() = 0;
  virtual void lost() = 0;
  virtual void fenced(std::uint64_t token) = 0;

 protected:
  std::string_view written() const { return writer_.bytes(); }
  // What was written.
  virtual void post(NodeId to, Label label) = 0;
  virtual void post(const NodeSet& to, Label label) = 0;

 private:
  Writer writer_;  // it keeps its room
};

template <class Message>
struct Context {
  const Setting& setting;
  NodeId self;
  Clock& clock;
  Outbox<Message>& out;
};

template <class MessageType>
class Part {
 public:
  using Message = MessageType;

  explicit Part(const Context<Message>& context) : context_(context) {}
  virtual ~Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 protected:
  const Setting& setting() const { return context_.setting; }
  NodeId self() const { return context_.self; }
  Clock& clock() const { return context_.clock; }

  template <class Content>
  void send(NodeId to, const Content& content) const {
    context_.out.send(to, content);
  }
  template <class Content>
  void send(const NodeSet& to, const Content& content) const {
    context_.out.send(to, content);
  }
  void entered(Group group) const { context_.out.entered(group); }
  void exited() const { context_.out.exited(); }
  void set_alarm() const { context_.out.set_alarm(); }
  void lost() const { context_.out.lost(); }
  void fenced(std::uint64_t token) const { context_.out.fenced(token); }

 private:
  Context<Message> context_;
};

template <class RequesterPart, class ArbiterPart>
class Node {
 public:
  using Message = typename RequesterPart::Message;
  template <class Content>
  static constexpr bool kForArbiter = requires(ArbiterPart& arbiter, const Content& content) {
    arbiter.on(NodeId{}, content);
  };

  Node(const Setting& setting, NodeId self, Outbox<Message>& out)
      : requester_(Context<Message>{setting, self, clock_, out}),
        arbiter_(Context<Message>{setting, self, clock_, out}) {}

  void enter(const Demand& demand) { requester_.enter(demand); }
  void exit() { requester_.exit(); }
  void alarm(const NodeSet& prefer) {
    constexpr bool kSetsAlarms = requires { requester_.alarm(prefer); };
    COTERIE_ASSERT(kSetsAlarms);
    if constexpr (kSetsAlarms) requester_.alarm(prefer);
  }
  template <class Content>
  void on(NodeId from, const Content& content) {
    // A message that neither handles does not compile.
    if constexpr (kForArbiter<Content>) {
      arbiter_.on(from, content);
    } else {
      requester_.on(from, content);
    }
  }
  bool at_rest() const { return requester_.at_rest() && arbiter_.at_rest(); }

  // A requester that runs another algorithm inside knows what its messages carry.
  std::string describe_message(const Message& message) const {
    if constexpr (requires { requester_.describe_message(message); }) {
      return requester_.describe_message(message);
    } else {
      return dumped(message);
    }
  }

  COTERIE_FIELDS(clock_, requester_, arbiter_)

 protected:
  RequesterPart& requester() { return requester_; }
  ArbiterPart& arbiter() { return arbiter_; }
  const ArbiterPart& arbiter() const { return arbiter_; }

 private:
  Clock clock_;
  RequesterPart requester_;
  ArbiterPart arbiter_;
};

// Which of an algorithm's messages the arbiter handles. What carries another algorithm's is nobody's.
template <class Algorithm, std::size_t... I>
constexpr std::array<bool, sizeof...(I)> for_arbiter(std::index_sequence<I...> /*types*/) {
  const auto is_for_arbiter = []<class Content>(const Content* /*type*/) {
    if constexpr (requires { Algorithm::template kForArbiter<Content>; }) {
      return Algorithm::template kForArbiter<Content>;
    } else {
      return false;
    }
  };
  using Message = typename Algorithm::Message;
  return {is_for_arbiter(static_cast<const std::variant_alternative_t<I, Message>*>(nullptr))...};
}

// The half of Erased that depends on the messages only, so that the mutants of an algorithm share it.
template <class MessageType>
class Speaker : public Process, protected Outbox<MessageType> {
 protected:
  using Message = MessageType;
  static constexpr std::size_t kTypes = std::variant_size_v<Message>;
  using ForArbiter = std::array<bool, kTypes>;

  // REQUIRES: the table outlives the process.
  explicit Speaker(const ForArbiter& for_arbiter) : for_arbiter_(for_arbiter) {}

  void speak_to(Sink& sink) { sink_ = &sink; }

  static Message read(std::string_view message) {
    Reader reader(message);
    Message content;
    unpack(reader, content);
    COTERIE_ASSERT(reader.good());
    return content;
  }
  // False if what is left is not one such content and nothing else.
  template <class Content>
  static bool read_rest(Reader& from, Content& content) {
    unpack(from, content);
    return from.good() && from.at_end();
  }

 private:
  void post(NodeId to, Label label) override {
    complete(label);
    sink_->send(to, this->written(), label);
  }
  void post(const NodeSet& to, Label label) override {
    complete(label);
    for (const NodeId member : to) sink_->send(member, this->written(), label);
  }
  // Who sends a message does not know which part handles it. What is carried has its label already.
  void complete(Label& label) const {
    if (label.type < kTypes) label.for_arbiter = for_arbiter_[label.type];
  }
  void entered(Group group) override { sink_->entered(group); }
  void exited() override { sink_->exited(); }
  void set_alarm() override { sink_->set_alarm(); }
  void lost() override { sink_->lost(); }
  void fenced(std::uint64_t token) override { sink_->fenced(token); }

  const ForArbiter& for_arbiter_;
  Sink* sink_ = nullptr;
};

// REQUIRES of Algorithm: Node's functions; describe_message only if its messages carry those of another
// algorithm.
template <class Algorithm>
class Erased : public Speaker<typename Algorithm::Message> {
 public:
  using typename Speaker<typename Algorithm::Message>::Message;

  // REQUIRES: the setting outlives the process.
  Erased(const Setting& setting, NodeId self)
      : Speaker<Message>(kForArbiter), algorithm_(setting, self, *this) {}

  void enter(const Demand& demand, Sink& sink) override { speaking_to(sink).enter(demand); }
  void exit(Sink& sink) override { speaking_to(sink).exit(); }
  bool on(NodeId from, std::string_view message, Sink& sink) override {
    Reader reader(message);
    const std::size_t index = reader.number(this->kTypes - 1);
    if (!reader.good()) return false;
    this->speak_to(sink);
    return on_alternative(index, from, reader, Types());
  }
  void alarm(const NodeSet& prefer, Sink& sink) override { speaking_to(sink).alarm(prefer); }
  bool at_rest() const override { return algorithm_.at_rest(); }
  void save(Writer& to) const override { pack(to, algorithm_); }
  void load(Reader& from) override { unpack(from, algorithm_); }
  void describe(std::string& to) const override { dump(to, algorithm_); }
  std::string describe_message(std::string_view message) const override {
    const Message content = this->read(message);
    if constexpr (requires { algorithm_.describe_message(content); }) {
      return algorithm_.describe_message(content);
    } else {
      return dumped(content);
    }
  }

 protected:
  // The algorithm, speaking to this sink.
  Algorithm& speaking_to(Sink& sink) {
    this->speak_to(sink);
    return algorithm_;
  }
  const Algorithm& algorithm() const { return algorithm_; }

 private:
  using Types = std::make_index_sequence<std::variant_size_v<Message>>;

  template <std::size_t... I>
  bool on_alternative(std::size_t index, NodeId from, Reader& reader, std::index_sequence<I...>) {
    return ((I == index && read_and_handle<I>(from, reader)) || ...);
  }
  template <std::size_t I>
  bool read_and_handle(NodeId from, Reader& reader) {
    std::variant_alternative_t<I, Message> content;
    if (!this->read_rest(reader, content)) return false;
    algorithm_.on(from, content);
    return true;
  }

  static constexpr auto kForArbiter = for_arbiter<Algorithm>(Types());

  Algorithm algorithm_;
};

}  // namespace coterie::protocol
