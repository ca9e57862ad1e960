#include "net/identity.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace coterie::net {

namespace {

constexpr std::size_t kDigits = 32;

}  // namespace

std::string guarded(const Settings& settings) {
  std::string text = fmt::format("system {}\n", settings.member.system.spec());
  for (const std::string& name : settings.member.names) text += fmt::format("member {}\n", name);
  return text;
}

std::string cluster_of(const Identity::Seeds& seeds) {
  std::string text = "coterie cluster\n";
  for (const auto& [name, seed] : seeds) text += fmt::format("{} {} {}\n", name.size(), name, seed);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string cluster;
  for (std::size_t i = 0; i < kDigits / 2; ++i) cluster += fmt::format("{:02x}", digest[i]);
  return cluster;
}

bool is_seed(const std::string& text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == kDigits && std::all_of(text.begin(), text.end(), is_digit);
}

std::string fault_of_folder(const Identity& found, const Settings& settings) {
  if (found.member != settings.name())
    return fmt::format(
        "the data folder {} is of member {}, and this is member {}: give each member the folder "
        "that "
        "it had; if that one is lost, give it an empty folder, and it learns from the others",
        settings.data, found.member, settings.name());
  const std::string now = guarded(settings);
  if (found.configuration == now) return "";
  return fmt::format(
      "the data folder {} was written under another configuration: {}. Start the member with the "
      "configuration of before. Members and the quorum system cannot be changed in a cluster that "
      "has data: for another set of them, stop all members, and start each with an empty data "
      "folder and --new-cluster; what is held by \"coterie hold\" must be held anew",
      settings.data, difference("the folder", found.configuration, "the file", now));
}

std::string difference_of_clusters(const std::string& one, const std::string& its,
                                   const std::string& other, const std::string& theirs) {
  return fmt::format(
      "they are of different clusters: the data folder of {} is of cluster {}, that of {} of {}. "
      "One "
      "of them has the wrong folder: give it back its own, or an empty one, and it learns from the "
      "others",
      one, its, other, theirs);
}

}  // namespace coterie::net
