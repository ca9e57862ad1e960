#include "check/explore.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <thread>

#include "check/finish.h"
#include "check/frontier.h"
#include "check/judge.h"
#include "check/path.h"
#include "check/sends.h"
#include "check/table.h"

namespace coterie::check {
namespace {

using spec::Place;

struct Found {
  Property property;
  std::string reason;
  Fingerprint fingerprint;
  std::optional<Event> step;  // from there, if that is what is wrong
};

class Search {
 public:
  // Reduced by what `sends` tells, if given.
  Search(Space& space, const Options& options, const Sends* sends)
      : space_(space),
        options_(options),
        sends_(sends),
        asks_finish_(sends == nullptr && asks(Property::finish)),
        table_(asks_finish_) {
    for (unsigned i = 0; i < std::max(1U, options.threads); ++i) workers_.emplace_back(*this);
  }

  Outcome run();

 private:
  struct Worker {
    explicit Worker(Search& search) : view(search.space_), next(search.space_.width()) {}
    Space::View view;
    Frontier next;
    std::vector<Space::Move> moves;
    std::vector<Space::Change> changes;
    struct Moves {
      std::size_t end;      // of all moves of a state
      std::size_t certain;  // the end of those that are no chance: faults come last
    };
    std::vector<Moves> ends;  // of each state
    Edges edges;
    std::vector<std::uint32_t> targets;
    std::uint64_t transitions = 0;
    std::vector<Found> found;
    std::vector<spec::Person> people;
  };

  bool asks(Property property) const {
    return std::find(options_.properties.begin(), options_.properties.end(), property) !=
           options_.properties.end();
  }
  void expand(Worker& worker, const Frontier& part, std::size_t first, std::size_t last);
  bool list_moves_of_one(Worker& worker, std::span<const Id> state, Fingerprint fingerprint) const;
  bool expand_level();
  void expand_slice(std::size_t first, std::size_t last);
  bool make_room(std::size_t states);
  std::size_t bytes() const;
  Progress progress() const;
  std::optional<Found> first_fault() const;

