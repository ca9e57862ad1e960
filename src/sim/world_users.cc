// What the users of a world do: world.h has the whole.
#include "base/assert.h"
#include "sim/world.h"

namespace coterie::sim {

void World::start(NodeId process) {
  const Workload& workload = scenario_.workload;
  User& user = users_[process];
  const bool never_acts = must_wait(process) && outages_.is_down_for_ever(process);
  if (never_acts || workload.warm_up == 0) ++warm_;
  if (never_acts) return;
  ++acting_;
  user.to_ask = most_requests();
  if (workload.arrivals == Arrivals::open) {
    user.backlog = std::make_unique<std::deque<Waiting>>();
    expect_arrival(process);
  }
  const bool is_out_of_place = starts_inside_ && census_.place(process) == spec::Place::outside;
  if (!is_out_of_place) return rest(process);
  user.stage = Stage::away;
  user.is_measured = false;
  act_at(requests_.draw(process).inside, process);
}

void World::act_at(double time, NodeId process) {
  users_[process].is_due = true;
  queue_.push(time, {Kind::user, process});
}

void World::rest(NodeId process) {
  User& user = users_[process];
  user.stage = Stage::resting;
  if (user.backlog) {
    if (!user.backlog->empty()) act_at(now_, process);
    return;
  }
  if (user.to_ask == 0 || measured_) return;
  --user.to_ask;
  user.next = requests_.draw(process);
  const bool in_bursts = scenario_.workload.arrivals == Arrivals::bursts;
  act_at(in_bursts ? requests_.next_burst(now_) : now_ + user.next.apart, process);
}

void World::expect_arrival(NodeId process) {
  User& user = users_[process];
  if (user.to_ask == 0 || measured_) return;
  --user.to_ask;
  user.next = requests_.draw(process);
  queue_.push(now_ + user.next.apart, {Kind::arrival, process});
}

void World::arrive(NodeId process) {
  User& user = users_[process];
  note({Kind::arrival, process});
  user.backlog->push_back({now_, std::move(user.next)});
  if (user.stage == Stage::resting && !user.is_due) act_at(now_, process);
  expect_arrival(process);
}

void World::act(NodeId process) {
  if (must_wait(process)) {
    held_[process].push_back({Kind::user, process});
    ++held_count_;
    return;
  }
  User& user = users_[process];
  user.is_due = false;
  note({Kind::user, process});
  begin_step(process, 0);
  user.stage == Stage::resting ? ask(process) : come_back(process);
}

void World::ask(NodeId process) {
  User& user = users_[process];
  COTERIE_ASSERT(user.stage == Stage::resting);
  double since = now_;
  if (user.backlog) {
    since = user.backlog->front().since;
    user.current = std::move(user.backlog->front().what);
    user.backlog->pop_front();
  } else {
    user.current = std::move(user.next);
  }
  user.stage = Stage::asking;
  meter_.asked(process, since);
  if (starts_inside_) {
    ask_to_leave(process);
  } else {
    ask_to_enter(process, requests_.groups(process, user.current, now_));
  }
}

void World::come_back(NodeId process) {
  User& user = users_[process];
  COTERIE_ASSERT(user.stage == Stage::away);
  user.stage = Stage::returning;
  user.returning_since = now_;
  if (starts_inside_) {
    ask_to_enter(process, {0});
  } else {
    ask_to_leave(process);
  }
}

void World::ask_to_enter(NodeId process, protocol::Groups groups) {
  const protocol::Demand demand{groups, outages_.preferred(process)};
  census_.ask_to_enter(process, std::move(groups));
  processes_[process]->enter(demand, *this);
}

void World::ask_to_leave(NodeId process) {
  census_.ask_to_leave(process);
  processes_[process]->exit(*this);
}

void World::was_served(NodeId process) {
  User& user = users_[process];
  COTERIE_ASSERT(user.stage == Stage::asking);
  user.stage = Stage::away;
  meter_.served(process, now_, depth_);
  if (!starts_inside_) meter_.entry();
  if (++user.served == scenario_.workload.warm_up && ++warm_ == requesters_) {
    meter_.begin(now_);
  } else {
    end_if_all_measured();
  }
  act_at(now_ + user.current.inside, process);
}

void World::has_come_back(NodeId process) {
  User& user = users_[process];
  COTERIE_ASSERT(user.stage == Stage::returning);
  if (starts_inside_ && user.is_measured) meter_.entry();
  if (both_wait_ && user.is_measured) {
    meter_.waited_to_return(now_ - user.returning_since, depth_);
  }
  user.is_measured = true;
  last_return_ = now_;
  end_if_all_measured();
  rest(process);
}

}  // namespace coterie::sim
