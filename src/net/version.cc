#include "net/version.h"

#include <fmt/format.h>

namespace coterie::net {

std::string fault_of_member_version(std::uint32_t theirs) {
  if (theirs == kMemberVersion) return "";
  return fmt::format(
      "this member speaks version {} of the protocol between members, and the other side speaks "
      "version {}: run the same release of coterie at all members",
      kMemberVersion, theirs);
}

std::string fault_of_client_version(std::uint32_t client, std::uint32_t member) {
  if (client == member) return "";
  return fmt::format(
      "the member speaks version {} of the protocol with clients, and the client speaks version "
      "{}: use a client of the member's release of coterie",
      member, client);
}

}  // namespace coterie::net
