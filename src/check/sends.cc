#include "check/sends.h"

namespace coterie::check {
namespace {

struct Taken {
  Id from;
  Id next;
  std::optional<Id> message;
  std::uint64_t heard;    // the sender of the message, as a bit
  std::uint64_t sent_to;  // as bits
};

std::uint64_t bit(NodeId process) { return std::uint64_t{1} << process; }

}  // namespace

Sends::Sends(const Space& space) : steps_(space.step_count()), masks_(space.local_count(), 0) {
  std::vector<Taken> steps;
  std::vector<std::vector<std::size_t>> into(
      space.local_count());  // steps by the state that they lead to
  std::vector<std::vector<std::size_t>> taking(
      space.message_count());  // and by the message that they take
  space.for_each_step([&](Id local, std::optional<Id> message, const Space::Step& step) {
    Taken taken{local, step.next, message, 0, 0};
    if (message) {
      taken.heard = bit(space.ends(space.message(*message).channel).from);
      taking[*message].push_back(steps.size());
    }
    for (const Space::Sent& sent : step.sent)
      taken.sent_to |= bit(space.ends(space.message(sent.message).channel).to);
    into[step.next].push_back(steps.size());
    steps.push_back(taken);
  });

  std::vector<Id> changed;
  for (const Taken& step : steps) {
    masks_[step.from] |= step.sent_to & ~step.heard;
    changed.push_back(step.from);
  }
  while (!changed.empty()) {
    const Id local = changed.back();
    changed.pop_back();
    for (const std::size_t index : into[local]) {
      const Taken& step = steps[index];
      const std::uint64_t more = masks_[local] & ~step.heard & ~masks_[step.from];
      if (more == 0) continue;
      masks_[step.from] |= more;
      changed.push_back(step.from);
    }
  }

  // Contents come after what they are when their first message is taken.
  under_way_.resize(space.channel_count());
  for (Id content = 1; content < under_way_.size(); ++content) {
    const Space::Channel& channel = space.channel(content);
    const Space::Ends& ends = space.ends(space.message(channel.messages.front()).channel);
    const std::uint64_t sender = bit(ends.from);
    std::vector<bool>& senders = under_way_[content];
    senders.resize(space.local_count());
    const auto add = [&](Id local) {
      if (senders[local]) return;
      senders[local] = true;
      changed.push_back(local);
    };
    for (Id local = 0; local < space.local_count(); ++local) {
      if (space.local(local).process == ends.to && (masks_[local] & sender) != 0)
        senders[local] = true;
    }
    for (const std::size_t index : taking[channel.messages.front()]) {
      const Taken& step = steps[index];
      if ((step.sent_to & sender) != 0 || may_send(step.next, channel.without.front(), ends.from))
        add(step.from);
    }
    while (!changed.empty()) {
      const Id local = changed.back();
      changed.pop_back();
      for (const std::size_t index : into[local]) {
        if ((steps[index].heard & sender) == 0) add(steps[index].from);
      }
    }
  }
}

}  // namespace coterie::check
