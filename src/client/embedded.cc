#include "coterie/embedded.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "client/house.h"
#include "client/resident.h"

namespace coterie {

using client::House;
using client::Resident;

namespace {

std::string quoted(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + '"';
}

// As a file would say it, so that there is one reader, with one idea of what is wrong.
std::string text_of(const MemberSettings& settings) {
  std::string text =
      fmt::format("name = {}\ndata = {}\n", quoted(settings.name), quoted(settings.data));
  if (!settings.system.empty()) text += fmt::format("system = {}\n", quoted(settings.system));
  if (!settings.listen.empty()) text += fmt::format("listen = {}\n", quoted(settings.listen));
  text += "[members]\n";
  for (const auto& [name, address] : settings.members)
    text += fmt::format("{} = {}\n", quoted(name), quoted(address));
  if (settings.tls)
    text += fmt::format("[tls]\ncertificate = {}\nkey = {}\nauthority = {}\n",
                        quoted(settings.tls->certificate), quoted(settings.tls->key),
                        quoted(settings.tls->authority));
  return text + fmt::format("[time]\nlease = \"{}ms\"\n", settings.lease.count());
}

Outcome<std::shared_ptr<House>> open(const std::string& text, const std::string& source,
                                     const MemberStart& how) {
  const auto refuse = [&](const std::string& why) {
    return Refusal{Reason::invalid, source.empty() ? why : source + ": " + why};
  };
  auto settings = net::parse_settings(text);
  if (!settings) return refuse(settings.error().message);
  const std::string exposed = net::exposure(*settings);
  if (!exposed.empty() && !how.is_insecure) return refuse(exposed);
  return House::make(*std::move(settings), how.is_new_cluster, how.log);
}

}  // namespace

Outcome<EmbeddedMember> EmbeddedMember::start(const std::string& config_file,
                                              const MemberStart& how) {
  std::ifstream file(config_file, std::ios::binary);
  if (!file) return Refusal{Reason::invalid, fmt::format("{} cannot be read", config_file)};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto house = open(text, config_file, how);
  if (!house) return house.error();
  return EmbeddedMember(*std::move(house));
}

Outcome<EmbeddedMember> EmbeddedMember::start(const MemberSettings& settings,
                                              const MemberStart& how) {
  auto house = open(text_of(settings), "", how);
  if (!house) return house.error();
  return EmbeddedMember(*std::move(house));
}

EmbeddedMember::EmbeddedMember(std::shared_ptr<House> house) : house_(std::move(house)) {}
EmbeddedMember::EmbeddedMember(EmbeddedMember&&) noexcept = default;
EmbeddedMember& EmbeddedMember::operator=(EmbeddedMember&& other) noexcept {
  std::swap(house_, other.house_);
  return *this;
}
EmbeddedMember::~EmbeddedMember() {
  if (house_) house_->stop();
}

Outcome<Client> EmbeddedMember::client(std::string label) {
  if (label.empty()) label = client::usual_label();
  auto resident = Resident::make(house_, std::move(label));
  if (!resident) return resident.error();
  return Client(*std::move(resident));
}

const std::string& EmbeddedMember::name() const { return house_->name(); }
std::uint16_t EmbeddedMember::port() const { return house_->port(); }
void EmbeddedMember::stop() { house_->stop(); }

}  // namespace coterie