  Space& space_;
  const Options& options_;
  const Sends* sends_;
  bool asks_finish_;
  Table table_;
  std::vector<Worker> workers_;
  std::vector<Frontier> level_;  // one per worker that found them
  std::uint32_t depth_ = 0;
  std::size_t most_bytes_ = 0;
  std::string stopped_;
};

// Lists the moves of one process alone, if some process's moves are enough (sends.h).
bool Search::list_moves_of_one(Worker& worker, std::span<const Id> state,
                               Fingerprint fingerprint) const {
  const spec::Rule& rule = space_.config().rule;
  const std::size_t moves = worker.moves.size();
  const std::size_t changes = worker.changes.size();
  for (NodeId process = 0; process < space_.processes(); ++process) {
    bool is_enough = false;
    for (const std::uint32_t channel : space_.incoming(process)) {
      const NodeId from = space_.ends(channel).from;
      if (!space_.is_empty(state, channel)) {
        is_enough = true;  // there is something to receive
      } else if (from != process &&
                 sends_->may_send(state[from], state[space_.place_of(process, from)], process)) {
        is_enough = false;
        break;
      }
    }
    if (!is_enough) continue;
    const spec::Place before = space_.brief(state[process]).place;
    // A message is under way: no alarm goes off that goes off late.
    const bool alarms = space_.config().alarms == When::any;
    space_.for_each_event_of(process, state, alarms, [&](const Event& event) {
      const Space::Move move = worker.view.move(event, state, fingerprint, worker.changes);
      worker.moves.push_back(move);
      table_.prefetch(move.fingerprint);
      for (std::uint32_t i = move.first; i < move.last; ++i) {
        const Space::Change& change = worker.changes[i];
        if (change.place == process && rule.may_mend(before, space_.brief(change.becomes).place))
          is_enough = false;
      }
    });
    // One of them must lead on: sends.h has the reason.
    is_enough = is_enough && std::any_of(worker.moves.begin() + static_cast<std::ptrdiff_t>(moves),
                                         worker.moves.end(), [&](const Space::Move& move) {
                                           return !table_.has_by(move.fingerprint, depth_);
                                         });
    if (is_enough) return true;
    worker.moves.resize(moves);
    worker.changes.resize(changes);
  }
  return false;
}

// Looks at the states first..last-1 of a part of the level: first finds what they lead to, then, when the
// places in the table have had time to come into the cache, which of that is new.
void Search::expand(Worker& worker, const Frontier& part, std::size_t first, std::size_t last) {
  worker.moves.clear();
  worker.changes.clear();
  worker.ends.clear();
  for (std::size_t at = first; at < last; ++at) {
    const std::span<const Id> state = part.state(at);
    const Fingerprint fingerprint = part.fingerprint(at);
    const std::size_t before = worker.moves.size();
    bool is_quiet = true;
    std::size_t chances = 0;
    if (sends_ != nullptr && list_moves_of_one(worker, state, fingerprint)) {
      is_quiet = false;
    } else {
      space_.for_each_event(state, [&](const Event& event) {
        is_quiet = is_quiet && !event.is_delivery && !event.is_due;
        chances += event.is_chance ? 1 : 0;
        worker.moves.push_back(worker.view.move(event, state, fingerprint, worker.changes));
        const Space::Move& move = worker.moves.back();
        judge_step(
            space_, state, event,
            std::span(worker.changes).subspan(move.first, move.last - move.first),
            [this](Property property) { return asks(property); },
            [&](Property property, std::string reason) {
              worker.found.push_back({property, std::move(reason), fingerprint, event});
            });
      });
    }
    for (std::size_t i = before; i < worker.moves.size(); ++i)
      table_.prefetch(worker.moves[i].fingerprint);
    for (std::size_t process = 0; is_quiet && process < space_.processes(); ++process) {
      is_quiet = !space_.brief(state[process]).alarm;
    }
    const bool is_end = worker.moves.size() == before + chances;
    judge(
        space_, state, is_quiet, is_end, worker.people,
        [this](Property property) { return asks(property); },
        [&](Property property, std::string reason) {
          worker.found.push_back({property, std::move(reason), fingerprint, {}});
        });
    if (is_end && !space_.config().rule.unserved(worker.people))
      worker.edges.add_good_end(part.number(at));
    worker.ends.push_back({worker.moves.size(), worker.moves.size() - chances});
  }
  worker.transitions += worker.moves.size();

  std::size_t next = 0;
  for (std::size_t at = first; at < last; ++at) {
    worker.targets.clear();
    const Worker::Moves& ends = worker.ends[at - first];
    for (; next < ends.end; ++next) {
      const Space::Move& move = worker.moves[next];
      const Table::Entry entry = table_.insert(move.fingerprint, depth_ + 1);
      // That all can finish must not rest on a fault.
      if (next < ends.certain) worker.targets.push_back(entry.number);
      if (!entry.is_new) continue;
      const std::span<Id> made = worker.next.add(part.state(at), move.fingerprint, entry.number);
      for (std::uint32_t i = move.first; i < move.last; ++i)
        made[worker.changes[i].place] = worker.changes[i].becomes;
    }
    if (asks_finish_) worker.edges.add(part.number(at), worker.targets);
  }
}

std::size_t Search::bytes() const {
  std::size_t sum = table_.bytes() + space_.component_bytes();
  if (asks_finish_) sum += table_.size() * kBytesToFinish;
  for (const Frontier& frontier : level_) sum += frontier.bytes();
  for (const Worker& worker : workers_) sum += worker.next.bytes() + worker.edges.bytes();
  return sum;
}

Progress Search::progress() const {
  std::uint64_t transitions = 0;
  std::size_t waiting = 0;
  for (const Worker& worker : workers_) {
    transitions += worker.transitions;
    waiting += worker.next.size();
  }
  return {table_.size(), transitions, depth_, waiting, bytes()};
}

// Lets the table grow until so many states may be found. False if that would take too much memory.
bool Search::make_room(std::size_t states) {
  const std::size_t others = bytes() - table_.bytes();
  // They at most double, and at most by these states, an edge to each, and as many components as there are.
  const std::size_t per_state = level_.front().bytes_per_state() + Edges::kBytesPerEdge;
  const std::size_t more = std::min(others, states * per_state + space_.component_bytes() +
                                                workers_.size() * Edges::kBytesAtATime);
  const std::size_t after = others + more + table_.bytes_with(states);
  if (after > options_.memory_limit) {
    stopped_ = "the memory limit is reached";
    return false;
  }
  table_.reserve(states);
  return true;
}

// Expands the states first..last-1 of the level, counted over all its parts.
void Search::expand_slice(std::size_t first, std::size_t last) {
  constexpr std::size_t kChunk = 128;    // states that a thread takes at a time
  constexpr std::size_t kTogether = 16;  // and looks at together
  std::atomic<std::size_t> next{first};
  const auto work = [&](Worker& worker) {
    while (true) {
      const std::size_t begin = next.fetch_add(kChunk);
      if (begin >= last) return;
      const std::size_t end = std::min(begin + kChunk, last);
      std::size_t before = 0;
      for (const Frontier& part : level_) {
        const std::size_t from = std::max(begin, before);
        const std::size_t to = std::min(end, before + part.size());
        for (std::size_t index = from; index < to; index += kTogether) {
          expand(worker, part, index - before, std::min(index + kTogether, to) - before);
        }
        before += part.size();
      }
    }
  };
  const std::size_t threads = std::min(workers_.size(), (last - first) / (4 * kChunk) + 1);
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back([&, i] { work(workers_[i]); });
  work(workers_.front());
}

bool Search::expand_level() {
  constexpr std::size_t kSlice = 1U << 13U;
  std::size_t size = 0;
  for (const Frontier& part : level_) size += part.size();
  for (std::size_t first = 0; first < size; first += kSlice) {
    const std::size_t last = std::min(size, first + kSlice);
    if (!make_room((last - first) * space_.most_events())) return false;
    expand_slice(first, last);
    most_bytes_ = std::max(most_bytes_, bytes());
    if (most_bytes_ > options_.memory_limit) {
      stopped_ = "the memory limit is reached";
      return false;
    }
    if (!options_.progress(progress())) {
      stopped_ = "it was interrupted";
      return false;
    }
  }
  return true;
}

std::optional<Found> Search::first_fault() const {
  std::optional<Found> first;
  for (const Worker& worker : workers_) {
    for (const Found& found : worker.found) {
      const bool is_before = !first || std::tie(found.property, found.fingerprint) <
                                           std::tie(first->property, first->fingerprint);
      if (is_before) first = found;
    }
  }
  return first;
}

Outcome Search::run() {
  const std::vector<Id> initial = space_.initial();
  const Fingerprint root = space_.fingerprint(initial);
  const Table::Entry entry = table_.insert(root, 0);
  for (std::size_t i = 0; i < workers_.size(); ++i) level_.emplace_back(space_.width());
  level_.front().add(initial, root, entry.number);

  std::optional<Found> fault;
  bool is_complete = false;
  while (true) {
    const bool all_expanded = expand_level();
    fault = first_fault();
    if (fault || !all_expanded) break;
    is_complete = true;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      std::swap(level_[i], workers_[i].next);
      workers_[i].next.clear();
      is_complete = is_complete && level_[i].size() == 0;
    }
    if (is_complete) break;
    ++depth_;
  }

