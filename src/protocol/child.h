// A process inside a process: how an algorithm is made of others.
//
// The messages of a child travel inside one of its parent's, the Wrapper, their labels beside. What the child answers comes
// back to the parent as a value, when the child has done its step.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "protocol/catalogue.h"

namespace coterie::protocol {

// An algorithm that another is made of, in a setting of its own.
struct Component {
  Choice choice;
  Setting setting;
};

// The index-th part of the algorithm that `setting` is for, or else the one named, in a setting that is
// the same but for the version. A setting with two quorum systems keeps the one for `system`, 0 or 1.
Component component(const Setting& setting, std::size_t index, std::string_view otherwise,
                    std::size_t system = 0);

// What is wrong with a component, if anything.
std::string refuse(const Component& component);

// The process at the start. An algorithm that always starts with all outside is played forward, so that
// it starts with those of Setting::inside inside: they enter one after another, nobody else moves, and
// all messages arrive. Nothing if they cannot all enter.
// REQUIRES: the component outlives the process, and is not refused.
std::unique_ptr<Process> start(const Component& component, NodeId self);

// At rest, somebody perhaps being inside: an algorithm that starts with all outside cannot tell, since to
// be inside is to hold something of it.
inline bool is_at_rest(const Component& component, const Process& process) {
  return !component.choice.entry->starts_inside || process.at_rest();
}

template <class Message, class Wrapper>
class Child : private Sink {
 public:
  enum class Answer : std::uint8_t { none, entered, exited };

  Child(Component component, NodeId self, Outbox<Message>& out)
      : component_(std::move(component)), process_(start(component_, self)), out_(out) {
    COTERIE_ASSERT(process_ != nullptr);
  }

  Answer enter(const Demand& demand) {
    process_->enter(demand, begin());
    return answer_;
  }
  Answer exit() {
    process_->exit(begin());
    return answer_;
  }
  Answer on(NodeId from, const Wrapper& message) {
    process_->on(from, message.inner,
                 begin());  // bytes that are no message of the child's are dropped
    return answer_;
  }
  // An alarm may have been set by another child.
  Answer alarm(const NodeSet& prefer) {
    if (!alarm_) return Answer::none;
    alarm_ = false;
    process_->alarm(prefer, begin());
    return answer_;
  }
  bool at_rest() const { return process_->at_rest(); }
  bool at_rest_occupied() const { return is_at_rest(component_, *process_); }

  std::string describe_message(const Wrapper& message) const {
    return std::string(Wrapper::kName) + ':' + process_->describe_message(message.inner);
  }

  void save(Writer& to) const {
    pack(to, alarm_);
    process_->save(to);
  }
  void load(Reader& from) {
    unpack(from, alarm_);
    process_->load(from);
  }
  void describe(std::string& to) const { process_->describe(to); }

 private:
  Sink& begin() {
    answer_ = Answer::none;
    return *this;
  }
  void send(NodeId to, std::string_view message, const Label& label) override {
    out_.send(to, Wrapper{Bytes(message), label});
  }
  void entered(Group /*group*/) override { answer(Answer::entered); }
  void exited() override { answer(Answer::exited); }
  void set_alarm() override {
    alarm_ = true;
    out_.set_alarm();
  }
  void answer(Answer answer) {
    COTERIE_ASSERT(answer_ == Answer::none);
    answer_ = answer;
    alarm_ = false;
  }

  Component component_;
  std::unique_ptr<Process> process_;
  Outbox<Message>& out_;
  Answer answer_ = Answer::none;  // to the present input
  bool alarm_ = false;
};

}  // namespace coterie::protocol
