// A client of a real cluster that writes down all it asks for and is told, for the judge: several workers, each with a
// session of its own, that enter, believe, leave, hold for owners, release, and set limits.
//
//   history_client --members LIST --label LABEL --slot N --seed SEED --file FILE --command PATH [--workers N] [--lasting PERCENT] [--successor yes]
//
// SIGTERM ends it, after what it is doing. A client that is killed and started again in the same slot goes on with the
// owners of its predecessor.
#include "coterie/client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "history/history.h"
#include "history/workload.h"

namespace {

using namespace std::chrono_literals;
using coterie::Client;
using coterie::Clock;
using coterie::Hold;
using coterie::Patience;
using coterie::Reason;
using coterie::Refusal;
using coterie::Request;
using coterie::history::Act;
using coterie::history::Answer;
using coterie::history::Call;
using coterie::history::Kind;
using coterie::history::kNever;
using coterie::history::kWorkload;
using coterie::history::Named;
using coterie::history::Time;

std::atomic<bool> is_over = false;

Time time_of(Clock::time_point at) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count();
}
Time now() { return time_of(Clock::now()); }

class Paper {
 public:
  explicit Paper(const std::string& path)
      : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}
  void write(const std::string& line) const {
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  }

 private:
  int file_;
};

struct Arguments {
  std::string members;
  std::string label;
  std::string file;
  std::string command;
  std::uint64_t seed = 1;
  int slot = 0;
  int workers = 2;
  bool is_successor = false;  // of a client that was killed
  std::size_t lasting = 50;   // the share of calls for owners, of a hundred
};

// Requests a stop after a while, unless it is destroyed before.
class Alarm {
 public:
  explicit Alarm(std::chrono::milliseconds time)
      : thread_([this, time](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          if (!changed_.wait_for(lock, stop, time, [] { return false; }) && !stop.stop_requested())
            source_.request_stop();
        }) {}
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;
};

class Worker {
 public:
  Worker(const Arguments& arguments, const Paper& paper, int number)
      : arguments_(arguments),
        paper_(paper),
        label_(fmt::format("{}.{}", arguments.label, number)),
        owner_(fmt::format("owner-{}-{}", arguments.slot, number)),
        random_(arguments.seed * 31 + static_cast<std::uint64_t>(number)) {}

  void run() {
    std::vector<const Named*> leased;
    std::vector<const Named*> lasting;
    for (const Named& named : kWorkload) {
      leased.insert(leased.end(), static_cast<std::size_t>(named.leased), &named);
      lasting.insert(lasting.end(), static_cast<std::size_t>(named.lasting), &named);
      if (named.lasting > 0 && arguments_.is_successor) release(named, owner_);
    }
    while (!is_over) {
      if (!connect()) {
        std::this_thread::sleep_for(5ms);
        continue;
      }
      if (draw(100) >= arguments_.lasting) {
        const Named& named = *leased[draw(leased.size())];
        if (named.is_set && draw(10) == 0) {
          set(named);
        } else {
          enter(named);
        }
      } else {
        last(*lasting[draw(lasting.size())]);
      }
    }
    for (const Named& named : kWorkload)  // nobody need stay where others could not enter
      if (named.kind != Kind::band && held_.contains({named.name, owner_})) release(named, owner_);
  }

 private:
  std::size_t draw(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }
  Patience patience() {
    if (draw(8) == 0) return Patience::try_once();
    return Patience::at_most(std::chrono::milliseconds(5 + draw(draw(8) == 0 ? 500 : 60)));
  }
  std::chrono::microseconds time_inside() {
    return std::chrono::microseconds(draw(draw(80) == 0 ? 900'000 : 2'000));
  }

  bool connect() {
    if (client_) return true;
    coterie::Options options;
    for (std::size_t from = 0; from < arguments_.members.size();) {
      const std::size_t comma =
          std::min(arguments_.members.find(',', from), arguments_.members.size());
      options.addresses.push_back(arguments_.members.substr(from, comma - from));
      from = comma + 1;
    }
    options.label = label_;
    auto made = Client::connect(options);
    if (made) client_.emplace(*std::move(made));
    return made.has_value();
  }

  Call begin(Act act, const Named& named, const std::string& owner) {
    Call call;
    call.client = label_;
    call.number = ++calls_;
    call.act = act;
    call.name = named.name;
    call.kind = named.kind;
    call.min = named.min;
    call.limit = named.limit;
    call.owner = owner;
    if (named.kind == Kind::room && (act == Act::enter || act == Act::hold)) {
      if (named.groups > 0)
        call.group = fmt::format("g{}", draw(static_cast<std::size_t>(named.groups)));
      else if (draw(3) == 0)
        call.is_exclusive = true;
      else
        call.group = "read";
    }
    return call;
  }
  void ask(Call& call) {
    call.called = now();
    paper_.write(line_of_call(call));
  }
  void answer(Call& call, Answer what) {
    call.answered = now();
    call.answer = what;
    paper_.write(line_of_answer(call));
  }

