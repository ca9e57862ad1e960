#include "check/story.h"

#include <array>

#include "base/dump.h"

namespace coterie::check {
namespace {

using protocol::Groups;
using spec::Place;

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
    if (names_peer(input.kind)) text += ' ' + std::to_string(input.peer);
    return text;
  }

  Scene take(const Event& event) {
    Scene scene;
    scene.event = event;
    scene.token = token(event);
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
    tell_sent(step, scene);
    if (event.is_link) {
      const std::uint32_t life = space_.local(state_[event.process]).trouble.incarnation;
      const std::uint32_t index = space_.index_of_up(state_[event.from], event.process, life);
      tell_sent(view_.on_input(state_[event.from], index), scene);
    }
    const std::vector<Id> before = state_;
    fingerprint_ = view_.apply(event, state_, fingerprint_);
    for (NodeId process = 0; process < space_.processes(); ++process)
      tell_change(space_.local(before[process]), space_.local(state_[process]), scene);
    return scene;
  }

  const std::vector<Id>& state() const { return state_; }

 private:
  static void tell_change(const Space::Local& before, const Space::Local& after, Scene& scene) {
    const auto is_inside = [](Place place) {
      return place == Place::inside || place == Place::leaving;
    };
    const auto& ghost_before = before.trouble.ghost;
    const auto& ghost = after.trouble.ghost;
    if (!is_inside(before.place) && is_inside(after.place)) scene.entered.push_back(after.process);
    if (is_inside(before.place) && !is_inside(after.place) && (ghost_before || !ghost))
      scene.exited.push_back(after.process);
    if (!ghost_before && ghost) scene.outlived.push_back(after.process);
    if (ghost_before && !ghost) scene.ended.push_back(after.process);
    scene.places.push_back(after.place);
    scene.groups.push_back(after.group);
    scene.outliving.push_back(ghost ? std::optional(ghost->group) : std::nullopt);
  }
  void tell_sent(const Space::Step& step, Scene& scene) const {
    for (const Space::Sent& sent : step.sent) {
      const Space::Ends& ends = space_.ends(space_.message(sent.message).channel);
      scene.sent.push_back({ends.from, ends.to, space_.describe(sent.message)});
    }
  }
  static std::string verb(Input::Kind kind) {
    static constexpr std::array kVerbs{"enter", "exit",  "alarm",   "cancel",      "suspect",
                                       "trust", "part",  "lapse",   "expire",      "expire-former",
                                       "up",    "crash", "restart", "ghost-lapse", "forget"};
    return kVerbs.at(static_cast<std::size_t>(kind));
  }
  static bool names_peer(Input::Kind kind) {
    return kind > Input::Kind::cancel && kind != Input::Kind::crash && kind != Input::Kind::restart;
  }
  bool names_groups() const {
    const auto problem = space_.config().choice.problem();
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
      case Input::Kind::cancel:
        text += " gives its request up";
        break;
      case Input::Kind::suspect:
        text += " suspects " + name_of(input.peer);
        break;
      case Input::Kind::trust:
        text += " trusts " + name_of(input.peer) + " again";
        break;
      case Input::Kind::part:
      case Input::Kind::lapse:
        text += "'s lease from " + name_of(input.peer) + " runs out: it stops believing";
        break;
      case Input::Kind::expire:
        text += " forgets " + name_of(input.peer) + ", whose lease has run out";
        break;
      case Input::Kind::expire_former:
        text += " forgets the former life of " + name_of(input.peer);
        break;
      case Input::Kind::up:
        text += " and " + name_of(input.peer) + " have a new link";
        break;
      case Input::Kind::crash:
        text += " crashes";
        break;
      case Input::Kind::restart:
        text += " restarts";
        break;
      case Input::Kind::ghost_lapse:
        text =
            spec::name_of_clients(event.process) + " lose their lease from " + name_of(input.peer);
        break;
      case Input::Kind::forget:
        text += " forgets that " + name_of(input.peer) + " may have told others of it";
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