  Outcome outcome;
  outcome.states = table_.size();
  outcome.depth = depth_;
  outcome.transitions = progress().transitions;
  outcome.bytes = most_bytes_;
  outcome.local_states = space_.local_count();
  outcome.local_steps = space_.step_count();
  outcome.reason = stopped_;
  if (!fault && is_complete) {
    outcome.verdict = Verdict::holds;
    if (asks_finish_) {
      std::vector<const Edges*> edges;
      edges.reserve(workers_.size());
      for (const Worker& worker : workers_) edges.push_back(&worker.edges);
      const Ends ends = can_finish(edges, table_.size());
      outcome.is_acyclic = ends.is_acyclic;
      if (const auto lost = first_lost(table_, ends)) {
        fault = Found{Property::finish,
                      "from here no request that waits can be served any more, whatever happens",
                      *lost,
                      {}};
      }
    }
  }
  if (fault) {
    outcome.verdict = Verdict::violated;
    outcome.property = fault->property;
    outcome.reason = fault->reason;
    outcome.trace = path_to(space_, table_, fault->fingerprint);
    if (fault->step) outcome.trace.push_back(*fault->step);
  }
  return outcome;
}

}  // namespace

std::string_view name_of(Property property) {
  switch (property) {
    case Property::asserts:
      return "asserts";
    case Property::safety:
      return "safety";
    case Property::tokens:
      return "tokens";
    case Property::survives:
      return "survives";
    case Property::served:
      return "served";
    case Property::leaks:
      return "leaks";
    case Property::slot:
      return "slot";
    case Property::entry:
      return "entry";
    case Property::finish:
      return "finish";
  }
  return "";
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::violated:
      return "violated";
    case Verdict::unfinished:
      return "unfinished";
  }
  return "";
}

// Each of the pairs of states had one chance in 2^64.
double Outcome::collision_probability() const {
  const auto count = static_cast<double>(states);
  return std::min(1.0, count * count * 0x1p-65);
}

Outcome explore(Space& space, const Options& options) {
  if (!options.reduce) return Search(space, options, nullptr).run();
  while (true) {
    const Sends known(space);
    Outcome outcome = Search(space, options, &known).run();
    outcome.is_reduced = true;
    // A violation is real whatever was assumed.
    if (outcome.verdict != Verdict::holds) return outcome;
    if (space.step_count() == known.steps()) return outcome;
  }
}

}  // namespace coterie::check
