#include "cli/serve_command.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <memory>
#include <string>

#include "cli/input.h"
#include "net/log.h"
#include "net/server.h"
#include "net/tls.h"

namespace coterie::cli {

namespace {

struct ServeOptions {
  std::string config;
  bool is_new = false;
  bool accepts_loss = false;
  bool insecure = false;
  bool check = false;
  std::string level = "info";
};

net::Settings read_settings(const ServeOptions& options) {
  const auto text = read_file(options.config);
  if (!text) throw Failure(text.error().message);
  auto settings = net::parse_settings(*text);
  if (!settings) throw Failure(fmt::format("{}: {}", options.config, settings.error().message));
  const std::string exposed = net::exposure(*settings);
  if (!exposed.empty() && !options.insecure)
    throw Failure(fmt::format("{}: {}", options.config, exposed));
  return std::move(*settings);
}

// Every connection is a file to the system, and its usual limit is meant for programs with a few.
// What is needed for members and for those who have not said yet who they are is not given to clients.
void allow_files(std::size_t& clients, spdlog::logger& log) {
  constexpr std::size_t kMostOthers = 1'200;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  if (limit.rlim_cur >= clients + kMostOthers) return;
  const std::size_t most = limit.rlim_cur - std::min(kMostOthers, limit.rlim_cur / 2);
  log.warn("the system allows {} open files, too few for limits.clients = {}: at most {} clients",
           limit.rlim_cur, clients, most);
  clients = most;
}

// What signals tell a member to do, until it has stopped.
class Orders {
 public:
  Orders(boost::asio::io_context& io, net::Server& server)
      : io_(io), server_(server), stops_(io, SIGTERM, SIGINT), renewals_(io, SIGHUP) {
    await_stop();
    await_renewal();
  }

 private:
  void await_stop() {
    stops_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
      if (error) return;
      // A second one does not wait for anybody.
      stops_.async_wait([this](const boost::system::error_code& again, int /*signal*/) {
        if (!again) io_.stop();
      });
      server_.stop([this] {
        stops_.cancel();
        renewals_.cancel();
      });
    });
  }
  void await_renewal() {
    renewals_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
      if (error) return;
      server_.renew_certificates();
      await_renewal();
    });
  }

  boost::asio::io_context& io_;
  net::Server& server_;
  boost::asio::signal_set stops_;
  boost::asio::signal_set renewals_;
};

void check_certificates(const ServeOptions& options, const net::Settings& settings) {
  if (!settings.tls) return;
  auto context = net::make_tls(*settings.tls);
  if (!context) throw Failure(fmt::format("{}: {}", options.config, context.error().message));
  const auto trusted = net::peer_authorities(*settings.tls);
  if (!trusted) throw Failure(fmt::format("{}: {}", options.config, trusted.error().message));
  const net::MemberIdentity self{.name = settings.name(),
                                 .host = settings.addresses[settings.member.self].host};
  if (const auto flaw = net::flaw_of(*context, *trusted, self))
    throw Failure(fmt::format("{}: other members would refuse {}: {}", options.config,
                              settings.tls->certificate, *flaw));
}

int run_serve(const ServeOptions& options) {
  net::Settings settings = read_settings(options);
  if (options.check) {
    check_certificates(options, settings);
    fmt::print("{}: member {} of {}, {}\n", options.config, settings.name(),
               settings.member.names.size(), settings.member.system.spec());
    return 0;
  }
  const auto log = net::make_log(settings.name(), options.level);
  allow_files(settings.clients, *log);
  boost::asio::io_context io(1);
  auto server =
      net::Server::make(io, std::move(settings), {options.is_new, options.accepts_loss}, log);
  if (!server) throw Failure(server.error().message, kExitFound);

  int exit_code = 0;
  (*server)->on_failure([&](const std::string& /*reason*/) {
    exit_code = kExitFound;
    io.stop();
  });
  Orders orders(io, **server);
  (*server)->start();
  io.run();
  return exit_code;
}

}  // namespace

void add_serve_command(const Command& root) {
  const Command command = root.command(
      "serve", "one member of a cluster",
      "The configuration is described in docs/operations.md. SIGTERM stops the member cleanly: "
      "its\n"
      "clients are told to leave, and the other members do not have to wait for its lease. "
      "SIGHUP\n"
      "lets it read certificates and keys again, for new connections.\n\n"
      "Exits with 0 after a clean stop, 1 if it cannot listen or save, 2 if the configuration is "
      "wrong.\n\n"
      "Example:\n  coterie serve --config member.toml");
  const auto options = std::make_shared<ServeOptions>();
  command.option("--config", options->config, "the member's configuration file")
      .value("FILE")
      .required();
  command.flag(
      "--new-cluster", options->is_new,
      "the cluster never ran: when all members have met, they serve at once, not after a lease");
  command.flag("--accept-data-loss", options->accepts_loss,
               "so many members have lost their data that no quorum has it: go on with what others "
               "still know. What they do not know is forgotten: this is not safe");
  command.flag("--insecure", options->insecure,
               "listen without TLS where other machines can reach it");
  command.flag("--check", options->check,
               "read the configuration and the certificates, say what they mean, and stop");
  command.option("--log", options->level, "what to log")
      .one_of({"debug", "info", "warn", "error", "off"});
  command.runs([options] { return run_serve(*options); });
}

}  // namespace coterie::cli
