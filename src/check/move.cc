// What an event makes of a state.
//
// A message to one that is dead, or on a link that is down for the one that it goes to, is lost as it is sent. It
// could as well lie in its channel until it were delivered, to no effect. But then a state would occur as often as there
// are ways of taking such messages out; and from each of these one comes to the state without them.
#include "check/space.h"

namespace coterie::check {

// One step of the whole, as it comes about.
class Space::View::Making {
 public:
  Making(View& view, std::span<const Id> state, Fingerprint fingerprint,
         std::vector<Change>& changes)
      : view_(view),
        space_(*view.space_),
        state_(state),
        fingerprint_(fingerprint),
        changes_(changes),
        first_(changes.size()) {}

  void take_message(NodeId from, NodeId process, std::uint32_t index) {
    const auto place = static_cast<std::uint32_t>(space_.place_of(from, process));
    Id message = 0;
    if (index == 0) {
      const ChannelBrief& channel = space_.channel_briefs_[state_[place]];
      message = channel.head;
      set_channel(place, channel.rest);
    } else {
      const Channel& channel = space_.contents_[state_[place]];
      message = channel.messages[index];
      set_channel(place, channel.without[index]);
    }
    const Step& step = view_.on_message(state_[process], message);
    become(process, step.next);
    send(process, step);
  }
  void take_input(NodeId process, std::uint32_t index) {
    const Step& step = view_.on_input(state_[process], index);
    become(process, step.next);
    send(process, step);
  }
  // Both ends are on the new link before either says anything.
  void link(NodeId one, NodeId other) {
    const Step& of_one = up(one, other);
    const Step& of_other = up(other, one);
    become(one, of_one.next);
    become(other, of_other.next);
    send(one, of_one);
    send(other, of_other);
  }
  Move done() const {
    return {fingerprint_, static_cast<std::uint32_t>(first_),
            static_cast<std::uint32_t>(changes_.size())};
  }

 private:
  Change* find(std::size_t place) {
    for (std::size_t i = first_; i < changes_.size(); ++i) {
      if (changes_[i].place == place) return &changes_[i];
    }
    return nullptr;
  }
  Id now(std::size_t place) {
    const Change* const change = find(place);
    return change == nullptr ? state_[place] : change->becomes;
  }
  void set_channel(std::uint32_t place, Id becomes) {
    fingerprint_ += space_.channel_briefs_[becomes].hash - space_.channel_briefs_[now(place)].hash;
    if (Change* const change = find(place)) {
      change->becomes = becomes;
    } else {
      changes_.push_back({place, becomes});
    }
  }
  const Step& up(NodeId process, NodeId peer) {
    const std::uint32_t incarnation = space_.local(state_[peer]).trouble.incarnation;
    return view_.on_input(state_[process], space_.index_of_up(state_[process], peer, incarnation));
  }
  void become(NodeId process, Id next) {
    const LocalBrief& before = space_.local_briefs_[state_[process]];
    const LocalBrief& after = space_.local_briefs_[next];
    fingerprint_ += after.hash - before.hash;
    changes_.push_back({process, next});
    if (after.unheard == before.unheard) return;
    for (const std::uint32_t channel : space_.incoming_[process]) {
      if (!after.unheard.contains(space_.channels_[channel].from)) continue;
      const auto place = static_cast<std::uint32_t>(space_.processes_ + channel);
      if (state_[place] != kEmpty) set_channel(place, kEmpty);
    }
  }
  void send(NodeId process, const Step& step) {
    for (const Sent& sent : step.sent) {
      const NodeId to = space_.channels_[sent.place - space_.processes_].to;
      if (space_.has_faults_ && space_.local_briefs_[now(to)].unheard.contains(process)) continue;
      set_channel(sent.place, view_.push(now(sent.place), sent.message));
    }
  }

  View& view_;
  const Space& space_;
  std::span<const Id> state_;
  Fingerprint fingerprint_;
  std::vector<Change>& changes_;
  std::size_t first_;
};

Space::Move Space::View::move(const Event& event, std::span<const Id> state,
                              Fingerprint fingerprint, std::vector<Change>& changes) {
  Making making(*this, state, fingerprint, changes);
  if (event.is_delivery) {
    making.take_message(event.from, event.process, event.index);
  } else if (event.is_link) {
    making.link(event.process, event.from);
  } else {
    making.take_input(event.process, event.index);
  }
  return making.done();
}

Fingerprint Space::View::apply(const Event& event, std::span<Id> state, Fingerprint fingerprint) {
  std::vector<Change> changes;
  const Move taken = move(event, state, fingerprint, changes);
  for (const Change& change : changes) state[change.place] = change.becomes;
  return taken.fingerprint;
}

}  // namespace coterie::check