  static Request request_of(const Call& call, const Patience& patience) {
    switch (call.kind) {
      case Kind::mutex:
        return Request::mutex(call.name, patience);
      case Kind::semaphore:
        return Request::semaphore(call.name, call.limit, patience);
      case Kind::band:
        return Request::band(call.name, call.owner, call.min, call.limit, patience);
      case Kind::room:
        break;
    }
    if (call.is_exclusive) return Request::write(call.name, patience);
    if (call.group == "read") return Request::read(call.name, patience);
    if (call.limit > 1) return Request::rooms(call.name, call.limit, {call.group}, patience);
    return Request::room(call.name, {call.group}, patience);
  }

  // ---- leased holds

  void enter(const Named& named) {
    Call call = begin(Act::enter, named, named.kind == Kind::band ? label_ : "");
    const Request request = request_of(call, patience());
    ask(call);
    auto hold = client_->acquire(request);
    if (!hold) return answer(call, Answer::refused);
    call.token = hold->token();
    answer(call, Answer::granted);
    believe(call, *hold);
    for (int tries = 0;; ++tries) {
      note_end(call, *hold);
      const bool is_band = named.kind == Kind::band;
      const auto left =
          is_band ? hold->leave(Patience::at_most(std::chrono::milliseconds(20 + draw(200))))
                  : hold->release();
      if (left) {
        call.left = now();
        break;
      }
      call.was_lost = call.was_lost || left.error().reason == Reason::lost;
      call.leave_called = kNever;
      if (left.error().reason != Reason::must_stay || tries == 3) break;
    }
    paper_.write(line_of_end(call));
  }

  // Is inside for a while, and looks now and then.
  void believe(Call& call, const Hold& hold) {
    const auto end = Clock::now() + time_inside();
    while (Clock::now() < end) {
      std::this_thread::sleep_for(std::min<Clock::duration>(end - Clock::now(), 20ms));
      note_end(call, hold);
    }
  }

  // Belief lasts to here at least, or has ended. The loss is looked at first: from then on belief is not renewed.
  static void note_end(Call& call, const Hold& hold) {
    if (!call.was_lost && hold.lost().stop_requested()) {
      call.was_lost = true;
      call.promised = time_of(hold.valid_until());
    }
    const Time until = time_of(hold.valid_until());
    call.leave_called = now();
    call.until = std::min(call.leave_called, until);
  }

  // ---- lasting holds

  void last(const Named& named) {
    // Some owners are shared by clients.
    const std::string owner = draw(6) == 0 ? fmt::format("shared-{}", draw(2)) : owner_;
    const bool is_own = owner == owner_;
    if (held_.contains({named.name, owner}) && draw(3) != 0) return release(named, owner);
    if (!is_own && draw(2) == 0) return release(named, owner);
    hold(named, owner);
    if (!held_.contains({named.name, owner})) return;
    std::this_thread::sleep_for(time_inside());
    if (draw(8) != 0) release(named, owner);
  }

  static bool is_absent(const Refusal& refusal) {
    return refusal.reason == Reason::invalid && refusal.text.find("no hold") != std::string::npos;
  }

  void hold(const Named& named, const std::string& owner) {
    Call call = begin(Act::hold, named, owner);
    const Patience patience = this->patience();
    if (draw(20) == 0) return hold_by_command(call, named, owner);
    ask(call);
    const auto held = client_->hold_for(owner, request_of(call, patience));
    if (held) {
      call.token = held->token;
      held_[{named.name, owner}] = held->token;
      return answer(call, Answer::granted);
    }
    const Reason why = held.error().reason;
    const bool is_unsure =
        why == Reason::unreachable || why == Reason::cancelled || why == Reason::lost;
    if (is_unsure) held_[{named.name, owner}] = 0;  // so that it is ended in the end
    answer(call, is_unsure ? Answer::unsure : Answer::refused);
  }

