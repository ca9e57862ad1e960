#include "protocol/child.h"

#include <deque>
#include <vector>

namespace coterie::protocol {
namespace {

// A system without disturbance: what is sent arrives, in the order in which it was sent.
class Rehearsal {
 public:
  explicit Rehearsal(const Component& component) {
    for (NodeId self = 0; self < component.setting.processes; ++self) {
      processes_.push_back(component.choice.make()(component.setting, self));
    }
  }

  // Answers whether it got inside.
  bool enter(NodeId process) {
    Outputs outputs(*this, process);
    processes_[process]->enter({}, outputs);
    deliver_all();
    // An alarm asks another quorum; there are only so many.
    for (std::size_t left = kMaxAlarms; left > 0 && alarm_ == process; --left) {
      alarm_.reset();
      processes_[process]->alarm({}, outputs);
      deliver_all();
    }
    return inside_ == process;
  }
  std::unique_ptr<Process> take(NodeId process) { return std::move(processes_[process]); }

 private:
  static constexpr std::size_t kMaxAlarms = 1000;

  struct Flying {
    NodeId from, to;
    Bytes message;
  };
  class Outputs final : public Sink {
   public:
    Outputs(Rehearsal& all, NodeId self) : all_(all), self_(self) {}
    void send(NodeId to, std::string_view message, const Label& /*label*/) override {
      all_.flying_.push_back({self_, to, Bytes(message)});
    }
    void entered(Group /*group*/) override {
      all_.inside_ = self_;
      all_.alarm_.reset();
    }
    void exited() override {}
    void set_alarm() override { all_.alarm_ = self_; }

   private:
    Rehearsal& all_;
    NodeId self_;
  };

  void deliver_all() {
    while (!flying_.empty()) {
      const Flying next = std::move(flying_.front());
      flying_.pop_front();
      Outputs outputs(*this, next.to);
      const bool understood = processes_[next.to]->on(next.from, next.message, outputs);
      COTERIE_ASSERT(understood);
    }
  }

  std::vector<std::unique_ptr<Process>> processes_;
  std::deque<Flying> flying_;
  std::optional<NodeId> inside_;  // who entered last
  std::optional<NodeId> alarm_;
};

std::unique_ptr<Process> rehearse(const Component& component, NodeId self) {
  Rehearsal rehearsal(component);
  for (const NodeId process : component.setting.inside) {
    if (!rehearsal.enter(process)) return nullptr;
  }
  return rehearsal.take(self);
}

}  // namespace

Component component(const Setting& setting, std::size_t index, std::string_view otherwise,
                    std::size_t system) {
  const std::vector<std::string>& parts = setting.version.parts;
  Component component{parse_choice(index < parts.size() ? parts[index] : otherwise).value(),
                      setting};
  component.setting.version = component.choice.version;
  if (setting.systems.size() > 1) {
    component.setting.systems = {setting.systems[system]};
    if (system != 0) component.setting.homes.clear();  // they are the first system's
  }
  return component;
}

std::string refuse(const Component& component) {
  const Entry& entry = *component.choice.entry;
  const std::string fault = entry.refuse == nullptr ? "" : entry.refuse(component.setting);
  if (!fault.empty()) return component.choice.text() + ": " + fault;
  if (start(component, 0) != nullptr) return "";
  return component.choice.text() + ": those inside at the start cannot all be inside";
}

std::unique_ptr<Process> start(const Component& component, NodeId self) {
  const bool all_outside = component.setting.inside.empty();
  if (component.choice.entry->starts_inside || all_outside) {
    return component.choice.make()(component.setting, self);
  }
  return rehearse(component, self);
}

}  // namespace coterie::protocol
