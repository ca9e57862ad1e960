#include "check/story.h"

#include "base/dump.h"

namespace coterie::check {
namespace {

using protocol::Groups;
using spec::Place;

std::string name_of(NodeId process) { return "p" + std::to_string(process); }

// One state after another, with words for what happens.
class Teller {
 public:
  explicit Teller(Space& space)
      : space_(space),
        view_(space),
        state_(space.initial()),
        fingerprint_(space.fingerprint(state_)) {}

  std::vector<Event> events() const {
    std::vector<Event> events;
    space_.for_each_event(state_, [&](const Event& event) { events.push_back(event); });
    return events;
  }

  std::string token(const Event& event) const {
    if (event.is_delivery) {
      return std::to_string(event.process) + "<" + std::to_string(event.from) +
             (event.index == 0 ? "" : "#" + std::to_string(event.index));
    }
    const Input& input = input_of(event);
    std::string text = std::to_string(event.process) + ' ' + verb(input.kind);
    if (input.kind == Input::Kind::enter && names_groups())
      text += ' ' + dumped(input.demand.groups);
    if (input.demand.prefer.universe() != 0) text += ' ' + dumped(input.demand.prefer);
    return text;
  }

  Scene take(const Event& event) {
    Scene scene;
    scene.event = event;
    scene.token = token(event);
    const Space::Local& before = space_.local(state_[event.process]);
    if (event.is_delivery) {
      scene.received = space_.describe(head(event));
      scene.what =
          name_of(event.process) + " receives " + scene.received + " from " + name_of(event.from);
    } else {
      scene.what = in_words(event);
    }
    const Space::Step& step = event.is_delivery
                                  ? view_.on_message(state_[event.process], head(event))
                                  : view_.on_input(state_[event.process], event.index);
    for (const Space::Sent& sent : step.sent) {
      scene.sent.push_back(
          {space_.ends(space_.message(sent.message).channel).to, space_.describe(sent.message)});
    }
    const Space::Local& after = space_.local(step.next);
    const auto is_inside = [](Place place) {
      return place == Place::inside || place == Place::leaving;
    };
    scene.entered = !is_inside(before.place) && is_inside(after.place);
    scene.exited = is_inside(before.place) && !is_inside(after.place);
    fingerprint_ = view_.apply(event, state_, fingerprint_);
    for (NodeId process = 0; process < space_.processes(); ++process) {
      scene.places.push_back(space_.local(state_[process]).place);
      scene.groups.push_back(space_.local(state_[process]).group);
    }
    return scene;
  }

  const std::vector<Id>& state() const { return state_; }

 private:
  static std::string verb(Input::Kind kind) {
    switch (kind) {
      case Input::Kind::enter:
        return "enter";
      case Input::Kind::exit:
        return "exit";
      case Input::Kind::alarm:
        return "alarm";
    }
    return "";
  }
  bool names_groups() const {
    const auto problem = space_.config().choice.entry->problem;
    return problem == protocol::Problem::room || problem == protocol::Problem::rooms;
  }
  const Input& input_of(const Event& event) const {
    return space_.local(state_[event.process]).inputs[event.index];
  }
  Id head(const Event& event) const {
    return space_.channel(state_[space_.place_of(event.from, event.process)]).messages[event.index];
  }
  std::string in_words(const Event& event) const {
    const Input& input = input_of(event);
    std::string text = name_of(event.process);
    switch (input.kind) {
      case Input::Kind::enter:
        text += " asks to enter";
        if (names_groups()) text += " for " + dumped(input.demand.groups);
        break;
      case Input::Kind::exit:
        text += " asks to leave";
        break;
      case Input::Kind::alarm:
        text += "'s alarm goes off";
        break;
    }
    if (input.demand.prefer.universe() != 0) text += ", preferring " + dumped(input.demand.prefer);
    return text;
  }

  Space& space_;
  Space::View view_;
  std::vector<Id> state_;
  Fingerprint fingerprint_;
};

}  // namespace

std::vector<Scene> narrate(Space& space, const std::vector<Event>& trace) {
  Teller teller(space);
  std::vector<Scene> scenes;
  for (const Event& event : trace) scenes.push_back(teller.take(event));
  return scenes;
}

Result<std::vector<Event>> find_trace(Space& space, const std::vector<std::string>& tokens) {
  Teller teller(space);
  std::vector<Event> trace;
  for (const std::string& token : tokens) {
    std::string possible;
    bool is_found = false;
    for (const Event& event : teller.events()) {
      const std::string candidate = teller.token(event);
      possible += (possible.empty() ? "" : ", ") + candidate;
      if (candidate != token) continue;
      trace.push_back(event);
      is_found = true;
      break;
    }
    if (!is_found) {
      return Error{
          "step " + std::to_string(trace.size() + 1) + ", \"" + token +
          "\", is not possible there; possible are: " + (possible.empty() ? "none" : possible)};
    }
    teller.take(trace.back());
  }
  return trace;
}

std::string describe_state(Space& space, const std::vector<Event>& trace) {
  Teller teller(space);
  for (const Event& event : trace) teller.take(event);
  std::string text;
  for (NodeId process = 0; process < space.processes(); ++process) {
    text += name_of(process) + " " + space.describe_local(teller.state()[process]) + "\n";
  }
  return text;
}

}  // namespace coterie::check
