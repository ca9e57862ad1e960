#include "protocol/network.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "coterie/spec.h"

namespace coterie::protocol {
namespace {

std::string name(NodeId process) { return "p" + std::to_string(process); }

void require(bool condition, const std::string& otherwise) {
  if (!condition) throw std::logic_error(otherwise);
}

}  // namespace

Setting among(std::size_t processes, std::uint32_t max, std::uint32_t min) {
  Setting setting;
  setting.processes = processes;
  setting.min = min;
  setting.max = max;
  setting.inside = setting.none();
  return setting;
}

Setting over(std::string_view spec, std::uint32_t max, std::uint32_t min) {
  const quorum::System system = quorum::parse(spec).value();
  Setting setting = among(system.n(), max, min);
  setting.systems = {system};
  return setting;
}

class Network::Outputs final : public Sink {
 public:
  Outputs(Network& network, NodeId self) : network_(network), self_(self) {}

  void send(NodeId to, std::string_view message, const Label& /*label*/) override {
    network_.sent_.push_back({self_, to, network_.processes_[self_]->describe_message(message)});
    network_.flying_.push_back({self_, to, Bytes(message)});
  }
  void entered(Group group) override {
    member().inside = true;
    member().waiting = false;
    member().group = group;
    network_.transcript_.push_back(name(self_) + " enters " + Groups::name_of(group));
  }
  void exited() override {
    member().inside = false;
    member().waiting = false;
    network_.transcript_.push_back(name(self_) + " leaves");
  }
  void set_alarm() override { member().alarm = true; }

 private:
  Member& member() { return network_.members_[self_]; }

