#include "history/fleet.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "coterie/client.h"
#include "history/workload.h"

namespace coterie::history {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, kFaults> kFaultNames = {"kill a member",
                                                               "pause a member",
                                                               "hang a member",
                                                               "stop a member",
                                                               "kill all members",
                                                               "stop all members",
                                                               "part two members",
                                                               "cut one way",
                                                               "sever two members",
                                                               "slow links",
                                                               "slow disks",
                                                               "stall a client",
                                                               "stall one way of a client",
                                                               "break connections",
                                                               "kill a client",
                                                               "pause a client"};

constexpr const char* kLease = "500ms";

}  // namespace

std::string_view text_of(Fault fault) { return kFaultNames[static_cast<std::size_t>(fault)]; }

Time now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

Fleet::Fleet(FleetPlan plan)
    : plan_(std::move(plan)),
      random_(plan_.seed),
      network_(plan_.members),
      serving_(folder_, {.names = plan_.members, .lease = kLease, .doors = network_.doors()}),
      disks_(folder_, plan_.members, serving_) {
  network_.lead_to(serving_.addresses());
  for (std::size_t i = 0; i < plan_.members.size(); ++i) disks_.start(i, {"--new-cluster"});
  if (!serving_.is_ready()) complain("the cluster does not start");
  clients_.resize(static_cast<std::size_t>(plan_.clients));
}

Fleet::~Fleet() {
  for (const Client& client : clients_) {
    if (client.process == 0) continue;
    ::kill(-client.process, SIGKILL);
    ::waitpid(client.process, nullptr, 0);
  }
}

void Fleet::complain(const std::string& text) { trouble_ += text + "\n"; }

void Fleet::note(const std::string& text) {
  story_.push_back(fmt::format("{:.3f} s: {}", static_cast<double>(now()) / 1e9, text));
}

std::string Fleet::story() const { return fmt::format("{}\n", fmt::join(story_, "\n")); }

std::size_t Fleet::draw(std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
}

void Fleet::wait(std::size_t from, std::size_t to) {
  std::this_thread::sleep_for(milliseconds(from + draw(to - from + 1)));
}

// ---- processes

void Fleet::start_client(std::size_t index) {
  Client& client = clients_[index];
  const std::string label = fmt::format("c{}-{}", index, client.starts++);
  client.file = folder_.path() + "/" + label + ".history";
  client.is_paused = false;
  std::vector<std::string> words = {COTERIE_HISTORY_CLIENT,
                                    "--members",
                                    fmt::format("{}", fmt::join(network_.doors(), ",")),
                                    "--label",
                                    label,
                                    "--slot",
                                    std::to_string(index),
                                    "--file",
                                    client.file,
                                    "--command",
                                    cli::command_path(),
                                    "--seed",
                                    std::to_string(plan_.seed * 1'000 + draw(1'000)),
                                    "--workers",
                                    std::to_string(plan_.workers),
                                    "--lasting",
                                    std::to_string(plan_.lasting),
                                    "--successor",
                                    client.starts > 1 ? "yes" : "no"};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string log = folder_.path() + "/clients.log";
  client.process = ::fork();
  if (client.process == 0) {
    ::setpgid(0, 0);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(out, STDERR_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  ::setpgid(client.process, client.process);
}

void Fleet::kill_client(std::size_t index) {
  Client& client = clients_[index];
  ::kill(-client.process, SIGKILL);
  ::waitpid(client.process, nullptr, 0);
  client.process = 0;
  deaths_.emplace_back(client.file, now());
}

void Fleet::end_clients() {
  for (const Client& client : clients_) {
    ::kill(-client.process, SIGCONT);
    ::kill(client.process, SIGTERM);
  }
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    int status = 0;
    const pid_t process = clients_[i].process;
    if (!cli::comes_true([&] { return ::waitpid(process, &status, WNOHANG) == process; })) {
      complain(fmt::format("client {} does not end", i));
      kill_client(i);
      continue;
    }
    clients_[i].process = 0;
    deaths_.emplace_back(clients_[i].file, now());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      complain(fmt::format("client {} ended by itself: status {}", i, status));
  }
}

// ---- faults

void Fleet::strike(Fault fault) {
  ++faults_;
  const auto number = static_cast<std::size_t>(fault);
  if (fault == Fault::kill_all) return strike_all(SIGKILL);
  if (fault == Fault::stop_all) return strike_all(SIGTERM);
  if (number <= static_cast<std::size_t>(Fault::stop_member))
    return strike_member(fault, draw(plan_.members.size()));
  if (number <= static_cast<std::size_t>(Fault::slow_disks)) return strike_network(fault);
  strike_client(fault);
}

