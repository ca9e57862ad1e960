// What one input makes a process do: its outputs are caught here.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "check/space.h"

namespace coterie::check {

class Space::Catcher : public protocol::Sink {
 public:
  explicit Catcher(Local& local) : local_(local) {}
  void send(NodeId to, std::string_view message, const protocol::Label& /*label*/) override {
    sent.emplace_back(to, message);
  }
  void entered(protocol::Group group) override {
    COTERIE_ASSERT(local_.place == spec::Place::entering);
    COTERIE_ASSERT(local_.wanted.accepts(group));
    local_.place = spec::Place::inside;
    local_.group = group;
    local_.wanted = {};
    local_.alarm = false;
  }
  void exited() override {
    COTERIE_ASSERT(local_.place == spec::Place::leaving);
    local_.place = spec::Place::outside;
    local_.group = 0;
    local_.alarm = false;
  }
  void set_alarm() override { local_.alarm = true; }
  void lost() override {
    COTERIE_ASSERT(local_.place == spec::Place::inside || local_.place == spec::Place::leaving);
    local_.place = spec::Place::outside;
    local_.group = 0;
    local_.alarm = false;
  }

  std::vector<std::pair<NodeId, Bytes>> sent;

 private:
  Local& local_;
};

}  // namespace coterie::check
