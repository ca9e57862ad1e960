#include "cluster.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace coterie::bench {

void fail(const std::string& why) {
  fmt::print(stderr, "{}\n", why);
  std::_Exit(1);
}

double seconds_now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// ---- processes

Child::Child(std::vector<std::string> arguments) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) fail("no pipe");
  std::vector<char*> words;
  std::string self = "/proc/self/exe";
  words.push_back(self.data());
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) fail("no process");
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(pipe[1], STDOUT_FILENO);
    ::execv(self.c_str(), words.data());
    std::_Exit(127);
  }
  ::close(pipe[1]);
  char byte = 0;
  if (::read(pipe[0], &byte, 1) != 1) fail("a process did not start: " + arguments[0]);
  ::close(pipe[0]);
}

Child::Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}
Child::~Child() { kill(); }

void Child::kill() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double Child::cpu_seconds() const {
  clockid_t clock{};
  return ::clock_getcpuclockid(pid_, &clock) == 0 ? seconds_of(clock) : 0;
}

double cpu_seconds(const std::vector<Child>& children) {
  double sum = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (const Child& child : children) sum += child.cpu_seconds();
  return sum;
}

void say_ready() {
  if (::write(STDOUT_FILENO, "!", 1) != 1) std::_Exit(1);
}

std::vector<std::uint16_t> free_ports(std::size_t count) {
  using boost::asio::ip::tcp;
  boost::asio::io_context io;
  std::vector<tcp::acceptor> acceptors;
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < count; ++i) {
    acceptors.emplace_back(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    ports.push_back(acceptors.back().local_endpoint().port());
  }
  return ports;
}

Folder::Folder() {
  std::string made = (std::filesystem::temp_directory_path() / "coterie-bench-XXXXXX").string();
  if (::mkdtemp(made.data()) == nullptr) fail("no temporary folder");
  path_ = made;
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

// ---- members

Cluster::Cluster(std::size_t members, const std::string& keep, bool has_own) {
  std::string table = "[members]\n";
  for (const std::uint16_t port : free_ports(members)) {
    addresses_.push_back(fmt::format("127.0.0.1:{}", port));
    table += fmt::format("m{} = \"{}\"\n", addresses_.size(), addresses_.back());
  }
  std::vector<std::string> files;
  for (std::size_t member = 1; member <= members; ++member) {
    files.push_back((folder_.path() / fmt::format("m{}.toml", member)).string());
    std::ofstream(files.back()) << fmt::format("name = \"m{}\"\ndata = \"{}/m{}\"\n", member,
                                               folder_.path().string(), member)
                                << table << fmt::format("[time]\nkeep = \"{}\"\n", keep);
  }
  for (std::size_t member = has_own ? 1 : 0; member < members; ++member)
    children_.push_back(Child({"--member", files[member]}));
  if (has_own) {
    auto own = EmbeddedMember::start(files[0], {.is_new_cluster = true});
    if (!own) fail(own.error().text);
    own_ = *std::move(own);
  }
  for (std::size_t member = 0; member < members; ++member) {
    Client client = connect(member);
    const auto is_up = [](const Survey::Peer& peer) { return peer.is_up; };
    for (bool is_ready = false; !is_ready;) {
      const Survey survey = client.survey().value();
      is_ready = std::all_of(survey.peers.begin(), survey.peers.end(), is_up);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

namespace {

Client connect_to(std::vector<std::string> addresses) {
  auto client =
      Client::connect({.addresses = std::move(addresses), .is_in_order = true, .label = "bench"});
  if (!client) fail(client.error().text);
  return *std::move(client);
}

}  // namespace

Client Cluster::connect(std::size_t member) const { return connect_to({addresses_[member]}); }

Client Cluster::connect_to_all() const { return connect_to(addresses_); }

int run_member(const std::string& config) {
  auto member = EmbeddedMember::start(config, {.is_new_cluster = true});
  if (!member) fail(member.error().text);
  say_ready();
  for (;;) ::pause();
}

std::vector<std::string> names_by_first(std::size_t members) {
  std::vector<std::string> names(members);
  for (std::size_t number = 0, found = 0; found < members; ++number) {
    const std::string name = fmt::format("name-{}", number);
    std::string& place = names[XXH3_64bits(name.data(), name.size()) % members];
    if (!place.empty()) continue;
    place = name;
    ++found;
  }
  return names;
}

// ---- work

Chain::Chain(Client& client, std::vector<std::string> names, std::uint32_t limit)
    : client_(client) {
  for (std::string& name : names)
    requests_.push_back(limit == 0 ? Request::mutex(std::move(name))
                                   : Request::semaphore(std::move(name), limit));
}

void Chain::next() {
  client_.start(requests_[entries_ % requests_.size()], [this](Outcome<Hold> outcome) {
    if (!outcome) fail(outcome.error().text);
    {
      Hold left = *std::move(outcome);
      if (is_answered_) left.start_leaving(Patience::forever(), [](const Outcome<void>&) {});
    }
    const std::int64_t now = Clock::now().time_since_epoch().count();
    gap_ns_ = std::max(gap_ns_.load(), now - last_ns_);
    last_ns_ = now;
    ++entries_;
    if (entries_ == most_ || is_over_) return on_end_();
    next();
  });
}

double Chain::run(std::size_t times) {
  std::promise<void> end;
  on_end_ = [&] { end.set_value(); };
  most_ = entries_ + times;
  const double begin = seconds_now();
  next();
  end.get_future().wait();
  return (seconds_now() - begin) / static_cast<double>(times);
}

void Chain::start() {
  is_over_ = false;
  most_ = 0;
  on_end_ = [this] {
    is_over_ = false;
    is_over_.notify_all();
  };
  last_ns_ = Clock::now().time_since_epoch().count();
  next();
}

void Chain::stop() {
  is_over_ = true;
  is_over_.wait(true);
}

double Chain::longest_gap() { return static_cast<double>(gap_ns_.exchange(0)) * 1e-9; }

double rate_of(const Cluster& cluster, std::size_t clients, bool is_shared, std::uint32_t limit) {
  std::vector<std::unique_ptr<Client>> all;
  std::vector<std::unique_ptr<Chain>> chains;
  for (std::size_t i = 0; i < clients; ++i) {
    all.push_back(std::make_unique<Client>(cluster.connect(i % cluster.members())));
    chains.push_back(std::make_unique<Chain>(
        *all.back(),
        std::vector{is_shared ? fmt::format("shared-{}", limit) : fmt::format("lock-{}", i)},
        limit));
  }
  const auto total = [&] {
    std::size_t entries = 0;
    for (const auto& chain : chains) entries += chain->entries();
    return entries;
  };
  for (const auto& chain : chains) chain->start();
  std::this_thread::sleep_for(kWarming);
  const std::size_t before = total();
  const double begin = seconds_now();
  std::this_thread::sleep_for(kMeasured);
  const double found = static_cast<double>(total() - before) / (seconds_now() - begin);
  for (const auto& chain : chains) chain->stop();
  return found;
}

}  // namespace coterie::bench