void Fleet::strike_member(Fault fault, std::size_t member) {
  note(fmt::format("{}: {}", text_of(fault), plan_.members[member]));
  if (fault == Fault::pause_member || fault == Fault::hang_member) {
    serving_.signal(member, SIGSTOP);
    fault == Fault::pause_member ? wait(50, 400) : wait(600, 1'500);
    return serving_.signal(member, SIGCONT);
  }
  serving_.signal(member, fault == Fault::kill_member ? SIGKILL : SIGTERM);
  const int code = serving_.wait(member);
  if (code != (fault == Fault::kill_member ? 128 + SIGKILL : 0))
    complain(fmt::format("member {} ended with {}", plan_.members[member], code));
  wait(0, 1'200);
  disks_.start(member);
  note("it starts again");
}

void Fleet::strike_all(int signal) {
  note(signal == SIGKILL ? "kill all members" : "stop all members");
  for (std::size_t i = 0; i < plan_.members.size(); ++i) serving_.signal(i, signal);
  for (std::size_t i = 0; i < plan_.members.size(); ++i) {
    const int code = serving_.wait(i);
    if (code != (signal == SIGKILL ? 128 + SIGKILL : 0))
      complain(fmt::format("member {} ended with {}", plan_.members[i], code));
  }
  wait(0, 500);
  for (std::size_t i = 0; i < plan_.members.size(); ++i) disks_.start(i);
  note("they start again");
  wait(600, 1'000);
}

void Fleet::strike_network(Fault fault) {
  const std::size_t first = draw(plan_.members.size());
  const std::size_t second = (first + 1 + draw(plan_.members.size() - 1)) % plan_.members.size();
  const std::string& one = plan_.members[first];
  const std::string& other = plan_.members[second];
  note(fmt::format("{}: {} {}", text_of(fault), one, other));
  if (fault == Fault::part_members) network_.part(one, other);
  if (fault == Fault::cut_way) network_.cut(one, other);
  if (fault == Fault::sever_members) network_.sever(one, other);
  if (fault == Fault::slow_links) network_.delay(milliseconds(2 + draw(20)));
  if (fault == Fault::slow_disks) {
    disks_.slow(first, static_cast<std::uint32_t>(10 + draw(50)));
    if (draw(2) == 0) disks_.slow(second, static_cast<std::uint32_t>(10 + draw(50)));
  }
  wait(200, 1'500);
  network_.heal();
  disks_.slow(first, 0);
  disks_.slow(second, 0);
  note("healed");
}

std::string Fleet::some_label() {
  const std::size_t client = draw(clients_.size());
  return fmt::format("c{}-{}.{}", client, clients_[client].starts - 1,
                     draw(static_cast<std::size_t>(plan_.workers)));
}

void Fleet::strike_client(Fault fault) {
  const std::size_t client = draw(clients_.size());
  if (fault == Fault::kill_client) {
    note(fmt::format("kill client {}", client));
    kill_client(client);
    wait(0, 500);
    return start_client(client);
  }
  if (fault == Fault::pause_client) {
    note(fmt::format("pause client {}", client));
    ::kill(-clients_[client].process, SIGSTOP);
    wait(100, 1'500);
    ::kill(-clients_[client].process, SIGCONT);
    return;
  }
  const std::string label = some_label();
  note(fmt::format("{}: {}", text_of(fault), label));
  if (fault == Fault::break_connections) {
    for (const std::string& member : plan_.members) network_.shake(label, member);
    return;
  }
  // From the member that it uses, whichever that is, or from all but one.
  const std::size_t spared = draw(plan_.members.size());
  for (std::size_t i = 0; i < plan_.members.size(); ++i) {
    if (i == spared) continue;
    network_.cut(label, plan_.members[i]);
    if (fault == Fault::stall_client) network_.cut(plan_.members[i], label);
  }
  wait(300, 1'500);
  network_.heal();
  note("healed");
}

// ---- a run

std::vector<Call> Fleet::run() {
  for (std::size_t i = 0; i < clients_.size(); ++i) start_client(i);
  const auto end = Clock::now() + plan_.time;
  while (Clock::now() < end && trouble_.empty()) {
    wait(50, 400);
    if (!plan_.faults.empty()) strike(plan_.faults[draw(plan_.faults.size())]);
  }
  network_.heal();
  if (!serving_.is_ready()) complain("members do not come back");
  end_clients();
  std::vector<Call> calls;
  for (const auto& [file, died] : deaths_) {
    std::ifstream stream(file);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const std::size_t before = calls.size();
    if (!read(text, calls)) complain(file + " is no history");
    for (std::size_t i = before; i < calls.size(); ++i)
      if (calls[i].answer == Answer::none) calls[i].answered = died;
  }
  for (Call& call : look()) calls.push_back(std::move(call));
  return calls;
}

// All members must answer, and be sure of every hold.
std::vector<Call> Fleet::look() {
  std::vector<Call> looks;
  Options options;
  options.addresses = network_.doors();
  options.label = "look";
  auto client = coterie::Client::connect(options);
  if (!client) {
    complain("no member answers: " + client.error().text);
    return looks;
  }
  for (const Named& named : kWorkload) {
    Call call;
    call.client = "look";
    call.number = looks.size();
    call.act = Act::look;
    call.name = named.name;
    call.kind = named.kind;
    call.limit = named.limit;
    call.answer = Answer::done;
    std::string why;
    const bool is_sure = cli::comes_true([&] {
      call.called = now();
      const auto status = client->status(named.name);
      call.answered = now();
      if (!status || !status->dark.empty()) {
        why = status ? "a member does not answer" : status.error().text;
        return false;
      }
      call.seen.clear();
      for (const Status::Holder& holder : status->holders) {
        if (!holder.is_lasting) continue;
        if (holder.certainty == Status::Certainty::doubtful) {
          why = "a hold is doubtful";
          return false;
        }
        if (holder.certainty == Status::Certainty::sure)
          call.seen.emplace_back(holder.client, holder.token);
      }
      return true;
    });
    if (!is_sure) complain(fmt::format("{} cannot be looked at: {}", named.name, why));
    looks.push_back(call);
  }
  return looks;
}

std::string Fleet::keep(const std::vector<Call>& calls) const {
  std::string name = (std::filesystem::temp_directory_path() / "coterie-history-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return "nowhere";
  std::ofstream(name + "/story.txt") << story() << trouble_;
  std::ofstream history(name + "/all.history");
  for (const Call& call : calls)
    history << line_of_call(call) << line_of_answer(call) << line_of_end(call);
  std::error_code ignored;
  std::filesystem::copy(folder_.path(), name, std::filesystem::copy_options::recursive, ignored);
  return name;
}

}  // namespace coterie::history
