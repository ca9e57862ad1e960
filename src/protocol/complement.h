// The complement of an algorithm: inside and outside swapped, and so entering and leaving.
//
// Kakugawa, "On the family of critical section problems", IPL 115, 2015, as theorem 1 of the (l,k)-GCS
// paper: what keeps at least l and at most k of n inside becomes what keeps at least n-k and at most n-l
// inside. So k-mutual exclusion comes from a floor, MUTIN(n-k), and a floor from any k-mutual exclusion.
// The messages are those of the algorithm inside, as they are.
#pragma once

#include "protocol/child.h"

namespace coterie::protocol::complement {

// What the complement is made of: by default MUTIN.
Component inner_of(const Setting& setting);

class Complement final : public Process {
 public:
  Complement(const Setting& setting, NodeId self);

  void enter(const Demand& demand, Sink& sink) override;
  void exit(Sink& sink) override;
  bool on(NodeId from, std::string_view message, Sink& sink) override;
  void alarm(const NodeSet& prefer, Sink& sink) override;
  bool at_rest() const override { return is_at_rest(component_, *inner_); }
  void save(Writer& to) const override { inner_->save(to); }
  void load(Reader& from) override { inner_->load(from); }
  void describe(std::string& to) const override { inner_->describe(to); }
  std::string describe_message(std::string_view message) const override {
    return inner_->describe_message(message);
  }

 private:
  Component component_;
  std::unique_ptr<Process> inner_;
};

}  // namespace coterie::protocol::complement
