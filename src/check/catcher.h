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
    History& history = local_.history;
    if (history.is_missing && local_.trouble.incarnation > 0) history.has_fallen = true;
    history.is_missing = false;
    if (history.token != 0) note_token(group);
  }
  void exited() override {
    COTERIE_ASSERT(local_.place == spec::Place::leaving);
    leave();
  }
  void set_alarm() override { local_.alarm = true; }
  void lost() override {
    COTERIE_ASSERT(local_.place == spec::Place::inside || local_.place == spec::Place::leaving);
    leave();
    local_.history.has_lost = true;
    local_.history.is_missing = true;
  }
  void fenced(Token token) override { local_.history.token = token; }

  std::vector<std::pair<NodeId, Bytes>> sent;

 private:
  void leave() {
    local_.place = spec::Place::outside;
    local_.group = 0;
    local_.alarm = false;
    local_.history.token = 0;
  }
  void note_token(protocol::Group group) {
    History& history = local_.history;
    Token& highest = history.tokens[group];
    history.has_repeated = history.token <= highest;
    highest = std::max(highest, history.token);
  }

  Local& local_;
};

}  // namespace coterie::check