  void release(const Named& named, const std::string& owner) {
    if (!connect()) return;
    Call call = begin(Act::release, named, owner);
    if (draw(20) == 0) return release_by_command(call, named, owner);
    ask(call);
    const auto ended = client_->release_for(
        owner, named.name,
        Patience::at_most(std::chrono::milliseconds(50 + draw(draw(8) == 0 ? 1'500 : 200))));
    if (ended || is_absent(ended.error())) held_.erase({named.name, owner});
    if (ended) return answer(call, Answer::done);
    if (is_absent(ended.error())) return answer(call, Answer::absent);
    const Reason why = ended.error().reason;
    const bool is_refused =
        why == Reason::must_stay || why == Reason::invalid || why == Reason::mismatch;
    answer(call, is_refused ? Answer::refused : Answer::unsure);
  }

  void set(const Named& named) {
    Call call = begin(Act::set, named, "");
    call.limit = static_cast<std::uint32_t>(1 + draw(4));
    ask(call);
    const Alarm alarm(2'000ms);
    const auto now_is =
        client_->set(named.name, coterie::Kind::Type::semaphore, {}, call.limit, alarm.token());
    if (now_is) {
      call.limit = now_is->max;
      return answer(call, Answer::done);
    }
    const Reason why = now_is.error().reason;
    const bool is_refused = why == Reason::mismatch || why == Reason::invalid;
    answer(call, is_refused ? Answer::refused : Answer::unsure);
  }

  // ---- by the command line

  struct Ran {
    int code = -1;
    std::string out;
  };
  Ran run_command(const std::string& arguments) const {
    const std::string line =
        fmt::format("exec timeout --foreground -k 5 40 '{}' {} --members {} 2>&1",
                    arguments_.command, arguments, arguments_.members);
    Ran ran;
    FILE* const pipe = ::popen(line.c_str(), "re");
    if (pipe == nullptr) return ran;
    std::array<char, 512> buffer{};
    for (std::size_t size = 0; (size = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      ran.out.append(buffer.data(), size);
    const int status = ::pclose(pipe);
    if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
    return ran;
  }

  void hold_by_command(Call& call, const Named& named, const std::string& owner) {
    std::string line = fmt::format("hold {} {} --as {} --wait {}ms", text_of(named.kind),
                                   named.name, owner, 20 + draw(300));
    if (named.kind == Kind::semaphore) line += fmt::format(" --limit {}", named.limit);
    if (named.kind == Kind::band) line += fmt::format(" --min {} --max {}", named.min, named.limit);
    if (call.is_exclusive)
      line += " --write";
    else if (call.group == "read")
      line += " --read";
    else if (named.kind == Kind::room)
      line += " --group " + call.group;
    if (named.kind == Kind::room && named.limit > 1)
      line += fmt::format(" --rooms {}", named.limit);
    ask(call);
    const Ran ran = run_command(line);
    if (ran.code == 0) {
      call.token = std::strtoull(ran.out.c_str(), nullptr, 10);
      held_[{named.name, owner}] = call.token;
      return answer(call, Answer::granted);
    }
    const bool is_refused = ran.code == 75 || ran.code == 2;
    if (!is_refused) held_[{named.name, owner}] = 0;
    answer(call, is_refused ? Answer::refused : Answer::unsure);
  }

  void release_by_command(Call& call, const Named& named, const std::string& owner) {
    ask(call);
    const Ran ran = run_command(fmt::format("release {} --as {} --wait 500ms", named.name, owner));
    const bool is_absent = ran.code == 2 && ran.out.find("no hold") != std::string::npos;
    if (ran.code == 0 || is_absent) held_.erase({named.name, owner});
    if (ran.code == 0) return answer(call, Answer::done);
    if (is_absent) return answer(call, Answer::absent);
    const bool must_stay = ran.code == 75 && named.kind == Kind::band &&
                           ran.out.find("must stay") != std::string::npos;
    answer(call, must_stay ? Answer::refused : Answer::unsure);
  }

  const Arguments& arguments_;
  const Paper& paper_;
  std::string label_;
  std::string owner_;
  std::mt19937_64 random_;
  std::uint64_t calls_ = 0;
  std::optional<Client> client_;
  std::map<std::pair<std::string, std::string>, std::uint64_t>
      held_;  // as far as this worker knows
};

std::optional<Arguments> read_arguments(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string option = words[i];
    const std::string value = words[i + 1];
    if (option == "--members")
      arguments.members = value;
    else if (option == "--label")
      arguments.label = value;
    else if (option == "--file")
      arguments.file = value;
    else if (option == "--command")
      arguments.command = value;
    else if (option == "--seed")
      arguments.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (option == "--slot")
      arguments.slot = std::atoi(value.c_str());
    else if (option == "--lasting")
      arguments.lasting = std::strtoull(value.c_str(), nullptr, 10);
    else if (option == "--successor")
      arguments.is_successor = value == "yes";
    else if (option == "--workers")
      arguments.workers = std::atoi(value.c_str());
    else
      return {};
  }
  if (count % 2 == 0 || arguments.members.empty() || arguments.file.empty()) return {};
  return arguments;
}

}  // namespace

int main(int count, char** words) {
  const auto arguments = read_arguments(count, words);
  if (!arguments) {
    fmt::print(
        stderr,
        "usage: history_client --members LIST --label LABEL --slot N --seed SEED --file FILE "
        "--command PATH [--workers N] [--lasting PERCENT] [--successor yes]\n");
    return 2;
  }
  static_cast<void>(std::signal(SIGTERM, [](int) { is_over = true; }));
  const Paper paper(arguments->file);
  std::vector<std::jthread> workers;
  for (int i = 0; i < arguments->workers; ++i)
    workers.emplace_back([&, i] { Worker(*arguments, paper, i).run(); });
  return 0;
}
