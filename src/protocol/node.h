// From an algorithm to a process.
//
// An algorithm is two classes, a requester and an arbiter, each a Part: it handles the messages for which
// it has an `on`, and speaks by send(), entered(), exited() and set_alarm(). A Node is one of each, with
// the clock that they share. Erased<Node> is that node behind the door of process.h.
//
// A mutant overrides a handler of a part, so handlers are virtual.
#pragma once

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
  virtual void send(NodeId to, const Message& message) = 0;
  virtual void send(const NodeSet& to, const Message& message) = 0;
  virtual void entered(Group group) = 0;
  virtual void exited() = 0;
  virtual void set_alarm() = 0;
  virtual void lost() = 0;
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

  void send(NodeId to, const Message& message) const { context_.out.send(to, message); }
  void send(const NodeSet& to, const Message& message) const { context_.out.send(to, message); }
  void entered(Group group) const { context_.out.entered(group); }
  void exited() const { context_.out.exited(); }
  void set_alarm() const { context_.out.set_alarm(); }
  void lost() const { context_.out.lost(); }

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
  void on(NodeId from, const Message& message) {
    std::visit(
        [&](const auto& content) {
          // A message that neither handles does not compile.
          if constexpr (kForArbiter<std::decay_t<decltype(content)>>) {
            arbiter_.on(from, content);
          } else {
            requester_.on(from, content);
          }
        },
        message);
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
  void rename_times(Message& message, const Writer::Rename& rename) const {
    if constexpr (requires { requester_.rename_times(message, rename); }) {
      requester_.rename_times(message, rename);
    }
  }

  COTERIE_FIELDS(clock_, requester_, arbiter_)

 private:
  Clock clock_;
  RequesterPart requester_;
  ArbiterPart arbiter_;
};

// REQUIRES of Algorithm: Node's functions; describe_message and rename_times only if its messages carry
// those of another algorithm.
template <class Algorithm>
class Erased : public Process, private Outbox<typename Algorithm::Message> {
 public:
  using Message = typename Algorithm::Message;

  // REQUIRES: the setting outlives the process.
  Erased(const Setting& setting, NodeId self)
      : setting_(setting), self_(self), algorithm_(setting, self, *this) {}

  void enter(const Demand& demand, Sink& sink) override {
    sink_ = &sink;
    algorithm_.enter(demand);
  }
  void exit(Sink& sink) override {
    sink_ = &sink;
    algorithm_.exit();
  }
  bool on(NodeId from, std::string_view message, Sink& sink) override {
    Reader reader(message);
    Message content;
    unpack(reader, content);
    if (!reader.good() || !reader.at_end()) return false;
    sink_ = &sink;
    algorithm_.on(from, content);
    return true;
  }
  void alarm(const NodeSet& prefer, Sink& sink) override {
    sink_ = &sink;
    algorithm_.alarm(prefer);
  }
  bool at_rest() const override { return algorithm_.at_rest(); }
  void save(Writer& to) const override { pack(to, algorithm_); }
  void load(Reader& from) override { unpack(from, algorithm_); }
  std::unique_ptr<Process> fresh() const override {
    return std::make_unique<Erased>(setting_, self_);
  }
  void describe(std::string& to) const override { dump(to, algorithm_); }
  std::string describe_message(std::string_view message) const override {
    const Message content = read(message);
    if constexpr (requires { algorithm_.describe_message(content); }) {
      return algorithm_.describe_message(content);
    } else {
      return dumped(content);
    }
  }
  Bytes rename_times(std::string_view message, const Writer::Rename& rename) const override {
    Message content = read(message);
    if constexpr (requires { algorithm_.rename_times(content, rename); }) {
      algorithm_.rename_times(content, rename);
    }
    Writer writer(rename);
    pack(writer, content);
    return writer.take();
  }

 private:
  static Message read(std::string_view message) {
    Reader reader(message);
    Message content;
    unpack(reader, content);
    COTERIE_ASSERT(reader.good());
    return content;
  }
  void send(NodeId to, const Message& message) override {
    write(message);
    sink_->send(to, writer_.bytes(), label_of<Algorithm>(message));
  }
  void send(const NodeSet& to, const Message& message) override {
    write(message);
    const Label label = label_of<Algorithm>(message);
    for (const NodeId member : to) sink_->send(member, writer_.bytes(), label);
  }
  void write(const Message& message) {
    writer_.clear();
    pack(writer_, message);
  }
  void entered(Group group) override { sink_->entered(group); }
  void exited() override { sink_->exited(); }
  void set_alarm() override { sink_->set_alarm(); }
  void lost() override { sink_->lost(); }

  const Setting& setting_;
  NodeId self_;
  Sink* sink_ = nullptr;
  Writer writer_;  // of the message that is being sent: it keeps its room
  Algorithm algorithm_;

 protected:
  // The algorithm, speaking to this sink.
  Algorithm& speaking_to(Sink& sink) {
    sink_ = &sink;
    return algorithm_;
  }
  const Algorithm& algorithm() const { return algorithm_; }
};

}  // namespace coterie::protocol
