#include "attack/attacked.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <utility>

#include "net/settings.h"

namespace coterie::attack {

namespace {

constexpr const char* kClient = "alice";

}  // namespace

std::string Attacked::section_of(const std::string& file) const {
  return fmt::format(
      "[tls]\ncertificate = \"{0}.pem\"\nkey = \"{0}.key\"\nauthority = \"ca.pem\"\n{1}", file,
      members_ ? "peer_authority = \"members.pem\"\n" : "");
}

Attacked::Attacked(Plan plan) : road_(plan.road) {
  if (road_ == Road::tls) {
    authority_ = std::make_unique<Authority>(folder_.path(), "ca");
    other_ = std::make_unique<Authority>(folder_.path(), "other");
    if (plan.have_own_authority) members_ = std::make_unique<Authority>(folder_.path(), "members");
    for (const std::string& name : plan.names)
      members_authority().sign(name, {.common_name = name});
    authority_->sign(kClient, {.common_name = kClient, .alt_names = "", .purposes = "clientAuth"});
  }
  const auto more = [&](const std::string& name) {
    return (plan.more ? plan.more(name) : "") + (road_ == Road::tls ? section_of(name) : "");
  };
  serving_ = std::make_unique<cli::Serving>(
      folder_, cli::Serving::Plan{.names = plan.names, .lease = plan.lease, .more = more});
  if (road_ == Road::tls)
    serving_->client_options = fmt::format(" --ca {1}.pem --cert {0}.pem --key {0}.key", kClient,
                                           members_ ? "members" : "ca");
  serving_->start_all();
  is_ready_ = serving_->is_ready();
  for (std::size_t i = 0; i < plan.names.size(); ++i) {
    processes_.push_back(serving_->process(i));
    if (!is_ready_) ADD_FAILURE() << plan.names[i] << " is not ready:\n" << serving_->log(i);
  }
}

Raw Attacked::connect(std::size_t member) {
  return road_ == Road::tls ? connect_with(kClient, member) : Raw(serving_->addresses()[member]);
}

Raw Attacked::connect_with(const std::string& file, std::size_t member) {
  const std::string path = folder_.path() + "/";
  return Raw(serving_->addresses()[member], {path + file + ".pem", path + file + ".key",
                                             path + (members_ ? "members.pem" : "ca.pem")});
}

Raw Attacked::client(std::size_t member, const std::string& label) {
  Raw raw = connect(member);
  EXPECT_TRUE(raw.send(client_hello(label))) << raw.trouble();
  const auto welcome = raw.receive();
  EXPECT_TRUE(welcome && welcome->hello().has_welcome()) << raw.trouble();
  return raw;
}

std::string Attacked::configuration() const {
  const auto settings = net::parse_settings(folder_.read("a.toml"));
  EXPECT_TRUE(settings) << settings.error().message;
  return settings ? settings->cluster() : "";
}

cli::Outcome Attacked::run(const std::string& arguments, const std::string& program) const {
  const std::string line = arguments + " --members " + serving_->list() + serving_->client_options;
  return folder_.run(program.empty() ? line : line + " -- " + program);
}

void Attacked::expect_served() const {
  const cli::Outcome outcome = run("mutex honest --wait 30s", "true");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

void Attacked::expect_alive() const {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    siginfo_t end{};
    // One that has ended stays for the fixture to collect.
    ::waitid(P_PID, static_cast<id_t>(processes_[i]), &end, WEXITED | WNOHANG | WNOWAIT);
    EXPECT_EQ(end.si_pid, 0) << "a member has ended:\n" << serving_->log(i);
  }
  const auto json = nlohmann::json::parse(run("status --json").out, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  for (const auto& member : json["members"]) EXPECT_TRUE(member["answers"].get<bool>()) << json;
}

std::string road_name(const testing::TestParamInfo<Road>& info) {
  return info.param == Road::plain ? "Plain" : "Tls";
}

}  // namespace coterie::attack
