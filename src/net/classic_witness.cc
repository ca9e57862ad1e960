#include "net/classic_witness.h"

#include <algorithm>
#include <utility>

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;
using protocol::Problem;
using spec::Place;
using spec::Rule;

namespace {

constexpr auto kStandstill = std::chrono::seconds(10);  // without any step: then all stands still
constexpr auto kLastWords = std::chrono::seconds(1);    // for the counts of processes that may hang
constexpr auto kCountAgain = std::chrono::milliseconds(1);

std::string process_text(NodeId process) { return "process " + std::to_string(process); }

wire::Message cue_of(void (wire::Cue::*set)(bool)) {
  wire::Message message;
  (message.mutable_cue()->*set)(true);
  return message;
}

}  // namespace

ClassicWitness::ClassicWitness(asio::io_context& io, const ClassicPlan& plan)
    : plan_(plan), door_(io, plan.secret), again_(io), watch_(io), seen_(plan.setting.processes) {
  const Problem problem = plan.choice.problem();
  const protocol::Setting& setting = plan.setting;
  if (plan.starts_inside()) {
    at_least_ = Rule::at_least(setting.min);
    if (problem == Problem::band) at_most_ = Rule::at_most(setting.max);
  } else {
    at_most_ = Rule::of(problem, setting.min, setting.max);
  }
  for (NodeId process = 0; process < seen_.size(); ++process) {
    if (!plan.starts_inside()) continue;
    seen_[process].is_out_of_place = !setting.inside.contains(process);
    if (!seen_[process].is_out_of_place) seen_[process].place = Place::inside;
  }
}

ClassicWitness::~ClassicWitness() = default;

void ClassicWitness::start(std::function<void()> done) {
  done_ = std::move(done);
  door_.open(
      {.admits =
           [this](const wire::ClassicHello& hello, std::shared_ptr<Channel> channel) {
             return admits(hello, std::move(channel));
           },
       .on_message = [this](NodeId process,
                            const wire::Message& said) { on_testimony(process, said.testimony()); },
       .on_gone = [this](NodeId process, const std::string& why) { on_gone(process, why); }});
  watch();
}

bool ClassicWitness::admits(const wire::ClassicHello& hello, std::shared_ptr<Channel> channel) {
  const NodeId process = hello.process();
  if (process >= seen_.size() || seen_[process].channel) return false;
  seen_[process].channel = std::move(channel);
  seen_[process].port = static_cast<std::uint16_t>(hello.port());
  if (std::any_of(seen_.begin(), seen_.end(), [](const Seen& seen) { return !seen.channel; }))
    return true;
  wire::Message ports;
  for (const Seen& seen : seen_) ports.mutable_cue()->mutable_ports()->add_of(seen.port);
  tell_all(ports);
  return true;
}

void ClassicWitness::tell_all(const wire::Message& message) const {
  for (const Seen& seen : seen_) {
    if (seen.channel) seen.channel->send(message);
  }
}

void ClassicWitness::on_testimony(NodeId process, const wire::Testimony& testimony) {
  switch (testimony.what_case()) {
    case wire::Testimony::kReady:
      return on_ready(process);
    case wire::Testimony::kMoved:
      return on_moved(process, testimony.moved());
    case wire::Testimony::kCounts:
      return on_counts(process, testimony.counts());
    case wire::Testimony::kTrouble:
      return fail(process_text(process) + " " + testimony.trouble());
    case wire::Testimony::WHAT_NOT_SET:
      return fail(process_text(process) + " said what is no testimony");
  }
}

void ClassicWitness::on_ready(NodeId process) {
  if (std::exchange(seen_[process].is_ready, true)) return;
  if (++ready_ < seen_.size()) return;
  began_ = std::chrono::steady_clock::now();
  tell_all(cue_of(&wire::Cue::set_begin));
}

// ---- what is seen

void ClassicWitness::on_moved(NodeId process, const wire::Testimony::Moved& moved) {
  Seen& seen = seen_[process];
  if (!take(seen, moved)) return fail(process_text(process) + " took a step that cannot be");
  ++steps_;
  judge();
  const bool ends_request =
      moved.step() == (plan_.starts_inside() ? wire::Testimony::ENTERED : wire::Testimony::LEFT);
  if (ends_request && !std::exchange(seen.is_out_of_place, false)) {
    ++report_.entries;
    ++seen.served;
  }
  report_.time = std::chrono::steady_clock::now() - began_;
  seen.channel->send(cue_of(&wire::Cue::set_seen));
  if (is_settled()) count();
}

// Nobody will do anything more by itself, and who waits does so rightly: of a band, to enter when the most are
// inside, or to leave when the least are.
bool ClassicWitness::is_settled() const {
  std::vector<spec::Person> people(seen_.size());
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    people[i] = {.place = seen.place,
                 .group = seen.groups.empty() ? 0 : seen.groups.front(),
                 .accepts = {seen.groups.data(), seen.groups.size()}};
    const bool is_finished = i >= plan_.requesters || seen.served == plan_.requests;
    if (!is_finished && !people[i].is_waiting()) return false;
  }
  const protocol::Setting& setting = plan_.setting;
  return !Rule::of(plan_.choice.problem(), setting.min, setting.max).unserved(people);
}

