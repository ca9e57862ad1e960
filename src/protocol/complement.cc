#include "protocol/complement.h"

#include "protocol/band.h"
#include "protocol/entries.h"

namespace coterie::protocol {
namespace complement {
namespace {

class Swapped final : public Sink {
 public:
  explicit Swapped(Sink& sink) : sink_(sink) {}
  void send(NodeId to, std::string_view message, const Label& label) override {
    sink_.send(to, message, label);
  }
  void entered(Group /*group*/) override { sink_.exited(); }
  void exited() override { sink_.entered(0); }
  void set_alarm() override { sink_.set_alarm(); }

 private:
  Sink& sink_;
};

std::uint32_t others(const Setting& setting, std::uint32_t count) {
  const auto n = static_cast<std::uint32_t>(setting.processes);
  return n - std::min(n, count);
}

}  // namespace

Component inner_of(const Setting& setting) {
  Component inner = component(setting, 0, "mutin");
  inner.setting.min = others(setting, setting.max);
  inner.setting.max = others(setting, setting.min);
  inner.setting.inside = setting.everyone();
  for (const NodeId process : setting.inside) inner.setting.inside.erase(process);
  return inner;
}

Complement::Complement(const Setting& setting, NodeId self)
    : component_(inner_of(setting)), inner_(start(component_, self)) {
  COTERIE_ASSERT(inner_ != nullptr);
}

void Complement::enter(const Demand& /*demand*/, Sink& sink) {
  Swapped swapped(sink);
  inner_->exit(swapped);
}

void Complement::exit(Sink& sink) {
  Swapped swapped(sink);
  inner_->enter({}, swapped);
}

bool Complement::on(NodeId from, std::string_view message, Sink& sink) {
  Swapped swapped(sink);
  return inner_->on(from, message, swapped);
}

void Complement::alarm(const NodeSet& prefer, Sink& sink) {
  Swapped swapped(sink);
  inner_->alarm(prefer, swapped);
}

namespace {

Problem problem_of(const Version& version) {
  Setting setting;
  setting.version = version;
  switch (const Problem inner = component(setting, 0, "mutin").choice.problem(); inner) {
    case Problem::floor:
      return Problem::semaphore;
    case Problem::mutex:
    case Problem::semaphore:
      return Problem::floor;
    case Problem::room:
    case Problem::rooms:
    case Problem::band:
      break;
  }
  return Problem::band;
}

std::string refuse_setting(const Setting& setting) {
  const Component inner = inner_of(setting);
  const Problem problem = inner.choice.problem();
  if (problem == Problem::room || problem == Problem::rooms) {
    return inner.choice.text() +
           " is about groups: a complement is of a floor, a semaphore or a band";
  }
  const bool has_floor = problem_of(setting.version) != Problem::semaphore;
  const bool has_ceiling = problem_of(setting.version) != Problem::floor;
  std::string fault = refuse_band(setting, has_floor ? setting.min : 0,
                                  has_ceiling ? setting.max : setting.processes);
  if (!fault.empty()) return fault;
  if (problem == Problem::mutex && inner.setting.max != 1) {
    return "the complement of a mutual exclusion keeps n-1 inside: l must be " +
           std::to_string(setting.processes - 1);
  }
  return refuse(inner);
}

}  // namespace
}  // namespace complement

Entry complement_entry() {
  using namespace complement;
  return {
      .name = "complement",
      .problem = Problem::semaphore,
      .title = "Kakugawa 2015, the complement theorem",
      .make = [](const Setting& setting, NodeId self) -> std::unique_ptr<Process> {
        return std::make_unique<Complement>(setting, self);
      },
      .starts_inside = true,
      .parts = 1,
      .problem_of = problem_of,
      .refuse = refuse_setting,
  };
}

}  // namespace coterie::protocol
