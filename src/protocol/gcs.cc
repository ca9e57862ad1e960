#include "protocol/gcs.h"

#include "protocol/band.h"
#include "protocol/entries.h"
#include "protocol/printed/gcs.h"

namespace coterie::protocol {
namespace gcs {

Component lmin_of(const Setting& setting) {
  Component lmin = component(setting, 0, "mutin", 0);
  lmin.setting.max = static_cast<std::uint32_t>(setting.processes);
  return lmin;
}

Component kmex_of(const Setting& setting) {
  Component kmex = component(setting, 1, "complement[mutin]", 1);
  kmex.setting.min = 0;
  return kmex;
}

Gcs::Gcs(const Setting& setting, NodeId self, Outbox<Message>& out)
    : lmin_(lmin_of(setting), self, out), kmex_(kmex_of(setting), self, out), out_(out) {}

// Leaving: out when LMIN lets go, and only then room for another.
void Gcs::react(Lmin::Answer answer) {
  if (answer != Lmin::Answer::exited) return;
  out_.exited();
  const Kmex::Answer at_once = kmex_.exit();
  COTERIE_ASSERT(at_once == Kmex::Answer::exited);
}

// Entering: in when KMEX lets in, and only then counted on.
void Gcs::react(Kmex::Answer answer) {
  if (answer != Kmex::Answer::entered) return;
  out_.entered(0);
  const Lmin::Answer at_once = lmin_.enter({});
  COTERIE_ASSERT(at_once == Lmin::Answer::entered);
}

void Gcs::on(NodeId from, const Message& message) {
  if (const auto* of_lmin = std::get_if<OfLmin>(&message)) return react(lmin_.on(from, *of_lmin));
  react(kmex_.on(from, std::get<OfKmex>(message)));
}

void Gcs::alarm(const NodeSet& prefer) {
  react(lmin_.alarm(prefer));
  react(kmex_.alarm(prefer));
}

std::string Gcs::describe_message(const Message& message) const {
  if (const auto* of_lmin = std::get_if<OfLmin>(&message)) return lmin_.describe_message(*of_lmin);
  return kmex_.describe_message(std::get<OfKmex>(message));
}

namespace {

std::string refuse_setting(const Setting& setting) {
  if (std::string fault = refuse_band(setting, setting.min, setting.max); !fault.empty()) {
    return fault;
  }
  const Component lmin = lmin_of(setting);
  if (lmin.choice.problem() != Problem::floor) {
    return lmin.choice.text() + " is no l-mutual inclusion: the first part of gcs is one";
  }
  const Component kmex = kmex_of(setting);
  const Problem problem = kmex.choice.problem();
  if (problem != Problem::semaphore && !(problem == Problem::mutex && setting.max == 1)) {
    return kmex.choice.text() + " is no k-mutual exclusion for k = " + std::to_string(setting.max) +
           ": the second part of gcs is one";
  }
  const std::string fault = refuse(lmin);
  return fault.empty() ? refuse(kmex) : fault;
}

}  // namespace
}  // namespace gcs

Entry gcs_entry() {
  using namespace gcs;
  return {
      .name = "gcs",
      .problem = Problem::band,
      .title = "Kamei and Kakugawa 2019, (l,k)-GCS",
      .mutants = {{"kmex-first", "makes room for another before it is out",
                   make_process<printed::MakesRoomFirst>},
                  {"lmin-first", "is counted on before it is in",
                   make_process<printed::CountedOnFirst>}},
      .make = make_process<Gcs>,
      .starts_inside = true,
      .parts = 2,
      .refuse = refuse_setting,
  };
}

}  // namespace coterie::protocol
