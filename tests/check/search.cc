#include "check/search.h"

#include <deque>
#include <memory>
#include <set>

#include "base/assert.h"
#include "check/plan_options.h"
#include "coterie/spec.h"

namespace coterie::check {
namespace {

using spec::Place;

// A whole system as plain objects.
class World : private protocol::Sink {
 public:
  explicit World(const Config& config)
      : config_(config), n_(config.setting.processes), channels_(n_ * n_) {
    for (NodeId process = 0; process < n_; ++process) {
      people_.push_back({});
      people_.back().process = config.choice.make()(config.setting, process);
      if (config.setting.inside.universe() != 0 && config.setting.inside.contains(process)) {
        people_.back().place = Place::inside;
      }
    }
    for (const NodeId process : config.requesters) people_[process].left = config.requests;
  }

  std::string text() const {
    Writer to;
    for (const Someone& someone : people_) {
      pack(to, std::tie(someone.place, someone.group, someone.wanted, someone.left, someone.alarm));
      someone.process->save(to);
    }
    for (const auto& channel : channels_) {
      to.number(channel.size());
      for (const Bytes& bytes : channel) pack(to, bytes);
    }
    return to.take();
  }

  std::unique_ptr<World> copy() const {
    auto other = std::make_unique<World>(config_);
    other->channels_ = channels_;
    for (NodeId process = 0; process < n_; ++process) {
      Someone& to = other->people_[process];
      const Someone& from = people_[process];
      to.place = from.place;
      to.group = from.group;
      to.wanted = from.wanted;
      to.left = from.left;
      to.alarm = from.alarm;
      Writer writer;
      from.process->save(writer);
      Reader reader(writer.bytes());
      to.process->load(reader);
    }
    return other;
  }

  // Every world one step on.
  std::vector<std::unique_ptr<World>> next() const {
    std::vector<std::unique_ptr<World>> worlds;
    const auto step = [&](NodeId process, const auto& act) {
      worlds.push_back(copy());
      World& world = *worlds.back();
      world.current_ = process;
      act(world, world.people_[process]);
      world.settle();
    };
    for (NodeId process = 0; process < n_; ++process) {
      const Someone& someone = people_[process];
      if (someone.place == Place::outside && someone.left > 0) {
        for (const auto& groups : config_.demands[process]) {
          step(process, [&](World& world, Someone& who) {
            who.place = Place::entering;
            who.wanted = groups;
            --who.left;
            who.process->enter({groups, {}}, world);
          });
        }
      }
      const bool counts = config_.setting.inside.universe() != 0;
      if (someone.place == Place::inside && (!counts || someone.left > 0)) {
        step(process, [&](World& world, Someone& who) {
          who.place = Place::leaving;
          if (counts) --who.left;
          who.process->exit(world);
        });
      }
      if (someone.alarm) {
        step(process, [&](World& world, Someone& who) {
          who.alarm = false;
          who.process->alarm({}, world);
        });
      }
      for (NodeId from = 0; from < n_; ++from) {
        if (channels_[from * n_ + process].empty()) continue;
        step(process, [&](World& world, Someone& who) {
          auto& channel = world.channels_[from * n_ + process];
          const Bytes bytes = channel.front();
          channel.pop_front();
          COTERIE_ASSERT(who.process->on(from, bytes, world));
        });
      }
    }
    return worlds;
  }

 private:
  struct Someone {
    std::unique_ptr<protocol::Process> process;
    Place place = Place::outside;
    protocol::Group group = 0;
    protocol::Groups wanted;
    std::uint32_t left = 0;
    bool alarm = false;
  };

  void send(NodeId to, std::string_view message, const protocol::Label& /*label*/) override {
    channels_[current_ * n_ + to].emplace_back(message);
  }
  void entered(protocol::Group group) override {
    people_[current_].place = Place::inside;
    people_[current_].group = group;
    people_[current_].wanted = {};
    people_[current_].alarm = false;
  }
  void exited() override {
    people_[current_].place = Place::outside;
    people_[current_].group = 0;
    people_[current_].alarm = false;
  }
  void set_alarm() override { people_[current_].alarm = true; }
  // Messages to oneself, where they are part of the step.
  void settle() {
    auto& own = channels_[current_ * n_ + current_];
    while (config_.immediate_to_self && !own.empty()) {
      const Bytes bytes = own.front();
      own.pop_front();
      COTERIE_ASSERT(people_[current_].process->on(current_, bytes, *this));
    }
  }

  const Config& config_;
  std::size_t n_;
  std::vector<Someone> people_;
  std::vector<std::deque<Bytes>> channels_;
  NodeId current_ = 0;
};

}  // namespace

Config config_of(const std::string& text) {
  const auto plan = parse_plan(text);
  COTERIE_ASSERT(plan.has_value());
  std::vector<quorum::System> systems;
  for (const std::string& spec : plan->systems) systems.push_back(quorum::parse(spec).value());
  return make_config(*plan, std::move(systems)).value();
}

Outcome search(const std::string& text, const How& how) {
  const auto space = std::make_unique<Space>(config_of(text));
  Options options;
  options.threads = how.threads;
  options.reduce = how.reduce;
  options.properties = how.properties.empty() ? claimed(space->config().choice) : how.properties;
  return explore(*space, options);
}

Counts slow_search(const Config& config) {
  Counts counts;
  std::vector<std::unique_ptr<World>> level;
  level.push_back(std::make_unique<World>(config));
  std::set<std::string> seen{level.front()->text()};
  while (true) {
    std::vector<std::unique_ptr<World>> found;
    for (const auto& world : level) {
      for (auto& after : world->next()) {
        ++counts.transitions;
        if (seen.insert(after->text()).second) found.push_back(std::move(after));
      }
    }
    if (found.empty()) break;
    level = std::move(found);
    ++counts.depth;
  }
  counts.states = seen.size();
  return counts;
}

}  // namespace coterie::check