// False if the process was not where it must have been.
bool ClassicWitness::take(Seen& seen, const wire::Testimony::Moved& moved) {
  const auto go = [&](Place from, Place to) { return std::exchange(seen.place, to) == from; };
  switch (moved.step()) {
    case wire::Testimony::ASKS:
      seen.groups = {};
      for (const std::uint32_t group : moved.groups()) seen.groups.insert(group);
      return go(Place::outside, Place::entering);
    case wire::Testimony::ENTERED: {
      if (moved.groups_size() != 1) return false;
      const protocol::Group group = moved.groups(0);
      // Those who heed no groups answer with any.
      const Problem problem = plan_.choice.problem();
      const bool heeds = problem == Problem::room || problem == Problem::rooms;
      const bool is_asked_for = !heeds || seen.groups.accepts(group);
      seen.groups = {group};
      return is_asked_for && go(Place::entering, Place::inside);
    }
    case wire::Testimony::LEAVES:
      return go(Place::inside, Place::leaving);
    case wire::Testimony::LEFT:
      return go(Place::leaving, Place::outside);
    default:
      return false;
  }
}

void ClassicWitness::judge() {
  std::vector<spec::Person> surely_inside(seen_.size());
  std::vector<spec::Person> maybe_inside(seen_.size());
  std::size_t inside = 0;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const protocol::Group group = seen_[i].groups.empty() ? 0 : seen_[i].groups.front();
    const Place place = seen_[i].place;
    if (place == Place::inside) surely_inside[i] = {.place = place, .group = group, .accepts = {}};
    if (place != Place::outside) {
      maybe_inside[i] = {.place = Place::inside, .group = group, .accepts = {}};
    }
    if (place == Place::inside) ++inside;
  }
  report_.most_inside = std::max(report_.most_inside, inside);
  spec::Fault fault = at_most_ ? at_most_->broken(surely_inside) : spec::Fault();
  if (!fault && at_least_) fault = at_least_->broken(maybe_inside);
  if (fault) fail(*fault);
}

// ---- the end

// Counts all, and again until nothing is on its way: as much was received as sent, twice in a row.
void ClassicWitness::count() {
  if (std::exchange(is_counting_, true)) return;
  for (Seen& seen : seen_) seen.counts.reset();
  tell_all(cue_of(&wire::Cue::set_count));
}

void ClassicWitness::on_counts(NodeId process, const wire::Testimony::Counts& counts) {
  seen_[process].counts = counts;
  if (!std::all_of(seen_.begin(), seen_.end(), [](const Seen& seen) { return seen.counts; }))
    return;
  is_counting_ = false;
  add_counts();
  const bool is_quiet =
      report_.sent == report_.received && std::exchange(sent_before_, report_.sent) == report_.sent;
  if (is_stopping_ || (is_quiet && is_settled())) {
    report_.is_complete = !report_.fault && is_quiet && is_settled();
    return finish();
  }
  if (!is_settled()) return;  // somebody has moved meanwhile
  again_.expires_after(kCountAgain);
  again_.async_wait([this](error_code error) {
    if (!error) count();
  });
}

void ClassicWitness::add_counts() {
  report_.types.clear();
  report_.sent = report_.received = report_.to_oneself = 0;
  for (const Seen& seen : seen_) {
    if (!seen.counts) continue;
    report_.received += seen.counts->received();
    report_.to_oneself += seen.counts->to_itself();
    for (const auto& type : seen.counts->types()) {
      ClassicReport::Type& known = report_.types[type.number()];
      known.name = type.name();
      known.sent += type.sent();
      report_.sent += type.sent();
    }
  }
}

void ClassicWitness::on_gone(NodeId process, const std::string& reason) {
  seen_[process].channel.reset();
  fail(process_text(process) + " is gone (" + reason + "), and the algorithm tolerates no faults");
}

// Only the first: what follows may come of it.
void ClassicWitness::fail(const std::string& fault) {
  if (report_.fault || !done_) return;
  report_.fault = fault;
  stop();
}

void ClassicWitness::stop() {
  if (std::exchange(is_stopping_, true)) return;
  again_.cancel();
  count();
  watch_.expires_after(kLastWords);
  watch_.async_wait([this](error_code error) {
    if (error) return;
    add_counts();
    finish();
  });
}

void ClassicWitness::finish() {
  watch_.cancel();
  door_.close();
  tell_all(cue_of(&wire::Cue::set_end));
  for (Seen& seen : seen_) {
    if (seen.channel) seen.channel->close();
  }
  if (const auto done = std::exchange(done_, {})) done();
}

void ClassicWitness::watch() {
  const auto patience = kStandstill + 4 * (plan_.inside + plan_.apart);
  watch_.expires_after(patience);
  watch_.async_wait([this](error_code error) {
    if (error || is_stopping_) return;
    if (std::exchange(steps_then_, steps_) == steps_)
      return fail("nobody took a step for long: " + std::to_string(wanted() - report_.entries) +
                  " requests are not served");
    watch();
  });
}

}  // namespace coterie::net