  Network& network_;
  NodeId self_;
};

Network::Network(std::string_view protocol, Setting setting, ToSelf to_self)
    : setting_(std::move(setting)), to_self_(to_self), members_(setting_.processes) {
  const Result<Choice> choice = parse_choice(protocol);
  if (!choice) throw std::invalid_argument(choice.error().message);
  choice_ = *choice;
  setting_.version = choice_.version;
  if (choice_.entry->refuse != nullptr) {
    const std::string fault = choice_.entry->refuse(setting_);
    if (!fault.empty()) throw std::invalid_argument(fault);
  }
  for (NodeId process = 0; process < setting_.processes; ++process) {
    processes_.push_back(choice_.make()(setting_, process));
    members_[process].inside = setting_.inside.contains(process);
  }
}

std::unique_ptr<Sink> Network::begin(NodeId process, std::string line) {
  transcript_.push_back(std::move(line));
  return std::make_unique<Outputs>(*this, process);
}

void Network::end(NodeId process) {
  const auto to_self = [&](const Flying& one) { return one.from == process && one.to == process; };
  if (to_self_ == ToSelf::immediate && std::ranges::any_of(flying_, to_self)) {
    deliver(process, process);
  }
}

void Network::enter(NodeId process, Groups groups, NodeSet prefer) {
  Member& member = members_[process];
  require(!member.inside && !member.waiting, name(process) + " cannot ask to enter now");
  member.waiting = true;
  const auto sink = begin(process, name(process) + " asks for " + dumped(groups));
  processes_[process]->enter({std::move(groups), std::move(prefer)}, *sink);
  end(process);
}

void Network::exit(NodeId process) {
  Member& member = members_[process];
  require(member.inside && !member.waiting, name(process) + " cannot ask to leave now");
  member.waiting = true;
  const auto sink = begin(process, name(process) + " asks to leave");
  processes_[process]->exit(*sink);
  end(process);
}

void Network::alarm(NodeId process, const NodeSet& prefer) {
  require(members_[process].alarm, name(process) + " has no alarm set");
  members_[process].alarm = false;
  const auto sink = begin(process, name(process) + " alarm");
  processes_[process]->alarm(prefer, *sink);
  end(process);
}

void Network::deliver(NodeId from, NodeId to) {
  const auto place = std::ranges::find_if(
      flying_, [&](const Flying& one) { return one.from == from && one.to == to; });
  require(place != flying_.end(), "nothing is on its way from " + name(from) + " to " + name(to));
  const Bytes message = std::move(place->message);
  flying_.erase(place);
  const auto sink =
      begin(to, name(from) + " -> " + name(to) + " " + processes_[to]->describe_message(message));
  require(processes_[to]->on(from, message, *sink), "a message was not understood");
  end(to);
}

void Network::run() {
  while (true) {
    const auto next = std::ranges::find_if(flying_, [&](const Flying& one) {
      return !held_.contains({one.from, one.to});
    });
    if (next == flying_.end()) return;
    deliver(next->from, next->to);
  }
}

std::string Network::walk(const Walk& walk) {
  Random random(walk.seed);
  for (Member& member : members_) member.operations = 2 * walk.requests;
  for (std::size_t step = 0; step < walk.max_steps; ++step) {
    const auto choices = possible(walk, random);
    if (choices.empty()) break;
    choices[random.below(choices.size())]();
    if (const std::string wrong = fault(walk); !wrong.empty()) {
      return wrong + " (seed " + std::to_string(walk.seed) + ")\n" + text();
    }
  }
  const char* wrong = !is_quiet()          ? "it does not come to an end"
                      : !waiting().empty() ? "somebody waits in the end"
                      : !is_at_rest()      ? "somebody is not at rest in the end"
                                           : nullptr;
  if (wrong == nullptr) return "";
  return std::string(wrong) + " (seed " + std::to_string(walk.seed) + ")\n" + text();
}

std::vector<std::function<void()>> Network::possible(const Walk& walk, Random& random) {
  std::set<std::pair<NodeId, NodeId>> channels;
  for (const Flying& one : flying_) channels.insert({one.from, one.to});
  std::vector<std::function<void()>> choices;
  choices.reserve(channels.size());
  for (const auto& [from, to] : channels) {
    choices.emplace_back([this, from = from, to = to] { deliver(from, to); });
  }
  for (NodeId process = 0; process < members_.size(); ++process) {
    Member& member = members_[process];
    if (member.alarm) {
      NodeSet prefer = setting_.none();
      for (NodeId one = 0; one < members_.size(); ++one) {
        if (random.chance(0.5)) prefer.insert(one);
      }
      choices.emplace_back([this, process, prefer] { alarm(process, prefer); });
    }
    if (member.waiting || member.operations == 0) continue;
    const Groups groups = walk.groups[random.below(walk.groups.size())];
    choices.emplace_back([this, process, &member, groups] {
      --member.operations;
      member.inside ? exit(process) : enter(process, groups);
    });
  }
  return choices;
}

std::string Network::fault(const Walk& walk) {
  if (!walk.is_right(*this)) return "what should always be so is not";
  for (NodeId process = 0; process < setting_.processes; ++process) {
    Writer before;
    processes_[process]->save(before);
    Reader reader(before.bytes());
    const auto copy = choice_.make()(setting_, process);
    copy->load(reader);
    Writer after;
    copy->save(after);
    if (!reader.good() || !reader.at_end() || before.bytes() != after.bytes()) {
      return "a state does not survive saving and loading";
    }
  }
  return "";
}

NodeSet Network::inside() const {
  NodeSet set = setting_.none();
  for (NodeId process = 0; process < members_.size(); ++process) {
    if (members_[process].inside) set.insert(process);
  }
  return set;
}

NodeSet Network::waiting() const {
  NodeSet set = setting_.none();
  for (NodeId process = 0; process < members_.size(); ++process) {
    if (members_[process].waiting) set.insert(process);
  }
  return set;
}

std::size_t Network::groups_inside() const {
  std::set<Group> groups;
  for (const NodeId process : inside()) groups.insert(group(process));
  return groups.size();
}

bool Network::is_at_rest() const {
  return std::ranges::all_of(processes_, [](const auto& process) { return process->at_rest(); });
}

std::size_t Network::sent(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(sent_, [&](const Sent& one) {
    return one.text.starts_with(name) &&
           (one.text.size() == name.size() || one.text[name.size()] == '(');
  }));
}

std::size_t Network::sent_to_others() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sent_, [](const Sent& one) { return one.from != one.to; }));
}

std::string Network::text() const {
  return std::accumulate(
      transcript_.begin(), transcript_.end(), std::string(),
      [](std::string text, const std::string& line) { return std::move(text) + line + '\n'; });
}

void Network::forget() {
  sent_.clear();
  transcript_.clear();
}

}  // namespace coterie::protocol
